"""A file is replaced, or what somebody saved just then is there again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scaffold.disk import swap


def test_where_files_cannot_be_exchanged_a_save_in_that_moment_is_put_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, new, out = (tmp_path / name for name in ("target", "new", "out"))
    target.write_text("old\n")
    new.write_text("ours\n")
    was, replace = swap.file_hash(target), os.replace

    def saved_just_before(source: Path, to: Path) -> None:
        monkeypatch.undo()
        target.write_text("mine\n")
        replace(source, to)

    monkeypatch.setattr(swap, "_system_call", lambda: None)
    monkeypatch.setattr(os, "replace", saved_just_before)
    assert not swap.swap(target, new, out, was)
    assert target.read_text() == "mine\n"


def test_a_save_in_the_moment_of_a_removal_is_put_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, out = tmp_path / "target", tmp_path / "out"
    target.write_text("old\n")
    was, replace = swap.file_hash(target), os.replace

    def saved_just_before(source: Path, to: Path) -> None:
        target.write_text("mine\n")
        replace(source, to)

    monkeypatch.setattr(os, "replace", saved_just_before)
    assert not swap.swap(target, None, out, was)
    assert target.read_text() == "mine\n"


def test_a_save_in_the_moment_of_an_exchange_is_put_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, new, out = (tmp_path / name for name in ("target", "new", "out"))
    target.write_text("old\n")
    new.write_text("ours\n")
    was, exchange = swap.file_hash(target), swap._exchange

    def saved_just_before(one: Path, other: Path) -> None:
        monkeypatch.undo()
        target.write_text("mine\n")
        exchange(one, other)

    monkeypatch.setattr(swap, "_exchange", saved_just_before)
    assert not swap.swap(target, new, out, was)
    assert target.read_text() == "mine\n"
    assert not out.exists()
