"""Wrong calls of any size and shape: explained at once, and nobody else waits."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.conformance.memory import memory_of
from tests.generated import Generated, generate
from tests.raw_client import MODERN, StdioClient, WireCheck

SOON = 2.0
"""Seconds; before, each of these took longer, or for ever. The benchmark has the real bound."""
MORE = 150 * 1024
"""KiB that a call of some megabytes may take for a while; before, it took gigabytes."""


def block(kind: str, **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"type": {"const": kind}, **properties},
        "required": ["type", *properties],
        "additionalProperties": False,
    }


CHILDREN = {"type": "array", "items": {"$ref": "#/$defs/block"}}
BLOCK = {
    "anyOf": [
        block("text", text={"type": "string"}),
        block("columns", children=CHILDREN),
        block("section", title={"type": "string"}, children=CHILDREN),
    ]
}
ALIKE = {"type": "object", "properties": {"next": {"$ref": "#/$defs/alike"}, "n": {"type": "null"}}}
FAN = {f"fan{n}": {"allOf": [{"$ref": f"#/$defs/fan{n + 1}"}] * 2} for n in range(6)}
TREE = {
    "$id": "https://example.com/strict",
    "$dynamicAnchor": "node",
    "$ref": "tree",
    "unevaluatedProperties": False,
    "$defs": {
        "tree": {
            "$id": "tree",
            "$dynamicAnchor": "node",
            "type": "object",
            "properties": {"data": True, "next": {"$dynamicRef": "#node"}},
        }
    },
}
SCHEMAS: dict[str, dict[str, Any]] = {
    "blocks": {**CHILDREN, "$defs": {"block": BLOCK}},
    "numbers": {"type": "array", "items": {"type": "integer"}},
    "unique": {"type": "array", "uniqueItems": True},
    "either": {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
    "alike": {"$ref": "#/$defs/alike", "$defs": {"alike": {"anyOf": [ALIKE, ALIKE | {"not": {}}]}}},
    "fan": {"$ref": "#/$defs/fan0", "$defs": {**FAN, "fan6": {"type": "string"}}},
    "when": {"if": {"required": ["a"]}, "then": {"required": ["b"]}},
    "with": {"dependentSchemas": {"a": {"properties": {"b": {"type": "null"}}}}},
    "tree": TREE,
    "choice": {"enum": [f"choice-{n}" for n in range(5000)]},
    "letters": {"type": "string", "pattern": r"^\p{L}{1,64}$"},
    "names": {"additionalProperties": {"type": "integer"}, "propertyNames": {"maxLength": 5}},
    "whole": {"type": "integer", "maximum": 2**53},
}


def prefixed(schema: Any, name: str) -> Any:
    """The schema with its references made relative to the arguments that it is one of."""
    if isinstance(schema, list):
        return [prefixed(part, name) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: f"#/properties/{name}{part[1:]}"
        if key == "$ref" and part.startswith("#/")
        else prefixed(part, name)
        for key, part in schema.items()
    }


def nested(depth: int, wrong: Any) -> list[Any]:
    inner = wrong
    for _ in range(depth):
        text = {"type": "text", "text": "fine"}
        inner = {"type": "columns", "children": [text, inner]}
    return [inner]


def chain(depth: int, key: str, inner: Any) -> Any:
    for _ in range(depth):
        inner = {key: inner}
    return inner


TYPO = {"type": "text", "txet": "x"}
UNKNOWN = '"txet" is not a property here; it can have "type" and "text"'
CASES: dict[str, tuple[str, Any, str]] = {
    **{
        f"blocks {depth} deep": (
            "blocks",
            nested(depth, TYPO),
            f"- /blocks/0{'/children/1' * depth}: {UNKNOWN}",
        )
        for depth in (0, 1, 8, 9, 10, 11, 12)
    },
    "blocks 20 deep": ("blocks", nested(20, TYPO), UNKNOWN),
    "blocks 60 deep": ("blocks", nested(60, TYPO), "- /blocks/0/children/1/children/1"),
    "a block of no kind": (
        "blocks",
        nested(3, {"type": "txt"}),
        '/type: must be "text", "columns" or "section", not "txt"',
    ),
    "wide": ("numbers", ["x"] * 700_000, '- /numbers/19: must be an integer, not "x"\n- and more'),
    "wrong at the end": ("numbers", [1] * 300_000 + ["x"], "- /numbers/300000: must be an integer"),
    "twice": ("unique", [*range(5000), 7], "- /unique: the items must be unique"),
    "neither": ("either", {}, '- /either: "a" is a required property; or "b" is'),
    "both": ("either", {"a": 1, "b": 1}, "- /either: fits 2 alternatives"),
    "alike": ("alike", chain(40, "next", 5), "- /alike"),
    "fan": ("fan", 5, "- /fan: must be a string, not 5"),
    "then": ("when", {"a": 1}, '- /when: "b" is a required property'),
    "dependent": ("with", {"a": 1, "b": 1}, "- /with/b: must be null, not 1"),
    "dynamic": ("tree", chain(5, "next", {"daat": 1}), '- /tree: must fit {"$id": "https://'),
    "enormous choice": ("choice", "choice", '- /choice: must be "choice-0", "choice-1"'),
    "costly pattern": ("letters", "1" * 1_000_000, "- /letters: "),
    "hostile names": (
        "names",
        {"\n\x1b" * 9: 1, "é" * 99_999: 1},
        '- /names: must fit {"propertyNames',
    ),
    "huge number": ("whole", 10**300, "- /whole: must be at most 9007199254740992, not so large"),
}


def taker_spec() -> dict[str, Any]:
    """A server with a tool that takes all of these, and one that gives wrong blocks back."""
    tool = {
        "name": "take",
        "description": "Take whatever is right.",
        "inputSchema": {
            "type": "object",
            "properties": {name: prefixed(schema, name) for name, schema in SCHEMAS.items()},
        },
    }
    result = {
        "name": "give",
        "description": "Give back blocks.",
        "inputSchema": {"type": "object", "properties": {"depth": {"type": "integer"}}},
        "outputSchema": {
            "type": "object",
            "properties": {"blocks": prefixed(SCHEMAS["blocks"], "blocks")},
        },
    }
    transports = ["stdio", "streamable-http"]
    return {"name": "taker", "version": "1", "transports": transports, "tools": [tool, result]}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    handler = """\
