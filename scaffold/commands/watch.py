"""Watch a project for saved changes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from scaffold.base.diagnostics import ScaffoldError


def saves(root: Path) -> Iterator[None]:
    """Yield once now, and after each change in the project, except in `.git`, `.venv` and the like.

    Saves in quick succession are one change. Ends when the project is gone. Raises ScaffoldError
    (`cannot-watch`) if the system cannot report changes.
    """
    from watchfiles import Change, DefaultFilter, watch  # a compiled package that only this needs

    usual = DefaultFilter()

    def is_ours(change: Change, path: str) -> bool:
        """Return whether to report a path, independent of the folders above the project."""
        return usual(change, os.path.relpath(path, root))

    began = False
    try:
        for changes in watch(
            root,
            watch_filter=is_ours,
            rust_timeout=200,
            yield_on_timeout=True,
            ignore_permission_denied=True,
        ):
            if not root.is_dir():
                return
            if changes or not began:
                began = True
                yield
    except OSError as error:
        if not root.is_dir():
            return
        message = f"cannot watch for changes: {error.strerror or error}"
        hint = "set WATCHFILES_FORCE_POLLING=true to poll for them"
        raise ScaffoldError.of("cannot-watch", message, root, hint) from error
