"""A file that other programs write too is replaced, and nothing that they save is lost."""

from __future__ import annotations

from pathlib import Path
from unittest import mock

import pytest

from scaffold.disk import swap


def test_a_save_of_another_program_outlives_an_interrupt_after_the_exchange(tmp_path: Path) -> None:
    target = tmp_path / "client.json"
    target.write_text("theirs")
    found: list[object] = ["ours", KeyboardInterrupt, "theirs", None]
    hashes = mock.patch.object(swap, "file_hash", side_effect=found)
    with hashes, pytest.raises(KeyboardInterrupt):
        swap.save(target, b"ours", b"before", tmp_path / "kept")
    assert "theirs" in {path.read_text() for path in tmp_path.rglob("*") if path.is_file()}


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    target = tmp_path / "client.json"
    target.write_text("theirs")
    with mock.patch("os.fsync", side_effect=KeyboardInterrupt), pytest.raises(KeyboardInterrupt):
        swap.save(target, b"ours", b"theirs")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["theirs"]
