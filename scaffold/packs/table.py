"""The table of a pack, `pack.toml`: which template makes which files, and who owns them."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema_rs import Draft7Validator, Validator
from msgspec import Struct

from scaffold import __version__
from scaffold.base.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.base.diagnostics.wording import did_you_mean, join
from scaffold.base.files import Owner, RelPath, is_too_long
from scaffold.base.shipped import shipped
from scaffold.base.versions import is_requirement, meets
from scaffold.packs.parts import COPIED, RUNTIME, is_copied
from scaffold.schema.mismatch import mismatches
from scaffold.yaml.document import Document, Kid, Node, pointer
from scaffold.yaml.finding import Finding

CONTRACT = 4
"""The version of the contract between packs and mcp-scaffold, `templates/README.md`."""

PLACEHOLDER = re.compile(r"\{\{ *([a-z]\w*(?:\.[a-z]\w*)*) *\}\}")
"""A placeholder in the path of a row: a dotted name in braces."""

_SOURCE = "{{ project.source }}/"
"""The folder with the code of a project; in the paths of templates, it is `src/package/`."""


class Row(Struct, frozen=True):
    """A template, or a file to copy, and the file or files that it makes.

    `path` may hold placeholders. `each` fans out over a collection of the project: `"tool"` makes
    one file for each of `project.tools`, and the template sees it as `tool`. `when` names what must
    be true for the file to be made, as the template sees it: `"project.web"`, `"tool.examples"`.
    """

    template: str
    path: str
    owner: Owner
    place: Place
    each: str | None = None
    when: str | None = None
    executable: bool = False


class Check(Struct, frozen=True):
    """A command that checks a project, and one that fixes the findings, as in a shell."""

    name: str
    run: str
    fix: str | None = None


class Table(Struct, frozen=True):
    """A checked `pack.toml`.

    `without` are templates whose rows in lower packs are left out. `checks` are what `mcp-scaffold
    check` runs, beside those of lower packs with other names. `values` replace those of lower
    packs, in tables key by key; see `Traits`. `places` are their places in the file.
    """

    name: str
    extends: str | None
    extends_place: Place
    rows: tuple[Row, ...]
    without: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    values: Mapping[str, Any] = {}
    places: Mapping[str, Place] = {}


def parse_table(text: bytes | None, path: Path, name: str | None = None) -> Table:
    """Parse the `pack.toml` at `path`. Raises ScaffoldError with every fault in it.

    With `name`, it is the table of a project's own templates: it may be missing, and has no name
    and no pack that it extends.
    """
    if text is None and name is not None:
        return Table(name, None, Place(str(path)), ())
    document = _read(path, text)
    data: Any = document.value
    _refuse_if_newer(document, name)
    try:
        findings = [*mismatches(*_engine(is_own=name is not None), data, "", document)]
    except ValueError as error:  # nested too deeply for the engine
        raise _unreadable(path, error) from error
    faults = [_diagnostic(finding, document) for finding in findings]
    modules = {} if findings else data.get("runtime", {})
    rows = [_module(module, when, document) for module, when in modules.items()]
    written = data.get("files", ())
    for number, row in enumerate(written if isinstance(written, list) else ()):
        if not findings or _row_engine().is_valid(row):
            rows.append(_row(row, document, number))
            faults += _row_faults(rows[-1], document, number)
    if faults:
        raise ScaffoldError(faults)
    return Table(
        name or data["name"],
        data.get("extends"),
        document.place("/extends", key=True),
        tuple(rows),
        tuple(data.get("without", ())),
        tuple(Check(**check) for check in data.get("checks", ())),
        values={key: _value(key, data[key]) for key in VALUES if key in data},
        places={key: document.place(pointer(key), key=True) for key in VALUES if key in data},
    )


def _value(key: str, value: Any) -> Any:
    """Return a value with lists as tuples; a command is a list of ways."""
    if key == "commands":
        return {k: (ways,) if isinstance(ways, str) else tuple(ways) for k, ways in value.items()}
    return tuple(value) if isinstance(value, list) else value


def _refuse_if_newer(document: Document, name: str | None) -> None:
    """Raise ScaffoldError (`pack-requires`) for a pack that needs another mcp-scaffold.

    Its other keys and templates may not make sense to this one.
    """
    data: Any = document.value
    whose = f"pack `{name or data.get('name')}`"
    match data:
        case {"requires": needs} if is_requirement(needs) and not meets(needs):
            key, message = "requires", f"{whose} requires mcp-scaffold {needs}"
            message = f"{message}, but this is {__version__}"
        case {"contract": int(needs)} if needs > CONTRACT:
            key, message = "contract", f"{whose} has contract {needs}"
            message = f"{message}, but mcp-scaffold {__version__} supports contract {CONTRACT}"
        case _:
            return
    place = document.place(pointer(key))
    raise ScaffoldError.of("pack-requires", message, place, "upgrade mcp-scaffold")


def project_path(path: str) -> RelPath:
    """Check a path that a pack claims in a project. Raises ValueError if it is not allowed."""
    checked = RelPath(path)
    if path.casefold().split("/")[0] in (".scaffold", "mcp.yaml"):
        raise ValueError(f"a pack cannot write {path!r}")
    if is_too_long(path):
        raise ValueError(f"too long for some systems: {path[:60]!r}…")
    return checked


def suggestion(word: str, known: Iterable[str]) -> str | None:
    """Return a hint with the known word nearest to `word`, or else with all known words."""
    names = list(known)
    return did_you_mean(word, names, f"choose {join(names)}") if names else None


VALUES = (
    *("language", "source", "comment"),
    *("programs", "environment", "watches", "bundles", "reserved", "refuses", "ignores"),
    *("commands", "publish", "project_file", "shared"),
)
"""The keys of values: texts, lists and tables."""


def schema_text() -> str:
    """Return the JSON Schema of `pack.toml`, as `mcp-scaffold schema --pack` prints it."""
    return (shipped("specs") / "pack.schema.json").read_text("utf-8")


@cache
def _engine(*, is_own: bool) -> tuple[Validator, dict[str, Any]]:
    """Return the validator of a table and its JSON Schema, or those of a project's own table."""
    schema: dict[str, Any] = json.loads(schema_text())
    if is_own:
        schema["required"].remove("name")
        del schema["properties"]["name"], schema["properties"]["extends"]
    formats = {"shell-command": _is_command, "version-requirement": is_requirement}
    return Draft7Validator(schema, offline=True, validate_formats=True, formats=formats), schema


