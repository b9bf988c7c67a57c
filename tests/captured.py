"""The tool lists of real servers into the specs of servers that list the same."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

UNUSABLE = {
    ("kubernetes-flux159", "prompts"): "an argument has a `default`, which MCP does not know",
}
"""What was captured and can stand in no spec."""


@dataclass(frozen=True)
class Captured:
    """A server as it was captured, and the spec of one that lists the same.

    `spec` holds the very objects of its lists.
    """

    name: str
    spec: Mapping[str, Any]

    @property
    def tools(self) -> list[dict[str, Any]]:
        tools: list[dict[str, Any]] = self.spec["tools"]
        return tools


@cache
def captured_servers(lists: Path) -> tuple[Captured, ...]:
    """The servers of a folder of captured lists, in the order of their names.

    A list that names a tool twice is no server's: it becomes two, `NAME` and `NAME-2`. They are
    read once: they are large, and a process is copied the slower the more it holds.
    """
    return tuple(_read(lists))


def _read(lists: Path) -> Iterator[Captured]:
    for path in sorted(lists.glob("*.json")):
        capture = json.loads(path.read_bytes())
        others = {
            kind: capture[kind]
            for kind in ("resources", "prompts")
            if capture[kind] and (path.stem, kind) not in UNUSABLE
        }
        for number, tools in enumerate(without_repeats(capture["tools"]), 1):
            name = path.stem if number == 1 else f"{path.stem}-{number}"
            yield Captured(name, {"name": name, "version": "1.0.0", "tools": tools} | others)


def without_repeats(tools: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Tools in as few lists as need be for no list to name one twice."""
    lists: list[dict[str, dict[str, Any]]] = []
    for tool in tools:
        name = tool["name"]
        fitting = next((tools for tools in lists if name not in tools), None)
        if fitting is None:
            lists.append(fitting := {})
        fitting[name] = tool
    return [list(tools.values()) for tools in lists]
