"""Free text of a spec, which reaches a file only through a quoting filter.

A filter takes a `Text` (or a `str`, for names, which are safe by construction) and returns what a
template prints. There are two kinds:

- Data (`py`, `toml`, `json`, `yaml`, `sh`): a whole literal; reading the file back gives exactly
  the text. Invisible characters (controls, bidirectional marks, zero width) are written as escapes
  of the format, so that reviewers see what the machine reads (Trojan Source, CVE-2021-42574).
- Prose (`doc`, `md`, `md_block`, `md_code`, `comment`, `dockerfile`): the same words for a person
  to read; each filter says what it folds. Invisible characters are shown as `\\u202e`, except the
  two joiners that emoji and some scripts need.
"""

from __future__ import annotations

import re
import shlex
import textwrap
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NoReturn, TypeAlias

from msgspec import Struct

# Controls, line separators, Default_Ignorable_Code_Point of the Unicode Character Database without
# the variation selectors that follow a visible character, and U+FFFE and U+FFFF. Written out, not
# taken from `unicodedata`, so that every version of Python generates the same bytes.
_INVISIBLE = re.compile(
    "[\\x00-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f"
    "\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb\\ufffe\\uffff"
    "\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a\\U000e0000-\\U000e0fff]"
)
_INVISIBLE_IN_PROSE = re.compile(f"(?![\\u200c\\u200d]){_INVISIBLE.pattern}")
_BLANKS = re.compile("[\\t-\\r\\x1c-\\x1e\\x85\\u2028\\u2029 ]+")
_AT_START = re.compile(r"^(\d*)(?:(?<=\d)(?=[.)](?: |$))|(?=[#+=>-]))")
_ADDRESS = re.compile(r"(?i)(?:https?|ftp)(?=://)|www(?=\.)")
_MARKDOWN = re.compile(r"[\\`*\[\]<|~]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w*(?:;|$))|!$|(?<=[ #])#$")
_SHORT_ESCAPES = {
    '"': '\\"',
    "\\": "\\\\",
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\f": "\\f",
    "\r": "\\r",
}


class UnquotedError(TypeError):
    """Free text was printed without a quoting filter."""


class Text(Struct, frozen=True, eq=False):
    """Free text: equal to its text and hashable as that, false if empty, printable only by filters.

    Any other way into a file (`str`, `format`, `+`, iteration …) raises UnquotedError. Raises
    ValueError for lone surrogates, which no file can hold.
    """

    _raw: str

    def __post_init__(self) -> None:
        self._raw.encode()

    def __bool__(self) -> bool:
        return bool(self._raw)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text | str) and self._raw == opened(other)

    def __hash__(self) -> int:
        return hash(self._raw)

    def __repr__(self) -> str:
        return f"<Text of {len(self._raw)} characters>"

    def _refuse(self, *_: object) -> NoReturn:
        raise UnquotedError("free text must pass a quoting filter")

    __str__ = __format__ = __iter__ = __len__ = __getitem__ = __contains__ = _refuse
    __add__ = __radd__ = __mul__ = __rmul__ = __mod__ = __lt__ = __gt__ = __le__ = __ge__ = _refuse


def md(text: Text | str) -> str:
    """Return inline Markdown (CommonMark, GitHub's tables and links) that shows the text itself.

    Line breaks and runs of blanks are folded to one blank. The result is safe anywhere in a
    paragraph, heading, list item, link text or table cell, even at its start.
    """
    return _md(opened(text))


@lru_cache(maxsize=1000)  # tables repeat types and limits
def _md(text: str) -> str:
    text = _MARKDOWN.sub(r"\\\g<0>", _line(text))
    text = _AT_START.sub(r"\1\\", text)
    return _ADDRESS.sub(r"\g<0>\\", text)


def md_block(text: Text | str) -> str:
    """Return Markdown paragraphs that show the text, for lines of their own; its lines are kept.

    Blank lines separate paragraphs; other line ends are hard line breaks. Blanks are folded.
    """
    paragraphs = re.split(r"\n\s*\n", re.sub("\r\n?", "\n", opened(text)))
    shown = ([md(line) for line in part.split("\n")] for part in paragraphs)
    return "\n\n".join("\\\n".join(filter(None, lines)) for lines in shown if any(lines))


def md_code(text: Text | str) -> str:
    """Return a Markdown code span that shows the text, folded as by `md`; safe in table cells."""
    code = _line(text)
    return f"`{code}`" if code and not set(code) & set("`|") else f"<code>{md(code)}</code>"


def toml(text: Text | str) -> str:
    """Return a basic string of TOML 1.0, also valid as a key; `tomllib` reads the text back."""
    return yaml(text)  # They share these escapes.


