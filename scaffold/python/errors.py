"""Exception classes of the domain errors of a spec."""

from __future__ import annotations

from string import Formatter

from scaffold.python.expressions import quoted
from scaffold.spec.format import DomainError


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
