"""The command `mcp-scaffold` in a process that notes what it opens, starts and reaches."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ruff import find_ruff_bin

import scaffold
from scaffold.base.shipped import shipped
from scaffold.packs import builtin_packs
from tests import command

HUNG_AFTER = 200.0
"""Seconds after which a run is killed, on a machine that has much else to do."""

HOOK = """
# Note each audit event that reaches out of the process (PEP 578), and stop it at the network; at the
# end, note the processor time and the most memory that it took.
import atexit
import json
import os
import resource
import sys

SEEN = ("open", "socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork", "http.")
fd = os.open(os.environ["WATCHED_LOG"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)


def write(*line):
    os.write(fd, json.dumps(line).encode() + b"\\n")


def note(event, arguments):
    if event.startswith(SEEN):
        write(event, *map(str, arguments))
        if event.startswith(("socket.", "http.")):
            raise PermissionError(f"{event} {arguments}")


def sum_up():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    seconds = sum(one.ru_utime + one.ru_stime for one in used)
    write("used", seconds, max(one.ru_maxrss for one in used) * 1024)


atexit.register(sum_up)
sys.addaudithook(note)
"""

PACKAGE = Path(scaffold.__file__).resolve().parent
OWN = (Path(sys.prefix), Path(sys.base_prefix), PACKAGE, builtin_packs(), shipped("specs"))


@dataclass(frozen=True)
class Run:
    """How a run of the command ended; `seconds` are those of the processor, `peak` is in bytes."""

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
        return any(real.is_relative_to(each) for each in allowed)


def run(*arguments: str, folder: Path) -> Run:
    """Run `mcp-scaffold` with these arguments in `folder`, which holds all that it may touch."""
    beside = folder.with_name(f"{folder.name}.watch")
    beside.mkdir()
    log = beside / "log"
    env = {
        "PATH": os.environ["PATH"],
        "WATCHED_LOG": str(log),
        "HOME": str(beside),
        "TMPDIR": str(beside),
    }
    ended = command.run(*arguments, cwd=folder, env=env, timeout=HUNG_AFTER, before=HOOK)
    *events, (_, seconds, peak) = (json.loads(line) for line in log.read_text().splitlines())
    return Run(
        status=ended.code,
        output=ended.out,
        errors=ended.err,
        seconds=seconds,
        peak=peak,
        events=tuple(tuple(event) for event in events),
        folder=folder.resolve(),
        beside=beside.resolve(),
    )
