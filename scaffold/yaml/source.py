"""Read and parse spec files: decode them, enforce limits and build a Document."""

from __future__ import annotations

import codecs
import json
import re
from pathlib import Path
from typing import NamedTuple

import yaml
from msgspec.structs import replace

from scaffold.base.diagnostics import Diagnostic, Place, ScaffoldError, refusal
from scaffold.yaml.compose import Composer, EnoughError
from scaffold.yaml.document import Document, Node
from scaffold.yaml.syntax import syntax_error

MAX_BYTES = 4_000_000
"""The maximum size of a spec file, in bytes."""

_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")
_CONFLICT = re.compile("^<<<<<<<( .*)?$", re.MULTILINE)
_EMPTY = Node(None, 0, 0, None, 0)

_TRAILING = re.compile(r",[ \t\n]*([\]}])")
_NOT_FINITE = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|(NaN|-?Infinity)')
"""A string, or a number that Python reads, and JSON does not have."""


class Encoded(NamedTuple):
    """The text of a file, its byte order mark (if any), and its encoding."""

    text: str
    mark: bytes
    encoding: str

    def encode(self, text: str) -> bytes:
        """Encode another text as this file is encoded."""
        return self.mark + text.encode(self.encoding)


def read(path: Path, name: str | None = None) -> Document:
    """Read a spec file and return its document; messages show `name` as its path.

    Raises ScaffoldError with every error found.
    """
    name = str(path) if name is None else name
    return parse(load(path, name).text, name)


def load(path: Path, name: str) -> Encoded:
    """Read a spec file and decode it; messages show `name` as its path. Raises ScaffoldError."""
    content = contents(path, name, MAX_BYTES, "name a YAML or JSON file", "split the server")
    return decode(content, name)


def contents(path: Path, name: str, most: int, to_read: str, to_shorten: str) -> bytes:
    """Return the bytes of a file; messages show `name` as its path.

    Raises ScaffoldError if it cannot be read, with the hint `to_read`, or has more than `most`
    bytes, with the hint `to_shorten`.
    """
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        message = f"cannot read the file: {reason}"
        raise ScaffoldError.of("unreadable-file", message, name, to_read) from None
    if len(data) > most:
        message = f"the file is larger than {most // 1_000_000} MB"
        raise ScaffoldError.of("file-too-large", message, name, to_shorten)
    return data


def decode(content: bytes, name: str) -> Encoded:
    """Decode the contents of a file; messages show `name` as its path. Raises ScaffoldError."""
    mark = next(filter(content.startswith, _MARKS), b"")
    encoding = _MARKS.get(mark, "utf-8")
    try:
        return Encoded(content[len(mark) :].decode(encoding), mark, encoding)
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode(encoding, "replace")
        line = before.count("\n") + 1
        place = Place(name, line, len(before) - (before.rfind("\n") + 1) + 1)
        known = encoding.upper().removesuffix("-LE").removesuffix("-BE")
        message = f"the byte 0x{error.object[error.start]:02X} is not valid {known}"
        raise ScaffoldError.of("not-utf-8", message, place, "save the file as UTF-8") from None


def parse(text: str, name: str = "mcp.yaml", odd: list[str] | None = None) -> Document:
    """Parse the text of a spec, as YAML 1.2 or JSON, and return its document.

    If a list is given as `odd`, numbers that JSON cannot hold, such as `090` or `.nan`, are text, and
    it gets a sentence about each. Raises ScaffoldError with every error found.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    document = Document(name, text, None, _EMPTY)
    if bad := _UNPRINTABLE.search(text):
        code = f"U+{ord(bad[0]):04X}"
        message = f"YAML does not allow the character {code}"
        hint = f'remove it, or write it as "\\u{ord(bad[0]):04x}" in double quotes'
        raise ScaffoldError.of("control-character", message, document.at(bad.start()), hint)
    if conflict := _CONFLICT.search(text):
        message = "unresolved merge conflict"
        hint = "resolve it, and remove the lines `<<<<<<<`, `=======` and `>>>>>>>`"
        raise ScaffoldError.of("unresolved-merge", message, document.at(*conflict.span()), hint)
    composer = Composer(document, odd)
    faults = composer.faults
    root: Node | None = None
    try:
        root = composer.compose()
    except yaml.MarkedYAMLError as error:
        fault = syntax_error(error, document)
        faults += [fault] if fault not in faults else []
    except EnoughError:
        pass
    if name.endswith(".json") and (strict := _not_json(document)):
        faults = [strict]
    if faults:
        raise refusal(faults, name)
    root = root or _EMPTY
    return replace(document, value=root.value, root=root, is_plain=composer.is_plain)


def _not_json(document: Document) -> Diagnostic | None:
    """Return the diagnostic for the first place where the text of a `.json` file is not JSON."""
    text = document.text
    hint = "JSON has no comments, single quotes or comma after the last item; a `.yaml` file may"
    try:
        json.loads(text, parse_int=float)
    except RecursionError:  # more than `DEPTH`, which is a fault too
        return None
    except json.JSONDecodeError as error:
        at = len(text) - len(text[error.pos :].lstrip(" \t\n"))
        message = f"this is not JSON: {error.msg[0].lower()}{error.msg[1:]}"
        comma = len(text[:at].rstrip(" \t\n")) - 1  # before Python 3.13, `at` is the bracket
        if trailing := _TRAILING.match(text, at) or _TRAILING.match(text, max(comma, 0)):
            at, message = trailing.start(), f"JSON allows no comma before `{trailing[1]}`"
        return Diagnostic("not-json", message, document.at(at), hint)
    numbers = (match for match in _NOT_FINITE.finditer(text) if match[1])
    if number := next(numbers, None):
        message, hint = f"`{number[1]}` is not JSON", "write a number, or remove it"
        return Diagnostic("not-json", message, document.at(*number.span()), hint)
    return None
