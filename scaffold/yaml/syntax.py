"""Explain errors of the YAML parser, with a hint how to fix them."""

from __future__ import annotations

import re
import unicodedata

from yaml import MarkedYAMLError

from scaffold.base.diagnostics import Diagnostic, Related
from scaffold.base.diagnostics.wording import cut
from scaffold.yaml.document import Document

_AFTER_A_KEY = ("mapping values are not allowed in this context", "could not find expected ':'")
_GLUED = re.compile(r"[ -]*([\w.$-]+):(?!//)([^\s:].*)")
"""A line with no space after the colon, so that key and value are one scalar."""

SPACES = "\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000\ufeff"
"""The characters that look like a space, as a part of a character class: YAML takes them for letters.

Web pages and keyboards put them in where nobody sees them: in the indentation, or after a colon or
a dash. There, a key and its value become one text. Elsewhere they are part of a text, and fine.
"""

ANY = re.compile(f"[{SPACES}]")
_IN_LINES = re.compile(f"^ *(?:- +)*(?:-|[\\w.$-]+:)?([{SPACES}])", re.MULTILINE)

_BRACKETS = re.compile(r"[\[\]{}]|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'|#[^\n]*")
"""A bracket, or quoted text or a comment, which may hold some that do not count."""

_CUT = re.compile(r"(?P<key>[\w.$-]+): +(?P<value>[^\s\"'{}\[\],][^\"'{}\[\],]*?: [^{}\[\],]*)")
"""A key and its unquoted value with a colon and a space in it, in flow style."""

_BRACED = re.compile(
    r"(?P<key>[\w.$-]+): +(?P<value>(?:[^\s\"'{}\[\],][^\"'{}\[\],]*)?(?:\{\w+\}[^\"'{}\[\],]*)+)"
)
"""A key and its unquoted value with `{fields}` in it, in flow style."""

_NEAR = 2000
"""The number of characters before and after an error that are searched for its cause."""


def syntax_error(error: MarkedYAMLError, document: Document) -> Diagnostic:
    """Return the diagnostic for an error that libyaml found in a document.

    This is one long table of libyaml's messages, each with what people usually did wrong.
    """
    text = document.text
    problem = error.problem or ""
    at = error.problem_mark.index if error.problem_mark else 0
    context = error.context_mark.index if error.context_mark else at
    if mistake := _mistaken_near(document, context) or _mistaken_near(document, at):
        return mistake
    line = text[text.rfind("\n", 0, at) + 1 : _line_end(text, at)]
    before = text[text.rfind("\n", 0, at) + 1 : at]
    character = text[at : at + 1]

    id, where, quoted = "yaml-syntax", at, "quote the value: '{}'"
    match problem:
        case _ if problem in _AFTER_A_KEY and (
            glued := _GLUED.match(text, _above(text, at, context))
        ):
            message, where = "missing space after the colon", glued.start(1)
            hint = f"write `{glued[1]}: {_rest(glued[2], 0)}`"
        case "found character that cannot start any token" if character == "\t":
            message, hint = "YAML cannot be indented with tabs", "replace the tab with spaces"
        case "found character that cannot start any token" if text.startswith("```", at):
            message, hint = (
                "a spec cannot begin with a Markdown fence",
                "remove the lines of the fence",
            )
        case "found character that cannot start any token":
            message = f"an unquoted value cannot begin with `{character}`"
            hint = quoted.format(_rest(text, at))
        case "did not find expected alphabetic or numeric character":
            message, where = f"an unquoted value cannot begin with `{text[context]}`", context
            hint = quoted.format(_rest(text, context))
        case "did not find expected comment or line break":
            message, where = f"text after `{text[context]}` must begin on the next line", context
            hint = quoted.format(_rest(text, context))
        case "mapping values are not allowed in this context" if re.search(r":\s", before):
            key, _, value = line.strip().partition(": ")
            message = "an unquoted value cannot contain `: `"
            hint = f"quote the value: {key}: {_quoted(value)}"
        case "mapping values are not allowed in this context":
            message = "unexpected key"
            hint = "check the indentation of this line and the line above"
        case "did not find expected key" if re.search(r": '[^']*'$", before.rstrip()):
            message = "the quoted text ends here"
            hint = "write `''` for an apostrophe in single quotes, or use double quotes"
        case "did not find expected key" if before.strip():
            message = "unexpected text after the value"
            hint = "put the whole value in one pair of quotes, and close the quotes above"
        case "did not find expected key":
            message = "the indentation of this line does not match any mapping above"
            hint = "start all keys of a mapping in the same column"
        case "did not find expected '-' indicator":
            message = "expected a list item that begins with `- `"
            hint = "indent this line if it belongs to the item above, or begin it with `- `"
        case "could not find expected ':'":
            message, where = "this line is neither a `key: value` nor a `- item`", context
            hint = "write `key: value`; text of several lines needs `|` or more indentation"
        case "found unexpected end of stream":
            message, where = "unclosed quote", context
            hint = f"add the closing `{text[context]}`"
        case "did not find expected ',' or ']'" | "did not find expected ',' or '}'":
            return _in_brackets(document, context, at, problem[-2])
        case "did not find expected node content":
            message, hint = "missing value", "add a value, or remove the stray character"
        case "found unknown escape character":
            message = f"`\\{text[at + 1 : at + 2]}` is not a YAML escape"
            hint = r"write `\\` for a backslash, or use single quotes"
        case "found invalid Unicode character escape code":
            id, where = "lone-surrogate", at - 2
            message = f"`{text[at - 2 : at + 4]}` is half of a surrogate pair, not a character"
            hint = "write the character itself, or both halves of the pair"
        case "did not find expected <document start>":
            message = "unexpected text after the end of the document"
            hint = "write the whole spec as one mapping of `key: value` lines"
        case "found undefined tag handle":
            id, message, hint = "yaml-tag", "YAML tags are not supported", "remove the tag"
        case "found duplicate %YAML directive" | "found incompatible YAML document":
            message, hint = "unsupported `%YAML` directive", "remove this line"
        case _:
            message = f"invalid YAML: {problem or error}"
            hint = "check the quotes and the indentation here"
    return Diagnostic(id, message, document.at(where), hint)


