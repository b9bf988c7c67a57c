"""Data that comes with mcp-scaffold."""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any


def shipped(name: str) -> Path:
    """Return a folder that is in the package in a wheel, and beside it in a checkout."""
    package = Path(__file__).parents[1]
    inside = package / name
    return inside if inside.is_dir() else package.parent / name


def read_tables(folder: Path) -> Mapping[str, Mapping[str, Any]]:
    """Return the contents of the TOML files in a folder that comes with mcp-scaffold, by stem.

    Parsing takes twenty times as long as reading what was parsed, so that is kept where Python
    keeps its bytecode. PYTHONDONTWRITEBYTECODE turns off writing here too.
    """
    with os.scandir(folder) as entries:
        found = sorted((e.name, e.stat()) for e in entries if e.name.endswith(".toml"))
    key = [(name, status.st_mtime_ns, status.st_size) for name, status in found]
    kept = folder / "__pycache__" / f"tables.{sys.implementation.cache_tag}"
    tables: dict[str, dict[str, Any]]
    with suppress(OSError, ValueError, TypeError, EOFError):
        known, tables = marshal.loads(kept.read_bytes())  # noqa: S302  # whoever can write there can change the program itself
        if known == key:
            return tables
    import tomllib

    tables = {name[:-5]: tomllib.loads((folder / name).read_text("utf-8")) for name, _ in found}
    if not sys.dont_write_bytecode:
        with suppress(OSError, ValueError):  # a read-only installation: parse each time
            kept.parent.mkdir(exist_ok=True)
            new = kept.with_name(f"{kept.name}.{os.getpid()}")
            new.write_bytes(marshal.dumps((key, tables)))
            new.replace(kept)
    return tables