@cache
def _row_engine() -> Validator:
    """Return the validator of a row."""
    _, schema = _engine(is_own=False)
    row = schema["properties"]["files"]["items"]
    return Draft7Validator({**row, "definitions": schema["definitions"]}, offline=True)


def _is_command(text: str) -> bool:
    """Return whether a text is a valid shell command, with all quotes closed."""
    try:
        return bool(shlex.split(text))
    except ValueError:
        return False


def _diagnostic(finding: Finding, document: Document) -> Diagnostic:
    is_key = finding.id in ("unknown-key", "missing-key")
    hint = "add it" if finding.id == "missing-key" else finding.hint
    place = document.place(finding.pointer, key=finding.at_key)
    return Diagnostic("pack-key" if is_key else "pack-value", finding.message, place, hint)


def _row(table: Mapping[str, Any], document: Document, number: int) -> Row:
    template = table["template"]
    path = table.get("path", _own_place(template))
    place = document.place(pointer("files", number, "path" if "path" in table else "template"))
    choices = {key: table[key] for key in ("each", "when", "executable") if key in table}
    return Row(template, path, Owner(table["owner"]), place, **choices)


def _module(name: str, when: str | bool, document: Document) -> Row:
    """Return the row of a module of the runtime, by the name of its file."""
    template = f"{RUNTIME}{name}"
    path = f"{_SOURCE}_generated/{template}"
    condition = when if isinstance(when, str) else None
    place = document.place(pointer("runtime", name))
    return Row(template, path, Owner.GENERATED, place, when=condition)


