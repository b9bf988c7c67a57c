"""Replace a file of the user's, unless it was saved since it was read."""

from __future__ import annotations

import hashlib
from pathlib import Path
from tempfile import TemporaryDirectory

from scaffold.diagnostics import ScaffoldError
from scaffold.disk.swap import swap
from scaffold.disk.tree import failure


def save(path: Path, data: bytes, before: bytes | None) -> None:
    """Write `data` to a file that held the bytes `before`; None means that there was no file.

    A link keeps leading to its file, which keeps its permissions. Raises ScaffoldError.
    """
    if before == data:
        return
    target = path.resolve()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as folder:
            new, old = Path(folder) / "new", Path(folder) / "old"
            new.write_bytes(data)
            if before is not None:
                new.chmod(target.stat().st_mode)
            was = None if before is None else hashlib.sha256(before).hexdigest()
            if not swap(target, new, old, was):
                message, hint = "the file was saved by another program meanwhile", "run again"
                raise ScaffoldError.of("changed-meanwhile", message, path, hint)
    except OSError as error:
        raise failure("cannot-write", path, error) from error
