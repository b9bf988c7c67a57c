"""Check that URI templates can be matched against URIs without ambiguity.

RFC 6570 defines how to expand a template, but only some templates can be reversed. The templates
accepted here are those that the SDK of the generated servers can match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scaffold.diagnostics.wording import quote
from scaffold.spec.draft import Draft
from scaffold.yaml.finding import Finding

LONGEST = 8_192
MOST_VARIABLES = 256

EXPRESSION = re.compile(r"\{([+#./;?&]?)([^{}]*)\}")
"""An expression of a template: its operator, and its variables with modifiers."""

_NAME = re.compile(r"[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*")


def faults(draft: Draft) -> Iterator[Finding]:
    """Yield the URI templates that cannot be matched against URIs."""
    for template in draft.spec.resource_templates:
        if trouble := problem(template.uri_template):
            yield Finding(f"{template.pointer}/uriTemplate", "bad-uri-template", *trouble)


def problem(template: str) -> tuple[str, str] | None:
    """Return why URIs cannot be matched against a template, and a hint; None if they can.

    Also return None for invalid syntax, which the format reports.
    """
    if len(template) > LONGEST:
        return f"the template has more than {LONGEST:,} characters", "shorten it"
    names: set[str] = set()
    long = ""
    queries = done = 0
    for expression in EXPRESSION.finditer(template):
        operator, variables = expression.groups()
        apart = not names or expression.start() > done
        done = expression.end()
        queries += operator == "?"
        if queries > 1:
            return "a URI has only one `?`", "write the second expression as `{&…}`"
        for number, variable in enumerate(variables.split(",")):
            name, _, length = variable.rstrip("*").partition(":")
            exploded = variable.endswith("*")
            if length:
                return (
                    f"`{variable}` stands for the beginning of a value, which cannot be found from it",
                    f"write `{name}`",
                )
            if not _NAME.fullmatch(name):
                return (
                    f"{quote(name)} is not the name of a variable",
                    "use letters, digits and `_`, with single dots between them",
                )
            if name in names:
                return f"the variable {quote(name)} stands here twice", "rename one of the two"
            if exploded and operator not in ("/", ".", ";"):
                return (
                    f"`{{{operator}{variable}}}` stands for a list whose items cannot be told apart",
                    f"write `{{{operator}{name}}}` for one value, or `{{/{name}*}}` for a path",
                )
            if (exploded or (number == 0 and operator in ("", "+"))) and not apart:
                return (
                    f"nothing stands between {quote(name)} and the variable before it",
                    "put a character between them, such as `/`",
                )
            if (exploded or operator in ("+", "#")) and long:
                return (
                    f"both {quote(long)} and {quote(name)} can hold a `/`",
                    "let only one variable do that",
                )
            long = name if exploded or operator in ("+", "#") else long
            names.add(name)
            apart = False
    if len(names) > MOST_VARIABLES:
        return f"there are {len(names)} variables", f"use at most {MOST_VARIABLES}"
    return None
