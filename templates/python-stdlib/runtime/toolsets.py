"""Toolsets: which tools the server offers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .command import Option, SettingsError
from .protocol import Feature, Json


def split(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def truth(text: str) -> bool:
    """Return whether a text says yes, as any does that does not clearly say no."""
    return text.strip().lower() not in ("", "0", "f", "false", "n", "no", "off")


@dataclass(frozen=True)
class Choice:
    """Toolsets and single tools, perhaps only those that change nothing."""

    toolsets: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    read_only: bool = False


# The fields of a choice.
OPTIONS: Mapping[str, Option] = {
    "toolsets": ((), split, "toolsets to offer: a,b, or all, or default"),
    "tools": ((), split, "single tools to offer: x,y"),
    "read_only": (False, truth, "offer only tools that say that they change nothing"),
}


class Toolsets(Feature):
    """Hides the tools that are not chosen. Raises SettingsError for unknown ones."""

    def __init__(self, catalog: Json, choice: Choice | None) -> None:
        choice = choice or Choice(toolsets=("all",))
        tools = {tool["name"]: tool.get("annotations", {}) for tool in catalog["tools"]}
        toolsets: dict[str, Any] = catalog["toolsets"]
        always = {*tools}.difference(*(row["tools"] for row in toolsets.values()))
        sets = {name: always.union(row["tools"]) for name, row in toolsets.items()}
        defaults = [sets[name] for name, row in toolsets.items() if row.get("default")]
        sets |= {"all": {*tools}, "default": always.union(*defaults)}
        named = choice.toolsets or (() if choice.tools else ("default",))
        if unknown := [name for name in named if name not in sets]:
            known = ", ".join(sets)
            text = f"Unknown toolset: {unknown[0]:.128}, not one of {known}"
            raise SettingsError(text)
        if unknown := [name for name in choice.tools if name not in tools]:
            raise SettingsError(f"Unknown tool: {unknown[0]:.128}")
        offered = {*choice.tools}.union(*(sets[name] for name in named))
        if choice.read_only:
            offered = {name for name in offered if tools[name].get("readOnlyHint")}
        self.hidden = {"tools": {*tools} - offered}
