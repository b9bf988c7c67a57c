"""Handlers that pass a request on or call an existing function: their answers as Python."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from scaffold.project.model import Existing
from scaffold.python.expressions import Brackets, Expression, Labelled, quoted
from scaffold.spec.entries import Entry, Prompt, Tool
from scaffold.spec.handled import Handled


def passed_on(entry: Entry) -> str:
    """Return the call of the upstream server that answers, or nothing."""
    match entry:
        case Tool(handler=handler, name=name) | Prompt(handler=handler, name=name):
            if handler and handler.proxy:
                there = name if handler.proxy.name is None else handler.proxy.name
                method = "call_tool" if isinstance(entry, Tool) else "get_prompt"
                return f"{method}({quoted(there)}, context)"
        case _:
            if entry.handler and entry.handler.proxy:
                return "read_resource(context)"
    return ""


def existing(one: Handled, result_type: str, package: str) -> Existing | None:
    """Return the function that answers, if there is one."""
    if not (one.entry.handler and one.entry.handler.python):
        return None
    module, _, path = one.entry.handler.python.partition(":")
    name, dot, below = path.partition(".")
    given = ", arguments" if one.arguments is not None else ""
    value = f"await functions.call(original{dot}{below}{given})"
    match one:
        case Handled(kind="tool", result=None):
            answer = f"functions.content({value})"
        case Handled(kind="tool"):
            answer = f"functions.result({result_type}, {value}{_wrapped(one)})"
        case Handled(kind="prompt"):
            answer = f"functions.messages({value})"
        case _:
            answer = f"functions.text({value})"
    module = f"{package}{module}" if module.startswith(".") else module
    return Existing(module=module, name=name, answer=answer)


def _wrapped(one: Handled) -> str:
    """Return the argument for a result that has but the property `result`, as FastMCP makes them."""
    names = [member.name for member in one.result.members] if one.result else []
    return ', "result"' if names == ["result"] else ""


def filled(value: object, attributes: Mapping[str, str]) -> str:
    """Return the expression of a text, a list or a mapping of texts; see `View.filled`."""
    return str(_filled(value, attributes))


def _filled(value: object, attributes: Mapping[str, str]) -> Expression:
    if isinstance(value, Mapping):
        rows = (Labelled(f"{quoted(k)}: ", _filled(v, attributes)) for k, v in value.items())
        return Brackets("", "{", tuple(rows))
    if isinstance(value, str):
        return _text(value, attributes)
    assert isinstance(value, Sequence)
    return Brackets("", "[", tuple(_filled(item, attributes) for item in value))


def _text(text: str, attributes: Mapping[str, str]) -> str:
    pieces = re.split(r"\$\{(\w+)\}", text)
    if len(pieces) == 1:
        return quoted(text)
    names = [f"settings.{attributes[name]}" for name in pieces[1::2]]
    if len(names) == 1 and not any(pieces[::2]):
        return names[0]
    literals = [piece.replace("{", "{{").replace("}", "}}") for piece in pieces[::2]]
    pairs = zip(literals, [*(f"{{{name}}}" for name in names), ""], strict=True)
    return f"f{quoted(''.join(part for pair in pairs for part in pair))}"
