"""Toolsets: which tools the server offers, and to which requests."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mcp.server.context import CallNext, HandlerResult
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from .catalog import Catalog
from .command import SettingsError
from .handlers import Request

# By which a request narrows what the server offers.
HEADERS = ("x-mcp-toolsets", "x-mcp-tools", "x-mcp-readonly")


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


def add_choice(add: Callable[..., None]) -> None:
    """Add the options that make a choice."""
    about = "toolsets to offer: a,b, or all, or default"
    add("--toolsets", default="", type=split, help=about)
    add("--tools", default="", type=split, help="single tools to offer: x,y")
    about = "offer only tools that say that they change nothing"
    add("--read-only", help=about, nargs="?", const=True, default=False, type=truth)


class Toolsets:
    """The tools that are offered. Raises SettingsError for a choice of unknown ones."""

    def __init__(self, catalog: Catalog, choice: Choice | None) -> None:
        tools = {tool["name"]: tool.get("annotations", {}) for tool in catalog["tools"]}
        self.readers = {n for n, hints in tools.items() if hints.get("readOnlyHint")}
        toolsets: dict[str, Any] = catalog["toolsets"]
        always = {*tools}.difference(*(row["tools"] for row in toolsets.values()))
        self.sets = {name: always.union(row["tools"]) for name, row in toolsets.items()}
        defaults = [self.sets[n] for n, row in toolsets.items() if row.get("default")]
        self.sets |= {"all": {*tools}, "default": always.union(*defaults)}
        try:
            self.offered = self.chosen(choice, "default") if choice else {*tools}
        except LookupError as error:
            raise SettingsError(error.args[0]) from None

    def chosen(self, choice: Choice, otherwise: str) -> set[str]:
        """Return the names of tools, of the toolset `otherwise` if nothing is named.

        Raises LookupError for a toolset or a tool that does not exist.
        """
        toolsets = choice.toolsets or (() if choice.tools else (otherwise,))
        if unknown := [name for name in toolsets if name not in self.sets]:
            known = ", ".join(self.sets)
            raise LookupError(f"Unknown toolset: {unknown[0]:.128}, not one of {known}")
        if unknown := [name for name in choice.tools if name not in self.sets["all"]]:
            raise LookupError(f"Unknown tool: {unknown[0]:.128}")
        tools = {*choice.tools}.union(*(self.sets[name] for name in toolsets))
        return tools & self.readers if choice.read_only else tools

    async def narrow(self, ctx: Request, call_next: CallNext) -> HandlerResult:
        """Middleware for which a tool that is not offered does not exist."""
        if ctx.method not in ("tools/list", "tools/call"):
            return await call_next(ctx)
        headers = getattr(ctx.request, "headers", {})
        toolsets, tools, reads = (headers.get(name, "") for name in HEADERS)
        choice = Choice(split(toolsets), split(tools), truth(reads))
        try:
            offered = self.offered & self.chosen(choice, "all")
        except LookupError as error:
            raise MCPError(INVALID_PARAMS, error.args[0]) from None
        name = (ctx.params or {}).get("name")
        if ctx.method == "tools/call" and isinstance(name, str) and name not in offered:
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {name:.128}")
        result = await call_next(ctx)
        if ctx.method == "tools/list" and isinstance(result, dict):
            result["tools"] = [t for t in result["tools"] if t["name"] in offered]
            if "cacheScope" in result and offered != self.offered:
                result["cacheScope"] = "private"
        return result
