"""Explain errors of the YAML parser, with a hint how to fix them."""

from __future__ import annotations

import re

from yaml import MarkedYAMLError

from scaffold.diagnostics import Diagnostic
from scaffold.yaml.document import Document
from scaffold.yaml.surrogates import Joined

_AFTER_A_KEY = ("mapping values are not allowed in this context", "could not find expected ':'")
_GLUED = re.compile(r"[ -]*([\w.$-]+):(?!//)([^\s:].*)")
"""A line with no space after the colon, so that key and value are one scalar."""


def syntax_error(error: MarkedYAMLError, document: Document, joined: Joined) -> Diagnostic:
    """Return the diagnostic for an error that libyaml found in `joined`."""
    text = document.text
    problem = error.problem or ""
    at = context = joined.original(error.problem_mark.index) if error.problem_mark else 0
    if error.context_mark:
        context = joined.original(error.context_mark.index)
    line = text[text.rfind("\n", 0, at) + 1 : _line_end(text, at)]
    before = text[text.rfind("\n", 0, at) + 1 : at]
    character = text[at : at + 1]

    def found(message: str, hint: str, where: int = at, id: str = "yaml-syntax") -> Diagnostic:
        return Diagnostic(id, message, document.at(where), hint)

    if problem in _AFTER_A_KEY and (glued := _GLUED.match(text, _above(text, at, context))):
        key, value = glued.groups()
        return found(
            "a space is missing after the colon",
            f"write `{key}: {_rest(value, 0)}`",
            glued.start(1),
        )
    match problem:
        case "found character that cannot start any token" if character == "\t":
            return found("a tab cannot indent YAML", "indent with spaces")
        case "found character that cannot start any token":
            return found(
                f"`{character}` cannot begin a value without quotes",
                f"put the value in quotes: '{_rest(text, at)}'",
            )
        case "did not find expected alphabetic or numeric character":
            return found(
                f"`{text[context]}` cannot begin a value without quotes",
                f"put the value in quotes: '{_rest(text, context)}'",
                context,
            )
        case "did not find expected comment or line break":
            return found(
                f"after `{text[context]}`, the text begins on the next line",
                f"put the value in quotes: '{_rest(text, context)}'",
                context,
            )
        case "mapping values are not allowed in this context" if re.search(r":\s", before):
            key, _, value = line.strip().partition(": ")
            return found(
                "a value without quotes cannot hold a colon and a space",
                f"put the value in quotes: {key}: {_quoted(value)}",
            )
        case "mapping values are not allowed in this context":
            return found(
                "a key is not expected here", "check the indentation of this line and the last"
            )
        case "did not find expected key" if before.strip():
            return found(
                "unexpected text after the value",
                "put the whole value in one pair of quotes, and close the quotes above",
            )
        case "did not find expected key":
            return found(
                "the indentation of this line fits no mapping above it",
                "keys of one mapping begin in the same column",
            )
        case "did not find expected '-' indicator":
            return found(
                "an item that begins with `- ` is expected here",
                "indent this line if it belongs to the item above, or begin it with `- `",
            )
        case "could not find expected ':'":
            return found(
                "this line has neither a `:` after its key nor a `- ` before its item",
                "write `key: value`; text of more than one line needs `|` or more indentation",
                context,
            )
        case "found unexpected end of stream":
            return found(
                "this quote is never closed", f"add the closing `{text[context]}`", context
            )
        case "did not find expected ',' or ']'" | "did not find expected ',' or '}'":
            bracket = document.at(context)
            return found(
                f"a `,` or `{problem[-2]}` is expected here",
                f"the bracket was opened at {bracket.line}:{bracket.column}",
            )
        case "did not find expected node content":
            return found("a value is missing here", "give a value, or remove the stray character")
        case "found unknown escape character":
            return found(
                f"`\\{text[at + 1 : at + 2]}` is not an escape that YAML knows",
                r"write `\\` for a backslash, or use single quotes",
            )
        case "found invalid Unicode character escape code":
            return found(
                f"`{text[at - 2 : at + 4]}` is half of a surrogate pair, not a character",
                "write the character itself, or both halves of the pair",
                at - 2,
                "lone-surrogate",
            )
        case "did not find expected <document start>":
            return found(
                "unexpected text after the end of the document",
                "the whole spec is one mapping of `key: value` lines",
            )
        case "found undefined tag handle":
            return found("YAML tags are not supported", "remove the tag", id="yaml-tag")
        case "found duplicate %YAML directive" | "found incompatible YAML document":
            return found("this `%YAML` line cannot be read", "remove it")
    return found(f"not valid YAML: {problem or error}", "check the quotes and the indentation here")


def _above(text: str, at: int, context: int) -> int:
    """Return the start of the line of `context` if that is before `at`, or of the line above."""
    start = text.rfind("\n", 0, context) + 1
    return start if context < at else text.rfind("\n", 0, max(0, start - 1)) + 1


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _rest(text: str, at: int) -> str:
    rest = text[at : _line_end(text, at)].strip()
    return (rest if len(rest) <= 40 else rest[:37] + "…").replace("'", "''")


def _quoted(text: str) -> str:
    text = text if len(text) <= 40 else text[:37] + "…"
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
