"""Read and parse spec files: decode them, enforce limits and build a Document."""

from __future__ import annotations

import codecs
import re
from dataclasses import replace
from pathlib import Path

import yaml

from scaffold.diagnostics import Place, ScaffoldError, refusal
from scaffold.yaml.compose import Composer, EnoughError
from scaffold.yaml.document import Document, Node
from scaffold.yaml.surrogates import join
from scaffold.yaml.syntax import syntax_error

__all__ = ["Document", "parse", "read"]

LARGEST = 4_000_000
"""The maximum size of a spec file, in bytes."""

_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")
_OURS, _THEIRS = (re.compile(f"^{mark * 7}( .*)?$", re.MULTILINE) for mark in "<>")
_EMPTY = Node(None, 0, 0, None, 0)


def read(path: Path, name: str | None = None) -> Document:
    """Read a spec file and return its document; messages show `name` as its path.

    Raises ScaffoldError with every error found.
    """
    name = str(path) if name is None else name
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        message, hint = f"cannot read the spec: {reason}", "name a YAML or JSON file"
        raise ScaffoldError.of("unreadable-file", message, name, hint) from None
    if len(content) > LARGEST:
        message = f"the file is larger than {LARGEST // 1_000_000} MB"
        raise ScaffoldError.of("file-too-large", message, name, "split the server")
    return parse(_decode(content, name), name)


def parse(text: str, name: str = "mcp.yaml") -> Document:
    """Parse the text of a spec, as YAML 1.2 or JSON, and return its document.

    Raises ScaffoldError with every error found.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    document = Document(name, text, None, _EMPTY)
    if bad := _UNPRINTABLE.search(text):
        code = f"U+{ord(bad[0]):04X}"
        message = f"YAML does not allow the character {code}"
        hint = f'remove it, or write it as "\\u{ord(bad[0]):04x}" in double quotes'
        raise ScaffoldError.of("control-character", message, document.at(bad.start()), hint)
    if (ours := _OURS.search(text)) and _THEIRS.search(text, ours.end()):
        message = "unresolved merge conflict"
        hint = "resolve it, and remove the lines `<<<<<<<`, `=======` and `>>>>>>>`"
        raise ScaffoldError.of("unresolved-merge", message, document.at(*ours.span()), hint)
    joined = join(text)
    while True:
        composer = Composer(document, joined)
        faults = composer.faults
        root: Node | None = None
        try:
            root = composer.compose()
        except yaml.MarkedYAMLError as error:
            faults.append(syntax_error(error, document, joined))
        except EnoughError:
            pass
        if not composer.kept:
            break
        joined = join(text, keep=composer.kept)
    if faults:
        raise refusal(faults, name)
    root = root or _EMPTY
    return replace(document, value=root.value, root=root)


def _decode(content: bytes, name: str) -> str:
    encoding = next((e for mark, e in _MARKS.items() if content.startswith(mark)), "utf-8")
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        before = content[: error.start].decode(encoding, "replace")
        line = before.count("\n") + 1
        place = Place(name, line, len(before) - (before.rfind("\n") + 1) + 1)
        message = f"the byte 0x{content[error.start]:02X} is not valid {encoding.upper()}"
        raise ScaffoldError.of("not-utf-8", message, place, "save the file as UTF-8") from None
