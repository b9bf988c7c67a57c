"""Kill `regenerate` by strace at one of its system calls, at random; the next run must come right.

    python -m tests.regenerate.kills SECONDS [SEED]

After each kill, what a person wrote is there, and the project is not said to be up to date unless it
is; the next run makes it what a run makes that nobody disturbs. Exits with 1 where it is not so.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random, randrange

from scaffold.project.inputs import is_up_to_date
from tests.disk.processes import ended, started
from tests.regenerate.living import TEXT, Living, Spec, spec, tool

CALLS = ("rename", "renameat2", "link", "unlink", "unlinkat", "rmdir", "mkdir", "fsync", "write")
MINE = "# mine\n"


def project(root: Path) -> Living:
    """Make a project with edits of a person's, and an edit of its spec that is still to arrive."""
    tools = (tool("search", query=TEXT), tool("read", source=TEXT))
    living = Living.born(root, spec(*tools))
    for path in ("src/blog/tools/search.py", "README.md", "src/blog/tools/read.py"):
        living.write(path, living.read(path) + MINE)
    living.write("src/blog/own/data.bin", MINE)
    living.edit(change)
    return living


def change(spec: Spec) -> None:
    spec.update(name="posts", version="2.0.0")
    spec["tools"][0].update(name="find", renamedFrom="search")
    spec["tools"][1] = tool("fresh")


def traced(root: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from scaffold.cli.main import main; main()"]
    return subprocess.run(
        ["strace", "-qq", *options, *command, "regenerate", str(root)],
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def counted(root: Path) -> Counter[str]:
    """Return how often a run calls the system by each of the names."""
    log = root.with_name("calls")
    traced(root, "-o", str(log), "-e", f"trace={','.join(CALLS)}")
    return Counter(re.findall(r"^(\w+)\(", log.read_text(errors="replace"), re.MULTILINE))


def is_right_after(root: Path, wanted: dict[str, bytes]) -> bool:
    """Whether nothing is lost after a kill, and the next run makes all right."""
    texts = b"".join(Living(root).files().values())
    if texts.count(MINE.encode()) < 4 or (
        is_up_to_date(root) and Living(root).everything() != wanted
    ):
        return False
    return Living(root).run().exit_code == 0 and Living(root).everything() == wanted


def main() -> int:
    seconds, seed = float(sys.argv[1]), int(sys.argv[2]) if sys.argv[2:] else randrange(2**32)
    end, random = time.monotonic() + seconds, Random(seed)
    kills: Counter[str] = Counter()
    broken = 0
    with tempfile.TemporaryDirectory() as folder:
        before, done, here = (Path(folder, name) for name in ("before", "done", "here"))
        project(before)
        shutil.copytree(before, done)
        calls = counted(done)
        wanted = Living(done).everything()
        while time.monotonic() < end:
            shutil.rmtree(here, ignore_errors=True)
            shutil.copytree(before, here)
            call = random.choice(sorted(calls))
            at = random.randrange(calls[call]) + 1
            options = ("-o", "/dev/null", "-e", f"trace={call}")
            run = traced(here, *options, "-e", f"inject={call}:signal=KILL:when={at}")
            if run.returncode not in (-9, 137):
                continue
            kills[call] += 1
            if ended(started(lambda: int(not is_right_after(here, wanted)))):
                broken += 1
                print(f"not right after {call} number {at}", flush=True)
    print(f"{kills.total()} kills, {broken} not right after; {dict(kills)}")
    return int(broken > 0 or not kills)


if __name__ == "__main__":
    sys.exit(main())
