"""Check resources, and that URI templates can be matched against URIs without ambiguity.

RFC 6570 defines how to expand a template, but only some templates can be reversed. The templates
accepted here are those that the SDK of the generated servers can match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scaffold.base.diagnostics.wording import quote
from scaffold.base.files import RelPath
from scaffold.spec.draft import Draft
from scaffold.yaml.finding import Finding

LONGEST = 8_192
MOST_VARIABLES = 256

EXPRESSION = re.compile(r"\{([+#./;?&]?)([^{}]*)\}")
"""An expression of a template: its operator, and its variables with modifiers."""

_NAME = re.compile(r"[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*")


def faults(draft: Draft) -> Iterator[Finding]:
    """Yield resources with two contents or a file elsewhere, and ambiguous URI templates."""
    for resource in draft.spec.resources:
        if resource.file is None:
            continue
        at = f"{resource.pointer}/file"
        try:
            RelPath(resource.file)
        except ValueError:
            message = f"{quote(resource.file)} is not a path below the directory of the spec"
            hint = "write a path with `/` and without `..`: `content/about.md`"
            yield Finding(at, "bad-relative-path", message, hint)
        if resource.text is not None:
            message = "the resource has both `text` and `file`"
            yield Finding(at, "two-contents", message, "remove one of them", at_key=True)
    for template in draft.spec.resource_templates:
        if trouble := problem(template.uri_template):
            yield Finding(f"{template.pointer}/uriTemplate", "bad-uri-template", *trouble)


def problem(template: str) -> tuple[str, str] | None:
    """Return why URIs cannot be matched against a template, and a hint; None if they can.

    Also return None for invalid syntax, which the format reports.
    """
    if len(template) > LONGEST:
        return f"a URI template has at most {LONGEST:,} characters", "shorten it"
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
                return f"`{variable}` keeps only the beginning of a value", f"write `{name}`"
            if not _NAME.fullmatch(name):
                hint = "use letters, digits and `_`, with single dots between them"
                return f"invalid variable name {quote(name)}", hint
            if name in names:
                return f"duplicate variable {quote(name)}", "rename one of them"
            if exploded and operator not in ("/", ".", ";"):
                return (
                    f"the list items of `{{{operator}{variable}}}` cannot be told apart",
                    f"write `{{{operator}{name}}}` for one value, or `{{/{name}*}}` for a path",
                )
            if (exploded or (number == 0 and operator in ("", "+"))) and not apart:
                return (
                    f"nothing separates {quote(name)} from the variable before it",
                    "put a character between them, such as `/`",
                )
            if (exploded or operator in ("+", "#")) and long:
                message = f"both {quote(long)} and {quote(name)} can contain a `/`"
                return message, "let only one variable do so"
            long = name if exploded or operator in ("+", "#") else long
            names.add(name)
            apart = False
    if len(names) > MOST_VARIABLES:
        return f"the template has {len(names)} variables", f"use at most {MOST_VARIABLES}"
    return None