from taker._generated.contract import Context
from taker._generated.contract import GiveArguments, GiveResult


async def give(arguments: GiveArguments, context: Context) -> GiveResult:
    inner = {"type": "text", "txet": "x"}
    for _ in range(arguments.depth):
        inner = {"type": "columns", "children": [inner]}
    return {"blocks": [inner]}
"""
    folder = tmp_path_factory.mktemp("taker") / "taker"
    return generate(taker_spec(), folder, handlers={"tools/give.py": handler})


@pytest.fixture(scope="module")
def server(project: Generated, check: WireCheck) -> Iterator[StdioClient]:
    with StdioClient(project, MODERN, check) as client:
        client.call("take", numbers=["x"])
        yield client


@pytest.mark.parametrize("case", CASES)
def test_a_wrong_call_is_explained_at_once(server: StdioClient, case: str) -> None:
    argument, value, expected = CASES[case]
    client, pid = server, server.process.pid
    before = memory_of(pid)
    start = time.monotonic()
    [content] = client.call("take", **{argument: value})["result"]["content"]
    assert time.monotonic() - start < SOON + len(str(value)) / 1e6
    assert memory_of(pid) - before < MORE
    assert content["text"].startswith("Invalid arguments:\n- /")
    assert expected in content["text"]
    assert len(content["text"]) < 20_000


def test_a_wrong_result_is_masked_and_the_log_says_what_is_wrong(server: StdioClient) -> None:
    client = server
    start = time.monotonic()
    [content] = client.call("give", depth=11)["result"]["content"]
    assert time.monotonic() - start < SOON
    assert content["text"].startswith("Internal error, reference ")
    deadline = time.monotonic() + 5
    expected = f'does not fit outputSchema: /blocks/0{"/children/0" * 11}: "text" is a required'
    while expected not in client.log:
        assert time.monotonic() < deadline, client.log
        time.sleep(0.01)
    assert len(client.log) < 20_000
