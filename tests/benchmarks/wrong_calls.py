"""What a wrong call costs more than a right one of its size: milliseconds and megabytes.

`python -m tests.benchmarks.wrong_calls` checks each schema of the corpus, and a few that are made to
be hard, in one process: the check and the explanation are all that differs from a right call.
"""

from __future__ import annotations

import json
import random
import resource
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs

from scaffold.jsonschema.faults import Explainer
from tests.corpus.fitting import WRONG
from tests.server.test_wrong_calls import CASES, SCHEMAS

CORPUS = Path(__file__).parents[3] / "shared/corpus/tools"
MOST_MILLISECONDS = 20.0
MOST_MEGABYTES = 10.0


def wrong_calls() -> Iterator[tuple[str, dict[str, Any], Any]]:
    """A name, a schema, and arguments that it refuses."""
    for case, (name, value, _) in CASES.items():
        yield case, SCHEMAS[name], value
    for seed in range(100):
        yield f"random blocks {seed}", *recursive(random.Random(seed))
    for path in sorted(CORPUS.glob("*.json")):
        for tool in json.loads(path.read_text("utf-8")).get("tools", []):
            for kind in ("inputSchema", "outputSchema"):
                schema = tool.get(kind)
                if schema is None:
                    continue
                name = f"{path.stem} {tool['name']} {kind}"
                yield name, schema, {}
                yield name, schema, dict.fromkeys(schema.get("properties", ()), WRONG[-1])
                yield name, schema, dict.fromkeys(schema.get("properties", ()), [None] * 100_000)


def cost(schema: dict[str, Any], value: Any) -> tuple[float, float]:
    """Milliseconds of processor time, the median of three, and megabytes more than at the start.

    The engine's memory is the process's, which `tracemalloc` does not see.
    """
    times = []
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(3):
        explainer = Explainer(schema)
        start = time.thread_time()
        explainer.explain(value)
        times.append((time.thread_time() - start) * 1000)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return statistics.median(times), (peak - before) / 1024


def recursive(chance: random.Random) -> tuple[dict[str, Any], Any]:
    """A schema of blocks in blocks, and a value with one wrong leaf."""
    kinds = [f"kind-{number}" for number in range(chance.randrange(1, 6))]
    inner = {"type": "array", "items": {"$ref": "#/$defs/block"}}
    parts = [
        {
            "type": "object",
            "properties": {
                "kind": chance.choice([{"const": kind}, {"enum": [kind]}, True]),
                "in": inner,
            },
            "required": chance.choice([[], ["kind"], ["in"]]),
        }
        for kind in kinds
    ]
    block = {chance.choice(["anyOf", "oneOf"]): parts}
    schema = {"type": "object", "properties": {"in": inner}, "$defs": {"block": block}}
    value: Any = chance.choice([5, {"kind": 5, "in": 5}, {"in": [None]}])
    for _ in range(chance.randrange(40)):
        right = [{"kind": kind, "in": []} for kind in kinds[: chance.randrange(3)]]
        value = {"kind": chance.choice(kinds), "in": [*right, value]}
    return schema, {"in": [value]}


def main() -> int:
    """Print the worst; the exit code is 1 if one is above a bound."""
    costs: list[tuple[float, float, str]] = []
    for name, schema, value in wrong_calls():
        if not jsonschema_rs.validator_for(schema, offline=True).is_valid(value):
            costs.append((*cost(schema, value), name))
    print(f"{len(costs)} wrong calls; at most {MOST_MILLISECONDS} ms and {MOST_MEGABYTES} MB more")
    for column, unit in enumerate(("ms", "MB")):
        for row in sorted(costs, key=lambda row: row[column], reverse=True)[:5]:
            print(f"{row[column]:8.2f} {unit}  {row[2]}")
    above = [row for row in costs if row[0] > MOST_MILLISECONDS or row[1] > MOST_MEGABYTES]
    return min(len(above), 1)


if __name__ == "__main__":
    sys.exit(main())
