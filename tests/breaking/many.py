"""Compare many random pairs of schemas, each from a seed that brings it back.

    python -m tests.breaking.many PAIRS [SEED]

Exits with 1 if a value shows that a break is called compatible, if a proof is none, or if an equal
or wider schema is called broken, and says from which seed.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from random import Random, randrange

from tests.breaking.test_random import check_random, check_wider


def main() -> int:
    pairs, seed = int(sys.argv[1]), int(sys.argv[2]) if sys.argv[2:] else randrange(2**32)
    start, found = time.monotonic(), Counter[str]()
    for number in range(pairs):
        random = Random(seed + number)
        kind, check = (
            ("equal or wider", check_wider) if number % 5 == 4 else ("random", check_random)
        )
        try:
            found[f"{kind}: {check(random)}"] += 1
        except AssertionError as error:
            found["wrong"] += 1
            print(f"wrong from seed {seed + number}: {error}", flush=True)
        if (number + 1) % 1000 == 0 or number + 1 == pairs:
            seconds = round(time.monotonic() - start)
            print(f"{number + 1} pairs from seed {seed} in {seconds} s: {dict(found)}", flush=True)
    return int(found["wrong"] > 0)


if __name__ == "__main__":
    sys.exit(main())
