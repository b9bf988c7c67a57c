"""The commands of a shell script, and which of them end it with an error when they fail."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_EXPRESSION = re.compile(r"\$\{\{.*?\}\}", re.DOTALL)
_HEREDOC = re.compile(
    r"(<<-?[ \t]*([\"']?)(\w+)\2[^\n]*\n)(.*?)(^\t*\3$|\Z)", re.DOTALL | re.MULTILINE
)
_TOKEN = re.compile(
    r"(?P<blank>[ \t\r]+|\\\n|(?<![^\s;&|()])\#[^\n]*)"
    r"|(?P<redirection>\d*(?:<<<|<<-?|>>|>\||[<>]&?|&>>?)[ \t]*)"
    r"|(?P<operator>\n|;;?|&&|\|\||\|&?|&|[()])"
    r"|(?P<word>(?:'[^']*'|\"(?:[^\"\\]|\\.)*\"|\$\((?:[^()]|\([^()]*\))*\)|`[^`]*`|\\.|[^\s;&|()<>])+)",
    re.DOTALL,
)
_QUOTES = re.compile(r"'([^']*)'|\"((?:[^\"\\]|\\.)*)\"|\\(.)", re.DOTALL)
_ASSIGNMENT = re.compile(r"\w+=.*", re.DOTALL)
_ERRORS_ON, _ERRORS_OFF = re.compile(r"-\w*e\w*"), re.compile(r"\+\w*e\w*")
_CONDITIONS = {"if", "elif", "while", "until", "!"}
_OPENS, _CLOSES = {"{", "then", "do"}, {"}", "fi", "done"}
_KEYWORDS = {*_CONDITIONS, *_OPENS, *_CLOSES, "else", "time"}


class Command(NamedTuple):
    """A command: its words without quotes, the variables that are set for it, and its text.

    It is decisive if the script ends with an error whenever it fails.
    """

    words: tuple[str, ...]
    variables: frozenset[str]
    text: str
    is_decisive: bool


class _Part(NamedTuple):
    """A command before it is known what follows, and the operator behind it."""

    words: tuple[str, ...]
    variables: frozenset[str]
    text: str
    is_condition: bool
    depth: int
    operator: str


def commands(script: str, *, errors: bool, pipes: bool) -> Iterator[Command]:
    """Yield the commands of a script.

    `errors` and `pipes` are whether it begins with `set -e` and with `set -o pipefail`.
    """
    parts = _parts(script)
    for number, part in enumerate(parts):
        if part.words[0] == "set":
            errors = any(map(_ERRORS_ON.fullmatch, part.words)) or (
                errors and not any(map(_ERRORS_OFF.fullmatch, part.words))
            )
            pipes = pipes or "pipefail" in part.words
        is_decisive = _is_decisive(parts, number, errors, pipes)
        yield Command(part.words, part.variables, part.text, is_decisive)


def _is_decisive(parts: Sequence[_Part], number: int, errors: bool, pipes: bool) -> bool:
    part, end = parts[number], number
    while parts[end].operator in ("|", "|&"):
        if not pipes or end + 1 == len(parts):
            return False
        end += 1
    operator, after = parts[end].operator, parts[end + 1 :]
    if part.is_condition or operator == "||":
        return _gives_up(after, part)
    if operator == "&":
        return False
    is_last = all(one.operator == "&&" for one in (parts[end], *after)[:-1])
    return is_last or (errors and operator != "&&")


def _gives_up(after: Sequence[_Part], failed: _Part) -> bool:
    """Return whether what runs after a failure ends the script with an error."""
    for part in after:
        if part.words[0] in ("exit", "return", "false") and part.words[1:] != ("0",):
            return True
        is_inside = part.depth > failed.depth
        if not is_inside and (failed.is_condition or part.operator in ("\n", ";")):
            return False
    return False


def _parts(script: str) -> Sequence[_Part]:
    parts: list[_Part] = []
    words: list[str] = []
    variables: set[str] = set()
    start = end = depth = 0
    is_condition = is_target = False
    script = _HEREDOC.sub(lambda found: found[1], _EXPRESSION.sub("$EXPRESSION", script)) + "\n"
    for found in _TOKEN.finditer(script):
        text = found[0]
        if found.lastgroup == "redirection":
            is_target = True
        elif found.lastgroup == "operator":
            if words:
                whole = script[start:end]
                parts.append(
                    _Part((*words,), frozenset(variables), whole, is_condition, depth, text)
                )
            elif text in ("|", "|&", "||", "&", "&&"):  # behind `}` or `)`
                group = len(parts)
                while group and parts[group - 1].depth > depth:
                    group -= 1
                parts[group:] = [part._replace(operator=text) for part in parts[group:]]
            words, variables, is_condition = [], set(), False
            depth += (text == "(") - (text == ")")
        elif found.lastgroup == "word" and is_target:
            is_target = False
        elif found.lastgroup == "word":
            word = _QUOTES.sub(lambda quoted: "".join(filter(None, quoted.groups())), text)
            if words or (text not in _KEYWORDS and not _ASSIGNMENT.fullmatch(word)):
                start, end = start if words else found.start(), found.end()
                words.append(word)
            elif text in _KEYWORDS:
                is_condition = is_condition or text in _CONDITIONS
                depth += (text in _OPENS) - (text in _CLOSES)
            else:
                variables.add(word.partition("=")[0])
    return parts
