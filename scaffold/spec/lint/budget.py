"""What the list of tools takes of a model's context, and warnings about it.

All numbers of tokens are estimates: each model counts differently. Only tools count that the server
offers by default.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from pydantic_core import to_json

from scaffold.base.diagnostics.wording import quote
from scaffold.spec.format import Spec, Tool
from scaffold.yaml.finding import Finding

BYTES_A_TOKEN = 4
"""An estimate for English and JSON."""
MOST_TOOLS = 128
"""The maximum tools per request of OpenAI and Visual Studio Code."""
MOST_TOKENS = 20_000
"""The tokens of a tool list at which Claude Code defers tools: 10% of 200,000."""
LARGEST = 10
LONG_ENUM = 20
"""The values that an `enum` may have until shortening it is worth a thought."""
LONG_TEXT = 500
"""The bytes that a description may have until shortening it is worth a thought."""

_ESTIMATE = f"estimated at {BYTES_A_TOKEN} bytes of JSON per token"


def tokens(tool: Tool) -> int:
    """Return about how many tokens of a model's context a tool takes."""
    return _size(tool.wire) // BYTES_A_TOKEN


def budget_warnings(spec: Spec) -> Iterator[Finding]:
    """Yield warnings about the number of tools and their tokens, by clients and by the budget."""
    tools, whole = len(spec.offered), sum(map(tokens, spec.offered))
    if tools > MOST_TOOLS:
        limit = f"OpenAI models and Visual Studio Code accept {MOST_TOOLS} per request"
        hint = "split the server or divide its tools into `toolsets`, so that people choose"
        yield Finding("/tools", "too-many-tools", f"{tools} tools; {limit}", hint)
    if whole > MOST_TOKENS:
        message = f"the tool list takes about {whole:,} tokens of a model's context ({_ESTIMATE})"
        hint = "shorten descriptions and schemas, or divide the tools into `toolsets`"
        yield Finding("/tools", "large-tool-list", message, hint)
    by_default = " that are offered by default" if spec.toolsets else ""
    if spec.budget and spec.budget.tools and tools > spec.budget.tools:
        message = f"there are {tools} tools{by_default}, and the budget is {spec.budget.tools}"
        hint = "put those that few people need into `toolsets`"
        yield Finding("/budget/tools", "over-budget", message, hint)
    if spec.budget and spec.budget.tokens and whole > spec.budget.tokens:
        message = f"the tools{by_default} take about {whole:,} tokens ({_ESTIMATE}), and the"
        message += f" budget is {spec.budget.tokens:,}"
        by_cost = sorted(spec.offered, key=tokens, reverse=True)[:LARGEST]
        largest = ", ".join(f"{quote(tool.name)} {tokens(tool):,}" for tool in by_cost)
        at, notes = "/budget/tokens", (("largest", largest),)
        yield Finding(at, "over-budget", message, _advice(spec.offered, whole), notes=notes)


def _advice(tools: Iterable[Tool], whole: int) -> str:
    """Return what would save most, if it saves a hundredth of all."""
    results, values, texts = 0, 0, Counter[str]()
    for tool in tools:
        results += _size(tool.wire["outputSchema"]) if tool.result else 0
        for key, value in _keywords({**tool.wire, "outputSchema": None}):
            if key == "description" and isinstance(value, str):
                texts[value] += 1
            elif key == "enum" and isinstance(value, list) and len(value) > LONG_ENUM:
                values += _size(value)
    savings = {
        "leave out output schemas": results,
        f"shorten enums of over {LONG_ENUM} values": values,
        f"shorten descriptions to {LONG_TEXT} bytes": sum(
            max(0, _size(text) - LONG_TEXT) for text in texts
        ),
        "write repeated descriptions only once": sum(
            (count - 1) * _size(text) for text, count in texts.items()
        ),
    }
    saved = {what: size // BYTES_A_TOKEN for what, size in savings.items()}
    found = sorted(((n, what) for what, n in saved.items() if n * 100 >= whole), reverse=True)
    told = [f"{what} ({n:,} tokens)" for n, what in found]
    return f"what saves most: {', '.join([*told, 'put tools into `toolsets`'])}"


def _keywords(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the keys and values of all objects in a JSON value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key, inner
            yield from _keywords(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _keywords(inner)


def _size(value: Any) -> int:
    """Return the bytes of a value as compact JSON."""
    return len(to_json(value))
