"""Plant each fault in a throw-away copy of the checkout and run the tests that must fail on it.

    python -m tests.mutants [NAME...]

NAME is a fault's name or the beginning of several. Exits with 1 if a fault survived or is stale.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.catalog import REPOSITORY, Fault, read_faults

WITHIN = 180.0
"""Seconds that the tests of one fault may take; a fault that hangs them has been found."""

_UNWANTED = ("CI", "PYTHONDONTWRITEBYTECODE")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a fault: `fallen`, `survived`, `stale` or `broken`, and what showed it."""

    fault: Fault
    kind: str
    told: str = ""


def main() -> int:
    """Try the faults, print a line for each, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("-n", type=int, default=2, help="how many at a time (default: 2)")
    options = parser.parse_args()
    faults = [
        planted for planted in read_faults() if planted.name.startswith(tuple(options.names) or "")
    ]
    if not faults:
        parser.error("no such fault")
    started = time.monotonic()
    with (
        tempfile.TemporaryDirectory() as checkout,
        tempfile.TemporaryDirectory() as bytecode,
        ThreadPoolExecutor(options.n) as pool,
    ):
        source = Path(checkout)
        _copy(source)  # once, so that edits meanwhile do not matter
        if not _sound(source, faults, options.n, bytecode):
            return 1
        outcomes = []
        for outcome in pool.map(lambda fault: _try(source, fault, bytecode), faults):
            print(f"{outcome.kind:9}{outcome.fault.name}: {outcome.told}", flush=True)
            outcomes.append(outcome)
    return _report(outcomes, time.monotonic() - started)


def _sound(source: Path, faults: Sequence[Fault], processes: int, bytecode: str) -> bool:
    """Check that the tests pass while nothing is planted, or a failure would prove nothing."""
    tests: dict[str, set[str]] = {}
    for fault in faults:
        tests.setdefault(_pack(fault), set()).update(fault.tests)
    for pack, ours in tests.items():
        with tempfile.TemporaryDirectory() as folder:
            copy = _copied(source, Path(folder))
            options = ["-n", str(processes), "--dist", "loadgroup", *sorted(ours)]
            code, output = _run(copy, bytecode, pack, options, WITHIN * 30)
        if code != 0:
            print(output)
            did = "take too long" if code is None else "fail"
            print(f"the tests {did} without any fault, with the pack {pack}")
            return False
    return True


def _pack(fault: Fault) -> str:
    """Return the pack whose servers show a fault."""
    is_stdlib = fault.file.startswith("templates/python-stdlib/")
    return "python-stdlib" if is_stdlib else "python"


def _try(source: Path, fault: Fault, bytecode: str) -> Outcome:
    try:
        fault.planted(source)
    except (OSError, ValueError) as error:
        return Outcome(fault, "stale", str(error))
    with tempfile.TemporaryDirectory() as folder:
        copy = _copied(source, Path(folder))
        (copy / fault.file).write_text(fault.planted(copy), "utf-8")
        options = ["-x", *fault.tests]
        code, output = _run(copy, bytecode, _pack(fault), options, WITHIN)
    if code is None:
        return Outcome(fault, "fallen", f"the tests hung for {WITHIN:.0f} s")
    if code == 0:
        return Outcome(fault, "survived", fault.why)
    match = re.search(r"^(?:FAILED|ERROR) (tests/\S+)", output, re.MULTILINE)
    if code == 1 and match:
        return Outcome(fault, "fallen", match[1])
    return Outcome(fault, "broken", output[-2000:])


def _copied(source: Path, folder: Path) -> Path:
    """Return a copy of `source` in a folder."""
    folder.chmod(0o711)  # for tests that go on as another user
    return shutil.copytree(source, folder / "checkout", symlinks=True)


def _run(
    copy: Path, bytecode: str, pack: str, arguments: Sequence[str], within: float
) -> tuple[int | None, str]:
    """Run pytest in a copy of the checkout; return its exit code (None: too long) and output.

    Reference material beside the checkout stays out of reach: the project's own tests must do.
    `bytecode` is where all runs keep that of the packages, or each would compile them anew.
    """
    environment = {
        **{name: value for name, value in os.environ.items() if name not in _UNWANTED},
        "PYTHONPATH": str(copy),
        "PYTHONPYCACHEPREFIX": bytecode,
        "MCP_SCAFFOLD_SHARED": str(copy.parent / "nothing"),
        "TMPDIR": str(copy.parent),
        "SERVER_PACK": pack,
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-q", "-o", f"cache_dir={bytecode}/pytest", *arguments],
        cwd=copy, env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        output, _ = process.communicate(timeout=within)
    except subprocess.TimeoutExpired:
        return None, ""
    finally:
        with suppress(ProcessLookupError):  # a fault may have kept a server running
            os.killpg(process.pid, signal.SIGKILL)
    return process.returncode, output


def _copy(to: Path) -> None:
    """Copy what is, or would be, committed."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=REPOSITORY, check=True, capture_output=True,
    ).stdout.decode()  # fmt: skip
    for name in filter(None, listed.split("\0")):
        if (file := REPOSITORY / name).is_file():
            target = to / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, target)


def _report(outcomes: Sequence[Outcome], seconds: float) -> int:
    fallen = sum(outcome.kind == "fallen" for outcome in outcomes)
    print(f"{fallen} of {len(outcomes)} fallen, in {seconds:.0f} s")
    return int(fallen < len(outcomes))


if __name__ == "__main__":
    sys.exit(main())
