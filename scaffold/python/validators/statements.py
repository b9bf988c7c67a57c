"""Statements of Python as lines: put under conditions, into loops, one after another."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

Lines = list[str]

_TEXT_LITERAL = re.compile(r"""(?<!\w)("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')""")


def indented(lines: Iterable[str]) -> Lines:
    """Return lines one level deeper."""
    return [f"    {line}" for line in lines]


def under(test: str, lines: Lines) -> Lines:
    """Return statements under a condition; nothing if there are none."""
    if not lines or test == "False":
        return []
    if test == "True":
        return lines
    lines = joined(lines)
    if lines[0].startswith("if ") and all(line.startswith(" ") for line in lines[1:]):
        return [f"if {grouped(test)} and {grouped(lines[0][3:-1])}:", *lines[1:]]
    return [f"if {test}:", *indented(lines)]


def otherwise(lines: Lines) -> Lines:
    """Return statements as those of the `else` of a condition."""
    is_single = lines[0].startswith("if ") and all(
        line.startswith((" ", "elif ", "else:")) for line in lines[1:]
    )
    return [f"el{lines[0]}", *lines[1:]] if is_single else ["else:", *indented(lines)]


def with_early_return(lines: Lines) -> Lines:
    """Return the body of a function with an early return instead of a long `else`."""
    tops = [number for number, line in enumerate(lines) if not line.startswith(" ")]
    if len(tops) == 2 and lines[0].startswith("if ") and lines[tops[1]] == "else:":
        head, rest = lines[: tops[1]], lines[tops[1] + 1 :]
        return [*head, "    return", *(line[4:] for line in rest)]
    return lines


def mentions(lines: Lines, name: str) -> bool:
    """Return whether statements use a variable."""
    return any(re.search(rf"\b{name}\b", _TEXT_LITERAL.sub("", line)) for line in lines)


def joined(lines: Lines) -> Lines:
    """Return statements with branches that refuse one after the other as one branch."""
    found: Lines = []
    for line in lines:
        indent = line[: len(line) - len(line.lstrip())]
        refusal = f"{indent}return False"
        outer = indent[4:]
        if line == refusal and len(found) > 2 and found[-2] == refusal:
            first, second = found[-3].strip(), found[-1].strip()
            if first.startswith(("if ", "elif ")) and second.startswith("elif "):
                either = f"{first[:-1]} or {second.removeprefix('elif ')}"
                found[-3:] = [f"{outer}{either}"]
        found.append(line)
    return found


def grouped(test: str) -> str:
    """Return a condition as a part of one that is joined by `and`."""
    return f"({test})" if " or " in test else test


def spot(path: Sequence[str]) -> str:
    """Return the expression for where a value is, by the expressions of its keys."""
    return f"at.part({', '.join(path)})" if path else "at"
