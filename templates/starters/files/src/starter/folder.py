"""The text files below a folder, and their URIs."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from mcp.shared.path_security import PathEscapeError, safe_join

BASE = "folder://files"

MAX_BYTES = 1024 * 1024
"""The maximum size of a file."""


@dataclass(frozen=True)
class Folder:
    """The files below `root`, without hidden files and links that lead out of it."""

    root: Path

    def files(self) -> Iterator[tuple[str, str]]:
        """Yield the path of each file, with `/`, and its text."""
        for file in sorted(self.root.rglob("*")):
            path = file.relative_to(self.root).as_posix()
            if (text := self.read(path)) is not None:
                yield path, text

    def read(self, path: str) -> str | None:
        """Return the text of a file, or None if there is no such text file."""
        if any(part.startswith(".") for part in path.split("/")):
            return None
        try:
            file = safe_join(self.root, path)
            if not file.is_file() or file.stat().st_size > MAX_BYTES:
                return None
            return file.read_text(encoding="utf-8")
        except (PathEscapeError, OSError, UnicodeDecodeError):
            return None


def uri_of(path: str) -> str:
    return f"{BASE}/{quote(path)}"
