"""Import mcp-scaffold and the short tests in a process that lacks what Windows lacks.

Run `python -m tests.release.windows`. Libraries are imported before the names go: they have their
own code for Windows, which is not there on other systems.
"""

from __future__ import annotations

import os
import pkgutil
import signal
import socket
import sys
from importlib import import_module
from types import ModuleType

import pytest

import scaffold

MODULES = (
    "curses",
    "fcntl",
    "grp",
    "posix",
    "pty",
    "pwd",
    "readline",
    "resource",
    "termios",
    "tty",
)
NAMES: dict[ModuleType, str] = {
    os: """
        chown chroot confstr ctermid fchown fork forkpty getegid geteuid getgid getgroups getloadavg
        getpgid getpgrp getpriority getsid getuid initgroups killpg lchown lockf mkfifo mknod nice
        openpty pathconf pidfd_open pread pwrite register_at_fork sched_getaffinity sendfile
        set_blocking setegid seteuid setgid setpgid setsid setuid statvfs sync sysconf tcgetpgrp
        uname wait wait3 wait4 waitid WNOHANG WIFEXITED O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK
        """,
    signal: """
        SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGTSTP SIGUSR1 SIGUSR2
        alarm pthread_kill pthread_sigmask setitimer sigwait
        """,
    socket: "AF_UNIX SOCK_SEQPACKET recv_fds send_fds socketpair",
}


class NoPosix:
    """A finder that knows none of the modules that Windows has not."""

    def find_spec(self, name: str, *_: object) -> None:
        if name in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def no_proc(event: str, arguments: tuple[object, ...]) -> None:
    """Find no file in `/proc`."""
    if event == "open" and str(arguments[0]).startswith("/proc/"):
        raise FileNotFoundError(arguments[0])


def imported() -> int:
    """Import all modules of mcp-scaffold, and collect the tests of the short run."""
    for module in pkgutil.walk_packages(scaffold.__path__, "scaffold."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    chosen = ["-m", "not starts_programs or life"]
    return pytest.main(["--collect-only", "-qqs", "--assert=plain", *chosen])


def main() -> int:
    """Import everything twice: to have the libraries, then as on Windows."""
    if code := imported():
        return code
    for name in [*sys.modules]:
        if name in MODULES or name.partition(".")[0] in ("scaffold", "tests"):
            del sys.modules[name]
    for module, names in NAMES.items():
        for name in names.split():
            vars(module).pop(name, None)
    sys.meta_path.insert(0, NoPosix())
    sys.addaudithook(no_proc)
    sys.platform = "win32"
    return imported()


if __name__ == "__main__":
    sys.exit(main())
