"""Compare the arguments and the results of a tool in two specs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scaffold.breaking.change import Change, Level
from scaffold.breaking.differences import Difference, Sort, equal, outcome
from scaffold.breaking.fields import tokens
from scaffold.breaking.properties import Described, described
from scaffold.breaking.rules import made
from scaffold.diagnostics.wording import quote
from scaffold.jsonschema.index import Index
from scaffold.jsonschema.types import types_of
from scaffold.spec.format import Tool

_HEADER = "x-mcp-header"


def tool_changes(old: Tool, new: Tool) -> Iterator[Change]:
    """Yield what changes in the schemas and the texts of a tool that is in both specs."""
    texts: list[str] = []
    if not equal(old.arguments, new.arguments):
        arguments = _Arguments(old, new)
        yield from arguments.changes()
        texts += _described(arguments.before, arguments.after, "arguments")
    if not _same_results(old, new):
        results = _Results(old, new)
        yield from results.changes()
        texts += _described(results.before, results.after, "results")
    yield from _texts(old, new, texts)


def header_changes(old: Tool, new: Tool) -> Iterator[Change]:
    """Yield an error for each argument of which a request over HTTP needs a header now."""
    before, now = ([*_headers(one.arguments)] for one in (old, new))
    for at, header in now:
        if at in old.arguments.all and (at, header.lower()) not in [
            (a, h.lower()) for a, h in before
        ]:
            name = quote(f"Mcp-Param-{header}")
            message = f"calls of tool {quote(new.name)} over HTTP need the header {name} now"
            where = f"{new.pointer}/inputSchema{at}/{_HEADER}"
            yield _change("header-required", new, where, message)


def _headers(index: Index) -> Iterator[tuple[str, str]]:
    for one in index.all.values():
        if _HEADER in one.keywords:
            yield one.pointer, str(one.keywords[_HEADER])


def _change(id: str, tool: Tool, where: str, message: str, **more: Any) -> Change:
    return made(id, "tool", tool.name, where, message, **more)


def _same_results(old: Tool, new: Tool) -> bool:
    if old.result is None or new.result is None:
        return old.result is new.result
    return equal(old.result, new.result)


class _Arguments:
    """The arguments of a tool in two specs."""

    def __init__(self, old: Tool, new: Tool) -> None:
        self.old, self.new = old, new
        self.outcome = outcome(old.arguments, new.arguments, is_lenient=True)
        self.before, self.after = described(old.arguments), described(new.arguments)
        self.at = f"{new.pointer}/inputSchema"
        self.tool = f"tool {quote(new.name)}"

    def changes(self) -> Iterator[Change]:
        broken: set[str | None] = set()
        for difference in self.outcome.refused:
            broken.add(difference.name)
            yield self._broken(difference)
        yield from self._added()
        yield from self._removed(broken)
        yield from self._widened()
        yield from self._defaults()

    def _broken(self, found: Difference) -> Change:
        if found.sort is Sort.UNKNOWN:
            return self._gone(found)
        about = f"argument {quote(found.name)} of {self.tool}" if found.name else self.tool
        id, fate = "argument-narrowed", "accepts less"
        if found.refusal is None:
            id, fate = "argument-unproved", "has another schema, which is not proved safe"
        elif found.sort is Sort.REQUIRED:
            id, fate = "argument-required", "is required now"
        elif not found.name:
            fate = "refuses some arguments that it accepted"
        where = self.at + found.at
        return _change(id, self.new, where, f"{about} {fate}", **_proof(found))

    def _gone(self, found: Difference) -> Change:
        name = found.name or ""
        where = f"{self.old.pointer}/inputSchema{self.before[name,].at}"
        refused = found.refusal is not None
        fate = "refused" if refused else "ignored"
        return _change(
            "argument-removed",
            self.new,
            where,
            f"argument {quote(name)} of {self.tool} is gone, and is {fate}",
            level=Level.ERROR if refused else Level.WARNING,
            witness=found.witness,
            refusal=found.refusal,
            is_gone=True,
        )

    def _added(self) -> Iterator[Change]:
        for path, one in self.after.items():
            is_new = path not in self.before and (not path[:-1] or path[:-1] in self.before)
            is_required = len(path) == 1 and path[0] in self.outcome.required
            if is_new and not is_required:
                name = quote(".".join(path))
                message = f"argument {name} of {self.tool} is new and optional"
                if len(path) > 1:
                    message = f"property {name} of the arguments of {self.tool} is new"
                yield _change("argument-added", self.new, self.at + one.at, message)

    def _removed(self, broken: set[str | None]) -> Iterator[Change]:
        """Yield nested properties that are gone; differences have those at the top."""
        for path, one in self.before.items():
            is_nested = len(path) > 1 and path[0] not in broken
            if is_nested and path not in self.after and path[:-1] in self.after:
                name = quote(".".join(path))
                message = f"property {name} of the arguments of {self.tool} is gone, and is ignored"
                where = f"{self.old.pointer}/inputSchema{one.at}"
                yield _change(
                    "argument-removed",
                    self.new,
                    where,
                    message,
                    level=Level.WARNING,
                    is_gone=True,
                )

    def _widened(self) -> Iterator[Change]:
        for one in self.outcome.wider:
            argument = f"argument {quote(one.name or '')} of {self.tool}"
            message = f"{argument} accepts more"
            if one.sort is Sort.REQUIRED:
                message = f"{argument} is optional now"
            elif one.sort is Sort.REST:
                message = f"{self.tool} accepts more arguments"
            yield _change("argument-widened", self.new, self.at + one.at, message)

    def _defaults(self) -> Iterator[Change]:
        for path, before, now in _both(self.before, self.after):
            is_optional = not (before.is_required or now.is_required)
            if is_optional and before.default != now.default:
                name = quote(".".join(path))
                kept, made = (one or "none" for one in (before.default, now.default))
                message = (
                    f"the default of argument {name} of {self.tool} changed from {kept} to {made}"
                )
                yield _change("default-changed", self.new, self.at + now.at, _cut(message))


def _both(
    old: Mapping[tuple[str, ...], Described], new: Mapping[tuple[str, ...], Described]
) -> Iterator[tuple[tuple[str, ...], Described, Described]]:
    for path, now in new.items():
        if (before := old.get(path)) is not None:
            yield path, before, now


def _cut(message: str) -> str:
    return message if len(message) <= 200 else f"{message[:199]}…"


class _Results:
    """The structured results of a tool in two specs."""

    def __init__(self, old: Tool, new: Tool) -> None:
        (
            self.old,
            self.new,
        ) = old, new
        self.before = described(old.result) if old.result and new.result else {}
        self.after = described(new.result) if old.result and new.result else {}
        self.at = f"{new.pointer}/outputSchema"
        self.tool = f"tool {quote(new.name)}"

    def changes(self) -> Iterator[Change]:
        was, now = self.old.result, self.new.result
        if was and now:
            yield from self._changed(was, now)
        elif now:
            message = f"{self.tool} has an output schema now"
            yield _change("output-schema-added", self.new, self.at, message)
        else:
            where = f"{self.old.pointer}/outputSchema"
            message = f"{self.tool} has no output schema any more"
            yield _change("output-schema-removed", self.new, where, message, is_gone=True)

    def _changed(self, old: Index, new: Index) -> Iterator[Change]:
        compared = outcome(new, old, is_lenient=False)
        is_broken = False
        for found in compared.refused:
            if found.sort is Sort.UNKNOWN and found.refusal is None:
                continue  # a field more breaks nothing, if the old schema allows it
            is_broken = True
            yield self._broken(found)
        if _only_objects(old) and not _only_objects(new):
            message = f"the results of {self.tool} are not always objects"
            yield _change("output-type-changed", self.new, self.at, message)
        if not is_broken and compared.is_wider:
            message = f"{self.tool} promises more of its results"
            yield _change("result-narrowed", self.new, self.at, message)

    def _broken(self, found: Difference) -> Change:
        name = found.name or ""
        at, is_gone = self.at, False
        if now := self.after.get((name,)):
            at += now.at
        elif was := self.before.get((name,)):
            at, is_gone = f"{self.old.pointer}/outputSchema{was.at}", True
        results = f"the results of {self.tool}"
        id, message = "result-widened", f"{results} may be other than before"
        if found.refusal is None:
            about = f"field {quote(name)} of {results}" if name else results
            id, message = "result-unproved", f"{about} changed, which is not proved safe"
        elif found.sort is Sort.REQUIRED or (found.sort is Sort.PROPERTY and not now):
            fate = "is not always in" if now else "is gone from"
            id, message = "result-field-lost", f"field {quote(name)} {fate} {results}"
        elif name:
            message = f"field {quote(name)} of {results} may have other values"
        return _change(id, self.new, at, message, is_gone=is_gone, **_proof(found))


def _proof(found: Difference) -> dict[str, Any]:
    is_proved = found.refusal is not None
    return {"witness": found.witness, "refusal": found.refusal, "is_proved": is_proved}


def _only_objects(index: Index) -> bool:
    return types_of(index.applied(index.root)) == ("object",)


def _described(
    old: Mapping[tuple[str, ...], Described], new: Mapping[tuple[str, ...], Described], title: str
) -> list[str]:
    """Return how many properties are described differently, in words."""
    count = sum(before.texts != after.texts for _, before, after in _both(old, new))
    return [f"{count} of its {title}"] if count else []


def _texts(old: Tool, new: Tool, inside: list[str]) -> Iterator[Change]:
    was, now = ((one.title, one.description) for one in (old, new))
    about = (["its description"] if was != now else []) + inside
    if about:
        where = f"{new.pointer}/description" if "description" in new.written else new.pointer
        difference = tokens(new) - tokens(old)
        words = f"{difference:+,} tokens" if difference else "about as many tokens"
        message = f"tool {quote(new.name)} is described differently ({', '.join(about)}; {words})"
        yield _change("description-changed", new, where, message)
