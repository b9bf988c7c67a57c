"""A file that other programs write too is replaced, and nothing that they save is lost."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import pytest

from scaffold.disk import swap
from tests.disk.regenerated import GENERATED, new, problems, regenerate, rendered
from tests.files import contents


@pytest.mark.parametrize("way", ["exchange", "no exchange", "removal"])
def test_a_save_during_the_replacement_is_put_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    target, new, out = (tmp_path / name for name in ("target", "new", "out"))
    target.write_text("old\n")
    new.write_text("ours\n")
    if way == "no exchange":
        monkeypatch.setattr(swap, "_system_call", lambda: None)
    owner, name = (swap, "_exchange") if way == "exchange" else (os, "replace")
    replace = getattr(owner, name)

    def saved_just_before(source: Path, to: Path) -> None:
        monkeypatch.undo()
        target.write_text("mine\n")
        replace(source, to)

    before = swap.file_hash(target)
    monkeypatch.setattr(owner, name, saved_just_before)
    assert not swap.swap(target, None if way == "removal" else new, out, before)
    assert target.read_text() == "mine\n"


def test_a_save_of_another_program_outlives_an_interrupt_after_the_exchange(tmp_path: Path) -> None:
    target = tmp_path / "client.json"
    target.write_text("theirs")
    states: list[object] = ["ours", KeyboardInterrupt, "theirs", None]
    hashes = mock.patch.object(swap, "file_hash", side_effect=states)
    with hashes, pytest.raises(KeyboardInterrupt):
        swap.save(target, b"ours", b"before", tmp_path / "kept")
    assert "theirs" in {path.read_text() for path in tmp_path.rglob("*") if path.is_file()}


def test_a_file_that_cannot_be_written_leaves_no_temporary_file(tmp_path: Path) -> None:
    target = tmp_path / "client.json"
    target.write_text("theirs")
    with mock.patch("os.fsync", side_effect=KeyboardInterrupt), pytest.raises(KeyboardInterrupt):
        swap.save(target, b"ours", b"theirs")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["theirs"]


class TestAFileInUse:
    """Windows neither replaces nor deletes a file that another program holds open."""

    files = tuple(rendered(GENERATED, f"{name}.txt", "1\n") for name in "abc")

    @pytest.fixture
    def held(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        new(root, *self.files)
        held = root / "b.txt"
        monkeypatch.setattr(swap, "_system_call", lambda: None)
        for name in ("rename", "replace", "unlink", "remove"):
            call = getattr(os, name)

            def refused(*paths: Path, call: Callable[..., None] = call, **options: int) -> None:
                if held in map(Path, paths):
                    raise PermissionError(13, "The process cannot access the file", str(held))
                call(*paths, **options)

            monkeypatch.setattr(os, name, refused)
        return held

    @pytest.mark.parametrize("is_wanted", [True, False])
    def test_files_are_never_half_written_and_the_next_run_continues(
        self, root: Path, held: Path, monkeypatch: pytest.MonkeyPatch, is_wanted: bool
    ) -> None:
        before = contents(root)
        wanted = [
            rendered(file.owner, file.path, "2\n")
            for file in self.files
            if is_wanted or root / file.path != held
        ]
        assert problems(lambda: regenerate(root, *wanted)) == [("cannot-write", str(held))]
        assert contents(root) == before
        monkeypatch.undo()
        regenerate(root, *wanted)
        assert contents(root).get("b.txt") == (b"2\n" if is_wanted else None)
        assert contents(root)["a.txt"] == contents(root)["c.txt"] == b"2\n"
