"""Domain errors as exception classes, and checks of the names that a spec gives to Python."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterator
from string import Formatter

from scaffold.base.diagnostics.wording import quote
from scaffold.format.draft import Draft
from scaffold.format.placeholders import BRACES, read_names
from scaffold.format.spec import DomainError
from scaffold.languages.python.reserved import CONTRACT
from scaffold.languages.python.types.expressions import quoted
from scaffold.yaml.finding import Finding


def faults(draft: Draft) -> Iterator[Finding]:
    """Yield a finding for each error name, message field or function that Python cannot use."""
    for entries in draft.spec.entries.values():
        for entry in entries:
            path = (entry.handler and entry.handler.python) or ""
            if words := [word for word in re.split("[.:]", path) if keyword.iskeyword(word)]:
                message = f"`{words[0]}` is a keyword of Python"
                at = f"{entry.pointer}/handler/python"
                yield Finding(at, "bad-function", message, "rename the function or its module")
    for error in draft.spec.errors:
        name = error.name
        if is_taken(name):
            yield Finding(
                f"{error.pointer}/name",
                "bad-error-name",
                f"`{name}` is already used by the generated code",
                "choose a name that says what failed: `ChunkNotFound`",
            )
        yield from _field_faults(error)


def is_taken(name: str) -> bool:
    """Return whether the module of the errors already uses a name."""
    return keyword.iskeyword(name) or hasattr(builtins, name) or name in CONTRACT


def _field_faults(error: DomainError) -> Iterator[Finding]:
    at = f"{error.pointer}/message"
    fields, _ = read_names(error.message)
    for field in fields:
        if not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", field) or keyword.iskeyword(field):
            yield Finding(
                at,
                "bad-placeholder",
                f"{quote(field)} in braces cannot name a field",
                "use a name of letters, digits and `_`, a letter first; " + BRACES,
            )
        elif field in ("self", "message", "args"):
            yield Finding(
                at, "bad-placeholder", f"the field name `{field}` is taken", "choose another name"
            )


def constructor(error: DomainError) -> str:
    """Return the signature of `__init__`, with a keyword argument for each message field."""
    keywords = ["*", *(f"{field}: object" for field in error.fields)] if error.fields else []
    return f"def __init__({', '.join(['self', *keywords])}) -> None:"


def message_passed_on(error: DomainError) -> str:
    """Return the `super().__init__` call that formats the message with its fields."""
    parts = [(text, field) for text, field, _, _ in Formatter().parse(error.message)]
    if not error.fields:
        return f"super().__init__({quoted(''.join(text for text, _ in parts))})"
    template = "".join(
        text.replace("{", "{{").replace("}", "}}") + (f"{{{field}}}" if field else "")
        for text, field in parts
    )
    return f"super().__init__(f{quoted(template)})"