def _own_place(template: str) -> str:
    """Return the path of a row without one: that of its template, in the project's package."""
    if is_copied(template):
        return template.removeprefix(COPIED)
    return re.sub("^src/package/", _SOURCE, template).removesuffix(".j2")


def _row_faults(row: Row, document: Document, number: int) -> Iterator[Diagnostic]:
    """Yield errors for paths that no pack may claim, and owners that a copied file cannot have."""
    try:
        project_path(PLACEHOLDER.sub("x", row.path))
    except ValueError as error:
        yield Diagnostic("pack-path", str(error), row.place)
    if is_copied(row.template) and row.owner is Owner.MERGED:
        message = f"`{row.template}` is copied unchanged, and cannot be merged"
        hint = "choose `generated`, so that new versions replace it, or `owned`"
        place = document.place(pointer("files", number, "owner"))
        yield Diagnostic("pack-value", message, place, hint)


def _read(path: Path, data: bytes | None) -> Document:
    """Return TOML as JSON values with their places. Raises ScaffoldError (`pack-syntax`)."""
    try:
        if data is None:
            raise ValueError("the file does not exist")
        text = data.decode().replace("\r\n", "\n")
        value = json.loads(json.dumps(tomllib.loads(text), default=str))  # dates become texts
    except (ValueError, RecursionError) as error:
        raise _unreadable(path, error) from error
    return Document(str(path), text, value, _node(value, (), _spans(text)), noun="the table")


def _unreadable(path: Path, error: Exception) -> ScaffoldError:
    at = re.search(r"at line (\d+), column (\d+)", str(error))
    place = Place(str(path), *(map(int, at.groups()) if at else ()))
    return ScaffoldError.of("pack-syntax", f"cannot read the pack's table: {error}", place)


_LINE = re.compile(
    r"""^[ \t]*(?:(?P<header>\[\[?)(?P<table>[^\]\n]+)\]"""
    r"""|(?P<key>(?:"[^"\n]*"|'[^'\n]*'|[\w.-])+)[ \t]*=[ \t]*(?P<value>.*?)[ \t]*(?:\#[^"'\n]*)?$)""",
    re.MULTILINE,
)
"""The header of a table, or a key and its value."""

_KEY = re.compile(r""""([^"]*)"|'([^']*)'|([\w-]+)""")

_Path = tuple[str, ...]
_Spans = dict[_Path, tuple[tuple[int, int], tuple[int, int]]]


def _spans(text: str) -> _Spans:
    """Return the spans of the keys and values of a TOML document, which `tomllib` does not report.

    They are by path. Those inside a value are left out.
    """
    spans: _Spans = {}
    rows: Counter[_Path] = Counter()
    table: _Path = ()
    for line in _LINE.finditer(text):
        path: _Path = tuple("".join(key) for key in _KEY.findall(line["table"] or line["key"]))
        span, value = line.span("table"), line.span("table")
        if not line["header"]:
            path, span, value = table + path, line.span("key"), line.span("value")
        elif line["header"] == "[[":
            rows[path] += 1
            path = table = (*path, str(rows[path] - 1))
        else:
            table = path
        for length in range(1, len(path)):
            spans.setdefault(path[:length], (span, span))
        spans.setdefault(path, (span, value))
    return spans


def _node(value: Any, at: _Path, spans: _Spans) -> Node:
    """Return a value with its span and the nodes inside it, as far as these are known."""
    start, end = spans[at][1] if at else (0, 0)
    if not isinstance(value, dict | list):
        return Node(value, start, end, None, 0)
    kids = {
        str(key): Kid(_node(part, path, spans), spans[path][0])
        for key, part in (value.items() if isinstance(value, dict) else enumerate(value))
        if (path := (*at, str(key))) in spans
    }
    return Node(value, start, end, kids if isinstance(value, dict) else [*kids.values()], 0)
