"""What text becomes which value, and where it stands."""

from __future__ import annotations

import codecs
import json
import math
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from scaffold.base.diagnostics import ScaffoldError
from scaffold.yaml.compose import DEPTH
from scaffold.yaml.document import pointer
from scaffold.yaml.source import MAX_BYTES, parse, read

TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\u2028\u2029"))
# YAML 1.2 allows no more than 1,024 characters before the `:` of a key on one line (8.2.2), where
# one character may be written as two escapes of six.
KEY = TEXT.filter(lambda text: len(json.dumps(text)) < 1000)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**300), 10**300)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEY, inner, max_size=4),
    max_leaves=20,
)


def faults(text: str, name: str = "spec.yaml") -> list[tuple[str, int | None, int | None]]:
    """Id, line and column of each error."""
    with pytest.raises(ScaffoldError) as caught:
        parse(text, name)
    return [
        (d.id, d.place.line, d.place.column)
        for d in caught.value.diagnostics
        if d.place is not None
    ]


@given(JSON, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_json_is_read_as_json_loads_reads_it(value: Any, indent: Any, ascii: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii)
    assert parse(text, "spec.json").value == json.loads(text)
    assert parse(text, "spec.yaml").value == value


@given(JSON)
def test_output_of_yaml_writers_is_read_back(value: Any) -> None:
    assert parse(yaml.safe_dump(value, allow_unicode=True)).value == value


TEXTS = ["no", "on", "Yes", "22:22", "1_000", "0b1", "2024-01-02", "1.2.3", "+", ".", "NaN", "<<"]
SCALARS: list[tuple[Any, list[str]]] = [
    (None, ["~", "NULL"]),
    (True, ["True"]),
    (False, ["FALSE"]),
    (0, ["0"]),
    (-12, ["-12"]),
    (12, ["+12"]),
    (15, ["0o17", "0xf", "0xF"]),
    (100000.0, ["1e5"]),
    (1.0, ["1.", "!!float 1"]),
    (0.5, [".5"]),
    ("1", ["'1'", "!!str 1", "! 1"]),
]


@pytest.mark.parametrize(
    ("text", "value"),
    [(text, text) for text in TEXTS] + [(t, value) for value, some in SCALARS for t in some],
)
def test_scalars_are_those_of_yaml_1_2(text: str, value: Any) -> None:
    parsed = parse(f"a: {text}").value
    assert isinstance(parsed, dict)
    assert (parsed["a"], type(parsed["a"])) == (value, type(value))


def test_text_that_only_looks_like_an_escape_is_kept() -> None:
    text = r"""{double: "\ud83d\ude00 \\ud83d\ude00"}"""
    assert faults(text)[0][0] == "lone-surrogate"
    text = r"""
a: "\ud83d\ude00"
b: '\ud83d\ude00'
c: \ud83d\ude00
d: "\\ud83d\\ude00"
e: \U0001f600 \ud83d\ude00
"""
    assert parse(text).value == {
        "a": "\N{GRINNING FACE}",
        "b": r"\ud83d\ude00",
        "c": r"\ud83d\ude00",
        "d": r"\ud83d\ude00",
        "e": r"\U0001f600 \ud83d\ude00",
    }
    assert parse(r'["\ud83d\ude00", x]').place("/1").column == 18


def test_merge_keys_add_only_missing_keys() -> None:
    text = "{x: &x {a: 1, b: 2}, y: &y {b: 3, c: 4}, z: {<<: [*x, *y], a: 0}, '<<': 1}"
    value = parse(text).value
    assert isinstance(value, dict)
    assert value["z"] == {"a": 0, "b": 2, "c": 4}
    assert value["<<"] == 1
    assert parse("x: &x {a: 1}\ny:\n  !!merge <<: *x").value == {"x": {"a": 1}, "y": {"a": 1}}


def test_keys_keep_their_text() -> None:
    assert parse("{1: a, true: b, 1.10: c, ~: d, 0x1F: e}").value == {
        "1": "a",
        "true": "b",
        "1.10": "c",
        "~": "d",
        "0x1F": "e",
    }


def test_every_kind_of_line_ending_counts() -> None:
    for end in ("\n", "\r\n", "\r"):
        document = parse(end.join(["a: 1", "b: |", "  x", "  y", "c: [1"]).replace("[1", "1"))
        assert document.value == {"a": 1, "b": "x\ny\n", "c": 1}
        assert document.place("/c").line == 5


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_the_encoding_is_detected_by_its_byte_order_mark(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    path.write_bytes("a: é😀".encode(encoding))
    assert read(path).value == {"a": "é😀"}


def test_a_byte_order_mark_does_not_shift_places() -> None:
    text = "# title\na: 1\n"
    assert parse(f"\ufeff{text}").place("/a") == parse(text).place("/a")
    assert parse(f"\ufeff{text}").text == text


def test_invalid_bytes_are_an_error_with_their_place(tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    path.write_bytes(b"a: 1\nb: caf\xe9\n")
    with pytest.raises(ScaffoldError) as caught:
        read(path, "spec.yaml")
    [diagnostic] = caught.value.diagnostics
    assert diagnostic.place is not None
    assert (diagnostic.id, diagnostic.place.line, diagnostic.place.column) == ("not-utf-8", 2, 7)
    path.write_bytes(codecs.BOM_UTF16_LE + b"a")
    with pytest.raises(ScaffoldError, match="UTF-16"):
        read(path)


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "absent.yaml", tmp_path / "a\0b"):
        with pytest.raises(ScaffoldError) as caught:
            read(path)
        assert caught.value.diagnostics[0].id == "unreadable-file"


def test_a_file_beyond_the_limit_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    path.write_bytes(b"#" * MAX_BYTES)
    assert read(path).value is None
    path.write_bytes(b"#" * (MAX_BYTES + 1))
    with pytest.raises(ScaffoldError, match="4 MB"):
        read(path)


def test_depth_is_limited() -> None:
    assert parse("[" * DEPTH + "]" * DEPTH).value
    assert faults("[" * (DEPTH + 1)) == [("too-deep", 1, DEPTH + 1)]
    assert faults("- " * 100_000)[0][0] == "too-deep"


def test_aliases_are_expanded_and_counted() -> None:
    thousand = "a: &a [" + "x," * 1000 + "]\n"
    assert parse(thousand + "b: [*a, *a]").value
    assert faults(thousand + "b: [" + "*a, " * 1000 + "]")[0][:2] == ("too-large", 2)
    assert faults(f"a: &a '{'x' * 100_000}'\nb: [{'*a, ' * 100}]")[0][:2] == ("too-large", 2)
    bomb = "a0: &a0 [x]\n" + "".join(f"a{n + 1}: &a{n + 1} [*a{n}, *a{n}]\n" for n in range(64))
    assert faults(bomb)[0][0] == "too-large"


def test_errors_are_all_reported_up_to_a_limit() -> None:
    assert len(faults("\n".join(f"- !x {n}" for n in range(5)))) == 5
    many = faults("\n".join(f"- !x {n}" for n in range(1000)))
    assert many[0] == ("many-faults", None, None)
    assert len(many) == 101


def test_a_pointer_resolves_to_the_value_its_key_or_the_nearest_parent() -> None:
    document = parse("tools:\n  - name: a\n    a/b~c: [1, two]\n")
    at = pointer("tools", 0, "a/b~c", 1)
    assert at == "/tools/0/a~1b~0c/1"

    def place(at: str, *, key: bool = False) -> tuple[int | None, int | None, int]:
        where = document.place(at, key=key)
        return where.line, where.column, where.length

    assert place(at) == (3, 16, 3)
    assert place("/tools/0/name") == (2, 11, 1)
    assert place("/tools/0/name", key=True) == (2, 5, 4)
    assert place("/tools") == (1, 1, 5)
    assert place("/tools/0") == (2, 5, 4)
    assert place("/tools/0/absent") == (2, 5, 4)
    assert place("/tools/7") == (1, 1, 5)
    assert place("") == (1, 1, 5)


def test_numbers_are_exact_or_refused() -> None:
    assert parse("9007199254740993").value == 2**53 + 1
    assert parse("1" * 308).value == int("1" * 308)
    assert parse("1.7e308").value == 1.7e308
    assert parse("0e-999").value == 0
    for text in ("1" * 309, "1e309", "1e-999", ".inf", "-.INF", ".nan", "007", "-01.5"):
        assert faults(text) == [("bad-number", 1, 1)], text
    assert math.copysign(1, float(str(parse("-0.0").value))) == -1


@pytest.mark.parametrize("words", ["a" * 500_000 + " {b} c", "a: " * 100_000, "a: b " * 100_000])
def test_the_cause_of_an_error_is_searched_near_it(words: str) -> None:
    started = time.process_time()
    assert faults(f"tools: [{{name: x, description: {words}: d}}]\n")
    assert time.process_time() - started < 10
