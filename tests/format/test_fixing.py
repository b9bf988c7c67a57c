"""`validate --fix` changes what a finding names, and nothing else."""

from __future__ import annotations

import codecs
import os
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scaffold.commands.validate import findings_in, fix
from tests.format.test_cases import CASES
from tests.generated import REPOSITORY

SPECS = sorted((REPOSITORY / "specs").glob("*.yaml"))

MANY = Path(__file__).parent / "cases/fixes_keep_comments_and_layout"


def fixed(data: bytes) -> tuple[bytes, int]:
    """A spec after `--fix`, and how many problems were fixed."""
    with tempfile.TemporaryDirectory() as folder:
        spec = Path(folder) / "spec.yaml"
        spec.write_bytes(data)
        count = len(fix(spec)[0])
        assert [path.name for path in Path(folder).iterdir()] == ["spec.yaml"]
        return spec.read_bytes(), count


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_case_is_fixed_as_its_folder_says(case: Path, tmp_path: Path) -> None:
    [spec] = case.glob("spec.*")
    before = spec.read_bytes()
    path = tmp_path / spec.name
    path.write_bytes(before)
    fix(path)
    expected = case / f"fixed{spec.suffix}"
    if "WRITE_CASES" in os.environ and path.read_bytes() != before:
        expected.write_bytes(path.read_bytes())
    assert path.read_bytes() == (expected.read_bytes() if expected.exists() else before)


@pytest.mark.parametrize(
    ("mark", "encoding", "end"),
    [
        (b"", "utf-8", "\n"),
        (b"", "utf-8", "\r\n"),
        (codecs.BOM_UTF8, "utf-8", "\r\n"),
        (codecs.BOM_UTF16_BE, "utf-16-be", "\n"),
    ],
)
def test_comments_layout_line_ends_and_encoding_stay(mark: bytes, encoding: str, end: str) -> None:
    def in_bytes(name: str) -> bytes:
        return mark + (MANY / name).read_text("utf-8").replace("\n", end).encode(encoding)

    assert fixed(in_bytes("spec.yaml")) == (in_bytes("fixed.yaml"), 6)


def test_a_link_to_a_spec_stays_a_link_and_the_file_keeps_its_permissions(tmp_path: Path) -> None:
    target, link = tmp_path / "real.yaml", tmp_path / "spec.yaml"
    target.write_bytes((MANY / "spec.yaml").read_bytes())
    target.chmod(0o640)
    link.symlink_to("real.yaml")
    fix(link)
    assert link.is_symlink()
    assert target.read_bytes() == (MANY / "fixed.yaml").read_bytes()
    assert target.stat().st_mode & 0o777 == 0o640


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """One of our specs, with a few slips of the kind that people make, or of any kind."""
    text = draw(st.sampled_from(SPECS)).read_text("utf-8")
    for _ in range(draw(st.integers(1, 4))):
        words = [
            *re.finditer(r"[A-Za-z]{4,}(?=: )|\"[0-9][^\"\n]*\"|^ +(?=\S)", text, re.MULTILINE)
        ]
        word = draw(st.sampled_from(words))
        slip = draw(st.sampled_from(["swap", "bare", "cut", "shift", "double"]))
        written = word[0]
        damages = {
            "swap": written[:2] + written[3:4] + written[2:3] + written[4:],
            "bare": written.strip('"'),
            "cut": written[:-1],
            "shift": written + "  ",
            "double": written + written[-1:],
        }[slip]
        text = text[: word.start()] + damages + text[word.end() :]
    return text


@settings(max_examples=40)
@given(damaged())
def test_only_what_a_finding_names_is_changed_and_a_second_run_changes_nothing(text: str) -> None:
    path = Path("spec.yaml")
    lines = text.split("\n")
    for finding in findings_in(text, path):
        if finding.fix:
            edit = finding.fix.edit
            assert "\n" not in text[edit.start : edit.end] + edit.text
            assert finding.place
            assert finding.place.line == text.count("\n", 0, edit.start) + 1
    once, count = fixed(text.encode())
    assert (once == text.encode()) == (count == 0)
    assert fixed(once) == (once, 0)
    after = once.decode().split("\n")
    assert len(after) == len(lines)
    assert [re.findall("#.*", line) for line in after] == [re.findall("#.*", s) for s in lines]
