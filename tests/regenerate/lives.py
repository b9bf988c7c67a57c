"""Live many random lives, as `test_lives` does, each from a seed that brings it back.

    python -m tests.regenerate.lives SECONDS [SEED]

Exits with 1 if a promise broke in one of them, and says from which seed and at which step.
"""

from __future__ import annotations

import gc
import sys
import time
from functools import partial
from random import Random, randrange

from tests.disk.processes import ended, started
from tests.regenerate.test_lives import PACKS, Life

STEPS = 6
RULES = (
    Life.edit_run_and_be_killed,
    Life.edit_and_save_while_the_run_writes,
    Life.be_killed_and_switch_branches,
    Life.edit_and_run,
)


def main() -> int:
    seconds, seed = float(sys.argv[1]), int(sys.argv[2]) if sys.argv[2:] else randrange(2**32)
    warm_up()
    end, lives, broken = time.monotonic() + seconds, 0, 0
    while lives == 0 or time.monotonic() < end:
        try:
            ended(started(partial(live, seed + lives)))
        except AssertionError:
            broken += 1
            print(f"a promise broke in the life from seed {seed + lives}", flush=True)
        lives += 1
        if lives % 100 == 0:
            print(f"{lives} lives, {broken} broken", flush=True)
    print(f"{lives} lives of {STEPS} steps from seed {seed}, {broken} broken")
    return int(broken > 0)


def warm_up() -> None:
    """Import and compile all that lives need, in the process that they are forked from."""
    for pack in PACKS:
        life = Life()
        life.be_born(pack)
        life.edit_and_run(Random(0))
        life.teardown()
    gc.freeze()


def live(seed: int) -> int:
    """Live one life; raises what a broken promise raises."""
    random, life = Random(seed), Life()
    life.be_born(random.choice(PACKS))
    try:
        for _ in range(STEPS):
            random.choice(RULES)(life, Random(random.random()))
            life.there_is_nothing_to_do_only_if_a_full_run_would_do_nothing()
    finally:
        life.teardown()
    return 0


if __name__ == "__main__":
    sys.exit(main())