def _in_brackets(document: Document, opened: int, at: int, closing: str) -> Diagnostic:
    """Return the diagnostic for an error at an offset in the brackets that begin at `opened`."""
    text, bracket, place = document.text, document.at(opened), document.at(at)
    related = None
    if place.line != bracket.line and _is_closed(text, opened):
        message = f"missing `,`, or `{closing}` in the wrong place"
        hint = f"separate the items of the brackets opened at {bracket.line}:{bracket.column}"
    elif place.line != bracket.line:
        message, hint = f"unclosed `{text[opened]}`", f"add the closing `{closing}`"
        related = Related(place, f"expected `,` or `{closing}` before this")
        place = bracket
    elif cut := _CUT.search(text, *_member(text, opened, at)):
        message, place = "an unquoted value cannot contain `: `", document.at(cut.start("value"))
        hint = f"quote the value: {cut['key']}: {_quoted(cut['value'].strip())}"
    elif braced := _BRACED.search(text, *_member(text, opened, at)):
        message = "an unquoted value in `{}` cannot contain braces"
        place = document.at(braced.start("value"))
        hint = f"quote the value: {braced['key']}: {_quoted(braced['value'].strip())}"
    else:
        message = f"expected `,` or `{closing}`"
        hint = f"the bracket was opened at {bracket.line}:{bracket.column}"
    return Diagnostic("yaml-syntax", message, place, hint, related=related)


def _mistaken_near(document: Document, at: int) -> Diagnostic | None:
    """Return the diagnostic for the first of `SPACES` in the line of an offset, or in the line above."""
    text = document.text
    above = text.rfind("\n", 0, max(0, text.rfind("\n", 0, at))) + 1
    match = _IN_LINES.search(text, above)
    return mistaken(document, match.start(1)) if match and match.start() <= at else None


def mistaken(document: Document, at: int) -> Diagnostic:
    """Return the diagnostic for one of `SPACES` at an offset, with its name in Unicode."""
    character = document.text[at]
    name = unicodedata.name(character).lower()
    message = f"this is a {name} (U+{ord(character):04X}), not the space that YAML needs"
    return Diagnostic("yaml-syntax", message, document.at(at), "replace each of them with a space")


def _above(text: str, at: int, context: int) -> int:
    """Return the start of the line of `context` if that is before `at`, or of the line above."""
    start = text.rfind("\n", 0, context) + 1
    return start if context < at else text.rfind("\n", 0, max(0, start - 1)) + 1


def _member(text: str, context: int, at: int) -> tuple[int, int]:
    """Return where the member of a flow mapping that holds `at` begins, and where its line ends.

    Of a long member it is the part near `at`: what is searched for takes quadratic time.
    """
    begin = max(context, text.rfind(",", context, at), at - _NEAR)
    return begin, min(_line_end(text, at), at + _NEAR)


def _is_closed(text: str, opened: int) -> bool:
    """Return whether the bracket at an offset has a closing one; quoted text does not count."""
    depth = 0
    for match in _BRACKETS.finditer(text, opened):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(match[0], 0)
        if depth == 0:
            return True
    return False


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _rest(text: str, at: int) -> str:
    rest = text[at : _line_end(text, at)].strip()
    return cut(rest, 40).replace("'", "''")


def _quoted(text: str) -> str:
    return '"' + cut(text, 40).replace("\\", "\\\\").replace('"', '\\"') + '"'
