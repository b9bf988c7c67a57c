"""Work in another process, which may die before any one of the changes that it makes to the disk.

Python announces each change to audit hooks (PEP 578), so the code under test needs no seam.
"""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from collections.abc import Callable
from itertools import count

import pytest

NEVER = sys.maxsize

_EVENTS = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.link", "os.symlink"}
_FAILED, _KILLED = 100, 109


def started(work: Callable[[], int]) -> int:
    """Start the work in another process, to be `ended`; its exit code is what the work returns."""
    if sys.platform == "win32":
        pytest.skip("Windows cannot fork")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # for the threads of the test runner
        child = os.fork()
    if child == 0:
        code = _FAILED
        try:
            code = work()
        finally:  # whatever happened, nothing of the test may go on here
            if code == _FAILED:
                traceback.print_exc()
            os._exit(code)
    return child


def ended(child: int) -> int:
    """Wait for a process and give its exit code; the test fails where the work raised."""
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code != _FAILED, "the work failed, as printed above"
    return code


def killed(work: Callable[[], object], instant: int | tuple[str, str]) -> bool:
    """Do the work in another process, which dies before its change number `instant` (from 0).

    Or before the first change that is such an event on a path with such an end. A file that was to
    be opened for writing then is left empty. Returns False where the work came to its end before.
    """

    def working() -> int:
        _die_at(instant)
        work()
        return 0

    return ended(started(working)) == _KILLED


def _die_at(instant: int | tuple[str, str]) -> None:
    changes = count()

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        opened = event == "open" and _writes(arguments)
        if not opened and event not in _EVENTS:
            return
        paths = [path for path in arguments[:2] if isinstance(path, str)]
        if isinstance(instant, int):
            reached = next(changes) == instant
        else:
            reached = event == instant[0] and any(path.endswith(instant[1]) for path in paths)
        if reached:
            # It may also be a descriptor, or a folder for a file without a name.
            if opened and isinstance(arguments[0], str) and not os.path.isdir(arguments[0]):
                os.open(arguments[0], os.O_WRONLY | os.O_CREAT)
            os._exit(_KILLED)

    sys.addaudithook(hook)


def _writes(arguments: tuple[object, ...]) -> bool:
    flags = arguments[2]
    return isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
