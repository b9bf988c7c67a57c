"""Packs as small as a test needs them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def write_pack(tmp_path: Path) -> Callable[..., Path]:
    """Writes a pack of this name from its rows, in TOML, and its templates; returns its folder."""

    def write(rows: str = "", name: str = "acme", head: str = "", **templates: str) -> Path:
        folder = tmp_path / "packs" / name
        folder.mkdir(parents=True)
        (folder / "pack.toml").write_text(f'name = "{name}"\ncontract = 4\n{head}\n{rows}', "utf-8")
        for path, text in templates.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(text.encode())
        return folder

    return write
