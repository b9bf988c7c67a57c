"""Tables that come with mcp-scaffold are parsed once, and again when they change."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from scaffold.base.shipped import read_tables


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.toml").write_text('name = "A"\n', "utf-8")
    (tmp_path / "notes.txt").write_text("not a table", "utf-8")
    return tmp_path


def kept(folder: Path) -> list[Path]:
    return [*folder.glob("__pycache__/tables.*")]


@pytest.fixture(autouse=True)
def writing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


def test_what_was_parsed_is_kept_and_read_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert read_tables(folder) == {"a": {"name": "A"}}
    assert len(kept(folder)) == 1
    monkeypatch.setattr("tomllib.loads", None)
    assert read_tables(folder) == {"a": {"name": "A"}}


def test_a_file_that_is_changed_added_or_removed_is_seen(folder: Path) -> None:
    read_tables(folder)
    (folder / "a.toml").write_text('name = "Another"\n', "utf-8")
    (folder / "b.toml").write_text('name = "B"\n', "utf-8")
    assert read_tables(folder) == {"a": {"name": "Another"}, "b": {"name": "B"}}
    (folder / "a.toml").unlink()
    assert read_tables(folder) == {"b": {"name": "B"}}


@pytest.mark.parametrize("damaged", [b"", b"\0", b"N", b"nonsense", b"[\x02\x00\x00\x00NN"])
def test_a_damaged_copy_is_replaced(folder: Path, damaged: bytes) -> None:
    read_tables(folder)
    (copy,) = kept(folder)
    copy.write_bytes(damaged)
    assert read_tables(folder) == {"a": {"name": "A"}}
    assert copy.read_bytes() != damaged
