"""A whole project as values → a new folder on disk, all of it or nothing."""

from __future__ import annotations

import os
import shutil
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from scaffold.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.disk.lock import Lock, records
from scaffold.disk.tree import failure
from scaffold.files import RenderedFiles

_STALE = 3600  # seconds: far more than any run takes


def create(files: RenderedFiles, lock: Lock, dest: Path) -> None:
    """Write the files, and the lock that describes them, as the new folder `dest`.

    The tree is prepared in a hidden folder beside `dest` and renamed into place, so that `dest` is
    whole or untouched however the run ends. Raises ScaffoldError where `dest` is anything but an
    empty folder or nothing at all, and where the disk refuses.
    """
    dest = Path(os.path.abspath(dest))
    texts = {path: file.text for path, file in files.items()} | records(files, lock)
    programs = {path for path, file in files.items() if file.executable}
    try:
        _refuse_unless_vacant(dest)
        dest.parent.mkdir(parents=True, exist_ok=True)
        _sweep(dest)
        with TemporaryDirectory(prefix=_hidden(dest), dir=dest.parent) as hidden:
            tree = Path(hidden) / dest.name
            for path, text in texts.items():
                _write(tree / path, text, 0o777 if path in programs else 0o666)
            _refuse_unless_vacant(dest)
            if dest.exists() and os.name == "nt":  # where a rename replaces no folder
                dest.rmdir()
            tree.rename(dest)
    except OSError as error:
        raise ScaffoldError([failure("cannot-write", dest, error)]) from error


def _write(file: Path, text: str, mode: int) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as stream:
        stream.write(text.encode())


def _refuse_unless_vacant(dest: Path) -> None:
    if not os.path.lexists(dest):
        return
    if dest.is_symlink():
        refusal = Diagnostic("symlink", f"`{dest}` is a symbolic link", hint="name a real folder")
    elif not dest.is_dir():
        refusal = Diagnostic("dest-not-empty", f"`{dest}` is a file", hint="name another folder")
    elif any(dest.iterdir()):
        refusal = Diagnostic(
            "dest-not-empty",
            f"`{dest}` holds files already",
            hint="to bring a project up to date, run `mcp-scaffold regenerate` in it",
        )
    else:
        return
    raise ScaffoldError([replace(refusal, place=Place(str(dest)))])


def _hidden(dest: Path) -> str:
    return f".{dest.name}.new-"


def _sweep(dest: Path) -> None:
    """Remove what a run that was killed has left beside `dest`."""
    for name in os.listdir(dest.parent):
        left = dest.parent / name
        if name.startswith(_hidden(dest)) and time.time() - left.lstat().st_mtime > _STALE:
            shutil.rmtree(left, ignore_errors=True)
