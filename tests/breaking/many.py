"""Compare many random pairs of schemas, each from a seed that brings it back.

    python -m tests.breaking.many PAIRS [SEED]

Some pairs are two random schemas, alone or in tools. In the others, one schema is the same as the
other in other words, or wider. Exits with 1 if a value shows that a break is called compatible, or
if an equal or wider schema is called broken, and says from which seed.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Collection
from random import Random, randrange

from scaffold.breaking.change import Change, Level
from scaffold.breaking.schemas.verdict import Answer
from tests.breaking import test_random_tools, test_schemas
from tests.breaking.pairs import pair, pair_of_objects, pair_of_plain_objects, plain_object
from tests.breaking.test_schemas import in_other_words, without_bounds


def main() -> int:
    pairs, seed = int(sys.argv[1]), int(sys.argv[2]) if sys.argv[2:] else randrange(2**32)
    start, found = time.monotonic(), Counter[str]()
    for number in range(pairs):
        try:
            found[compared(Random(seed + number))] += 1
        except AssertionError as error:
            found["wrong"] += 1
            print(f"wrong from seed {seed + number}: {error}", flush=True)
        if (number + 1) % 1000 == 0 or number + 1 == pairs:
            seconds = round(time.monotonic() - start)
            print(f"{number + 1} pairs from seed {seed} in {seconds} s: {dict(found)}", flush=True)
    return int(found["wrong"] > 0)


def compared(random: Random) -> str:
    """Compare a pair; return what came of it. Raises AssertionError if that is wrong."""
    match random.randrange(5):
        case 0:
            return f"schemas: {test_schemas.check(*pair(random)) or 'unusable'}"
        case 1:
            return f"objects: {outcome(test_random_tools.check(*pair_of_objects(random)))}"
        case 2 | 3:
            changes = test_random_tools.check(*pair_of_plain_objects(random))
            return f"plain objects: {outcome(changes)}"
    old, made = plain_object(random)
    new = random.choice([in_other_words, without_bounds])(random, old)
    changes = test_random_tools.check(old, new, made)
    assert test_schemas.check(old, new, made) is not Answer.BROKEN, (old, new)
    assert outcome(changes) != "broken", (old, new, changes)
    return f"equal or wider: {outcome(changes)}"


def outcome(changes: Collection[Change] | None) -> str:
    """What the changes of a tool come to."""
    if changes is None:
        return "unusable"
    levels = {one.level for one in changes}
    if Level.ERROR in levels:
        return "broken"
    return "perhaps broken" if Level.WARNING in levels else "compatible"


if __name__ == "__main__":
    sys.exit(main())
