"""A process that dies at a chosen instant: before any one of the changes that it makes to the disk.

Python announces each of them to audit hooks (PEP 578), so the code under test needs no seam.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from itertools import count

_EVENTS = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.link", "os.symlink"}
NEVER = sys.maxsize
_KILLED, _FAILED = 9, 1


def killed(work: Callable[[], object], instant: int | tuple[str, str]) -> bool:
    """Do the work in another process, which dies before its change number `instant` (from 0).

    Or before the first change that is such an event on a path with such an end. A file that was to
    be opened for writing then is left empty. Returns False where the work came to its end before;
    the test fails where it raised.
    """
    child = os.fork()
    if child == 0:
        code = _FAILED
        try:
            _die_at(instant)
            work()
            code = 0
        finally:  # whatever happened, nothing of the test may go on here
            if code:
                traceback.print_exc()
            os._exit(code)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    assert code in (0, _KILLED), "the work failed, as printed above"
    return code == _KILLED


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
            if opened and paths:
                os.open(paths[0], os.O_WRONLY | os.O_CREAT)
            os._exit(_KILLED)

    sys.addaudithook(hook)


def _writes(arguments: tuple[object, ...]) -> bool:
    flags = arguments[2]
    return isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
