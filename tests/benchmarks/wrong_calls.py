"""What a wrong call costs more than a right one of its size: milliseconds and megabytes.

`python -m tests.benchmarks.wrong_calls` checks each schema of the corpus, and a few that are made to
be hard, in one process: the explanation is all that differs from a right call. Linux only.
"""

from __future__ import annotations

import json
import random
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


def cost(schema: dict[str, Any], value: Any) -> tuple[float, float, float]:
    """Milliseconds of processor time, and megabytes, that the explanation takes.

    The time is the least of three, which other work on the machine disturbs least; beside it that
    of the first, which compiles. The engine's memory is the process's, which `tracemalloc` does
    not see; `ru_maxrss` is the peak of all so far, which a cheap call would hide behind, so that
    the peak is reset (proc_pid_clear_refs(5)).
    """
    explainer = Explainer(schema)
    Path("/proc/self/clear_refs").write_text("5")
    before = memory("VmRSS")
    times = []
    for _ in range(3):
        start = time.thread_time()
        explainer.explain(value)
        times.append((time.thread_time() - start) * 1000)
    return min(times), times[0], memory("VmHWM") - before


def memory(name: str) -> float:
    """Megabytes of this process, by the name of a line of its status."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:")) / 1024


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
    costs: list[tuple[float, float, float, str]] = []
    for name, schema, value in wrong_calls():
        if not jsonschema_rs.validator_for(schema, offline=True).is_valid(value):
            costs.append((*cost(schema, value), name))
    print(f"{len(costs)} wrong calls; at most {MOST_MILLISECONDS} ms and {MOST_MEGABYTES} MB more")
    for column, unit in enumerate(("ms", "ms, the first", "MB")):
        for row in sorted(costs, key=lambda row: row[column], reverse=True)[:5]:
            print(f"{row[column]:8.2f} {unit}  {row[3]}")
    above = [row for row in costs if row[0] > MOST_MILLISECONDS or row[2] > MOST_MEGABYTES]
    return min(len(above), 1)


if __name__ == "__main__":
    sys.exit(main())
