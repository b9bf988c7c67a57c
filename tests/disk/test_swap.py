"""A file is replaced, or what somebody saved just then is there again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scaffold.disk import swap


@pytest.mark.parametrize("way", ["exchange", "no exchange", "removal"])
def test_what_somebody_saves_at_that_moment_is_put_back(
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

    was = swap.file_hash(target)
    monkeypatch.setattr(owner, name, saved_just_before)
    assert not swap.swap(target, None if way == "removal" else new, out, was)
    assert target.read_text() == "mine\n"