def json_visible(document: str) -> str:
    """Return an equivalent JSON document, with escapes for invisible characters in its strings."""
    if document.isascii() and "\x7f" not in document:  # as most are; JSON has escaped the rest
        return document
    return re.sub(rf"(?![\n]){_INVISIBLE.pattern}", lambda c: _json_escape(c[0]), document)


def yaml(text: Text | str) -> str:
    """Return a double-quoted YAML scalar on one line; YAML 1.1 and 1.2 read the text back."""
    escaped = re.sub(
        f'{_INVISIBLE.pattern}|["\\\\]',
        lambda c: _SHORT_ESCAPES.get(c[0]) or _escape(c[0]),
        opened(text),
    )
    return f'"{escaped}"'


def comment(text: Text | str) -> str:
    """Return one line to follow `# `; blanks are folded as by `md`.

    Text that a tool would read as a directive (`noqa`, `type: ignore`, `fmt: off`, `coding: …`, a
    Dockerfile's `syntax=…`) is quoted, split by a blank, or has its `#` escaped.
    """
    line = re.sub(r"(?i)#(?=\s*(?:noqa|nosec|[\w.-]+\s*[:=]))", r"\\u0023", _line(text))
    line = re.sub(r"(?i)(coding|\b(?:vim?|ex))(?=[:=])", r"\1 ", line)
    return f'"{line}"' if re.match(r"(?i)[!/%-]|noqa|nosec|[\w.-]+ ?[:=]", line) else line


def sh(text: Text | str) -> str:
    """Return one word of a POSIX shell on one line; the shell reads the text, with U+FFFD for NUL.

    Line breaks and other invisible characters need `$'…'` (POSIX.1-2024; bash, zsh, busybox). An
    older shell then reads another text, but still one word.
    """
    raw = opened(text).replace("\0", "\ufffd")
    if not _INVISIBLE.search(raw):
        return shlex.quote(raw)
    escaped = re.sub(
        f"{_INVISIBLE.pattern}|['\\\\]",
        lambda c: "".join(f"\\{byte:03o}" for byte in c[0].encode()),
        raw,
    )
    return f"$'{escaped}'"


def dockerfile(text: Text | str) -> str:
    """Return one word of a Dockerfile's ENV, LABEL or ARG, without expansion; folded as by `md`."""
    return '"' + re.sub(r'["\\$]', r"\\\g<0>", _line(text)) + '"'


Filters: TypeAlias = Mapping[str, Callable[..., str]]
"""Quoting filters by name."""

FILTERS: Filters = MappingProxyType(
    {f.__name__: f for f in (md, md_block, md_code, toml, yaml, comment, sh, dockerfile)}
)


def readable(*texts: str | None) -> str:
    """Return the first of the texts that is not blank, or an empty string."""
    return next((text for text in texts if text and not text.isspace()), "")


def summary(description: str) -> str:
    """Return the first sentence of a description, at most to the end of its line."""
    line = next((line for line in description.splitlines() if line.strip()), "").strip()
    return re.split(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)(?<!vs\.)\s", line, maxsplit=1)[0]


def opened(text: Text | str) -> str:
    """Return the raw text, for a filter to quote. Raises TypeError for anything else."""
    if isinstance(text, Text):
        return text._raw
    if isinstance(text, str):
        return text
    raise TypeError(f"takes text, not a value of type {type(text).__name__}")


def _line(text: Text | str) -> str:
    return visible(_BLANKS.sub(" ", opened(text)).strip())


def visible(text: str, keep: str = "") -> str:
    """Replace each invisible character, except those in `keep`, with its Python escape."""
    if text.isascii() and text.isprintable():  # faster than a search
        return text
    return _INVISIBLE_IN_PROSE.sub(lambda c: c[0] if c[0] in keep else _escape(c[0]), text)


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _json_escape(character: str) -> str:
    """Escape as `_escape` does, but with two surrogates beyond U+FFFF, as JSON has no `\\U`."""
    halves = character.encode("utf-16-be").hex()
    return "".join(f"\\u{halves[at : at + 4]}" for at in range(0, len(halves), 4))


def wrapped(line: str, width: int, before: int = 0) -> list[str]:
    """Break a line at blanks; lines after a list's bullet or number keep its indent.

    The first part leaves room for `before` more columns, and starts with as many blanks.
    """
    if len(line) + before <= width and line.isprintable():  # as most are
        return [(" " * before + line).rstrip()]
    bullet = re.match(r" *(?:(?:[-*+]|\d+[.)]) +)?", line)
    parts = textwrap.wrap(
        line,
        width,
        initial_indent=" " * before,
        subsequent_indent=" " * len(bullet[0] if bullet else ""),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [part.rstrip() for part in parts] or [""]
