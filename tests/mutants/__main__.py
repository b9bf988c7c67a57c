"""Plant each fault in a throw-away copy of the checkout and run the tests that must fail on it.

    python -m tests.mutants [NAME...]

NAME is a fault's name or the beginning of several. Exits with 1 if a fault survived or is stale.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.catalog import REPOSITORY, Fault, read_faults
from tests.mutants.warm import run_pytest

WITHIN = 180.0
"""Seconds that the tests of one fault may take; a fault that hangs them has been found."""

ENOUGH = 0.95
"""The part of the faults that must be found, of those that are neither equal nor cosmetic."""


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
    faults = [f for f in read_faults() if not options.names or _is_named(f, options.names)]
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


def _is_named(fault: Fault, names: Sequence[str]) -> bool:
    return any(fault.name.startswith(name) for name in names)


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
        return Outcome(fault, "survived", fault.verdict or fault.why)
    found = re.search(r"^(?:FAILED|ERROR) (tests/\S+)", output, re.MULTILINE)
    if code == 1 and found:
        return Outcome(fault, "fallen", found[1])
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
    return run_pytest(copy, environment, arguments, within)


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
    excused = [o for o in outcomes if o.kind == "survived" and o.fault.verdict]
    judged = len(outcomes) - len(excused)
    fallen = sum(o.kind == "fallen" for o in outcomes)
    spoilt = sum(o.kind in ("stale", "broken") for o in outcomes)
    idle = [o.fault.name for o in outcomes if o.kind == "fallen" and o.fault.verdict]
    print(
        f"{fallen} of {judged} fallen, {len(excused)} excused, {spoilt} stale or broken,"
        f" in {seconds:.0f} s"
    )
    if idle:
        print(f"fallen, though they have a verdict: {', '.join(idle)}")
    return int(bool(spoilt) or bool(idle) or fallen < ENOUGH * judged)


if __name__ == "__main__":
    sys.exit(main())
