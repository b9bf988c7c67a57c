"""Packs in `messages.toml`: what is made with them, and what people are told.

A case makes a project with `pack` (its `files`, its `rows` in pack.toml, its `questions`) and `options`, or
with the built-in pack. Then it writes `templates` of the project's own, `edits` of a person, and the `second`
version of the pack, and upgrades with the options in `upgrade`. The last command exits with `code` and says
all of `said`, or nothing if it is `silent`. If it fails, it has written nothing, unless it has `written`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.command import run
from tests.files import contents
from tests.teams.building import QUESTIONS, TABLE

CASES = tomllib.loads(Path(__file__).with_name("messages.toml").read_text("utf-8"))["case"]


def put(folder: Path, files: Mapping[str, str | bool]) -> None:
    """Write files to a folder; false takes one away."""
    for path, text in files.items():
        if isinstance(text, bool):
            (folder / path).unlink()
        else:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text.removeprefix("\n"), "utf-8")


def files(version: Mapping[str, Any]) -> dict[str, str | bool]:
    """The files of a version of a pack."""
    texts = {"pack.toml": TABLE + version["rows"]} if "rows" in version else {}
    texts |= {"copier.yml": QUESTIONS + version["questions"]} if "questions" in version else {}
    return {**texts, **version.get("files", {})}


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_pack_creates_the_files_and_messages_of_its_case(
    case: dict[str, Any], spec: Path, tmp_path: Path
) -> None:
    project, pack = tmp_path / "p", tmp_path / "acme"
    if "pack" in case:
        put(pack, {"pack.toml": TABLE, **files(case["pack"])})
    before: dict[str, bytes] = {}
    options = [*("--pack", "acme") * pack.exists(), *case.get("options", ())]
    ended = run("new", spec, "p", *options, cwd=tmp_path)
    steps = [("templates", ("regenerate",)), ("second", ("pack", "upgrade"))]
    for key, words in steps:
        if key in case:
            assert ended.code == 0, ended.err
            put(project / "templates", case.get("templates", {}))
            put(project, case.get("edits", {}))
            put(pack, files(case["second"]) if key == "second" else {})
            before = contents(project)
            options = case.get("upgrade", []) if key == "second" else []
            ended = run(*words, project, *options, cwd=tmp_path)
    assert ended.code == case.get("code", 0), ended.err
    for text in case.get("said", ()):
        assert text in ended.err
    assert not (case.get("silent") and "warning" in ended.err), ended.err
    if ended.code and not case.get("written"):
        assert contents(project) == before
    for path, texts in case.get("makes", {}).items():
        assert all(text in (project / path).read_text() for text in texts), path
