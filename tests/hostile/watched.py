"""The command `mcp-scaffold` in a process that notes what it opens, starts and reaches."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ruff import find_ruff_bin

import scaffold
from scaffold.base.shipped import shipped
from scaffold.packs import builtin_packs

HUNG_AFTER = 200.0
"""Seconds after which a run is killed, on a machine that has much else to do."""

HOOK = '''\
"""Note each audit event that reaches out of the process (PEP 578), and stop it at the network.

At the end, note the most memory that it took: what `wait4` says of it counts the memory of the
process that started it too, up to the exec.
"""

import atexit
import json
import os
import resource
import sys

SEEN = ("open", "socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork", "http.")
fd = os.open(os.environ["WATCHED_LOG"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)


def note(event, arguments):
    if event.startswith(SEEN):
        os.write(fd, json.dumps([event, *map(str, arguments)]).encode() + b"\\n")
        if event.startswith(("socket.", "http.")):
            raise PermissionError(f"{event} {arguments}")


def peak(status=os.open("/proc/self/status", os.O_RDONLY)):
    of_all = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    own = os.pread(status, 65536, 0).decode().split("VmHWM:")[1].split()[0]
    os.write(fd, json.dumps(["peak", str(max(int(own), of_all))]).encode() + b"\\n")


atexit.register(peak)
sys.addaudithook(note)
'''

PACKAGE = Path(scaffold.__file__).resolve().parent
OWN = (Path(sys.prefix), Path(sys.base_prefix), PACKAGE, builtin_packs(), shipped("specs"))


@dataclass(frozen=True)
class Run:
    """How a run of the command ended; `seconds` are those of the processor.

    `peak` is in bytes, and `sys.maxsize` for a run that was killed, which notes none.
    """

    status: int
    output: str
    errors: str
    seconds: float
    peak: int
    events: tuple[tuple[str, ...], ...]
    folder: Path
    beside: Path

    @property
    def reached(self) -> Iterator[str]:
        """What it should have left alone: the network, programs but ruff, files of others."""
        for event, *arguments in self.events:
            if event == "subprocess.Popen":
                if Path(arguments[0]) != Path(find_ruff_bin()):
                    yield f"{event} {arguments[0]}"
            elif event != "open":
                yield f"{event} {arguments}"
            elif not arguments[0].isdigit() and not self._may_open(arguments[0]):
                yield f"open {arguments[0]}"

    def _may_open(self, path: str) -> bool:
        real = Path(os.path.realpath(self.folder / path))
        allowed = (*(own.resolve() for own in OWN), self.folder, self.beside, Path(os.devnull))
        return any(real.is_relative_to(one) for one in allowed)


def run(*arguments: str, folder: Path) -> Run:
    """Run `mcp-scaffold` with these arguments in `folder`, which holds all that it may touch."""
    beside = folder.with_name(f"{folder.name}.watch")
    beside.mkdir()
    (beside / "sitecustomize.py").write_text(HOOK)
    log, output, errors = (beside / name for name in ("log", "output", "errors"))
    env = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join([str(beside), str(PACKAGE.parent)]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "WATCHED_LOG": str(log),
        "HOME": str(beside),
        "TMPDIR": str(beside),
    }
    command = [sys.executable, "-c", "from scaffold.cli.main import main; main()", *arguments]
    with output.open("wb") as out, errors.open("wb") as err:
        process = subprocess.Popen(
            command, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=err
        )
    timer = threading.Timer(HUNG_AFTER, process.kill)
    timer.start()
    try:
        _, status, usage = os.wait4(process.pid, 0)
    finally:
        timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    noted = [tuple(json.loads(line)) for line in log.read_text().splitlines()]
    events = [event for event in noted if event[0] != "peak"]
    peaks = [int(event[1]) * 1024 for event in noted if event[0] == "peak"]
    return Run(
        status=process.returncode,
        output=output.read_text("utf-8"),
        errors=errors.read_text("utf-8"),
        seconds=usage.ru_utime + usage.ru_stime,
        peak=max(peaks, default=sys.maxsize),
        events=tuple(events),
        folder=folder.resolve(),
        beside=beside.resolve(),
    )
