"""The table of a pack, `pack.toml`: which template makes which files, and who owns them."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from scaffold import __version__
from scaffold.base.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.base.diagnostics.wording import did_you_mean, join
from scaffold.base.files import Owner, RelPath, is_too_long
from scaffold.base.versions import is_requirement, meets
from scaffold.languages.registry import NAMES
from scaffold.packs.parts import COPIED, RUNTIME, is_copied

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
    """A command that checks a project, and one that mends what it finds, as words of a shell."""

    name: str
    run: str
    fix: str | None = None


class Table(Struct, frozen=True):
    """A checked `pack.toml`.

    `without` are templates whose rows in lower packs are left out. `checks` are what
    `mcp-scaffold check` runs, beside those of lower packs with other names. The rest are values,
    each in the place of that of lower packs; see `Traits`.
    """

    name: str
    extends: str | None
    extends_place: Place
    rows: tuple[Row, ...]
    without: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    texts: Mapping[str, str] = {}
    commands: Mapping[str, tuple[str, ...]] = {}
    publish: Mapping[str, str] = {}
    values: Mapping[str, tuple[str, ...]] = {}

    @property
    def base(self) -> str | None:
        """The address of the pack that it extends, unless that is a built-in one."""
        return self.extends if self.extends and not _NAME(self.extends) else None


def parse_table(text: bytes | None, path: Path, name: str | None = None) -> Table:
    """Parse the `pack.toml` at `path`. Raises ScaffoldError with every fault in it.

    With `name`, it is the table of a project's own templates: it may be missing, and has no name
    and no pack that it extends.
    """
    if text is None and name is not None:
        return Table(name, None, Place(str(path)), ())
    source = _Source.read(path, text)
    _refuse_if_newer(source, name)
    keys = _TABLE_KEYS if name is None else _OWN_KEYS
    data, faults = source.data, list(_faults(source.data, keys, source))
    rows: list[Row] = []
    if not faults:
        modules = data.get("runtime", {}).items()
        rows += [_module(name, when, source.place(None, name)) for name, when in modules]
    for number, table in enumerate(source.rows):
        wrong = list(_faults(table, _ROW_KEYS, source, number))
        if not wrong:
            rows.append(_row(table, source, number))
            wrong += [*_path_faults(rows[-1]), *_merge_faults(rows[-1], source, number)]
        faults += wrong
    if faults:
        raise ScaffoldError(faults)
    place = source.place(None, "extends")
    without = tuple(data.get("without", ()))
    checks = tuple(Check(**check) for check in data.get("checks", ()))
    return Table(
        name or data["name"],
        *(data.get("extends"), place, tuple(rows), without, checks),
        texts={key: data[key] for key in TEXTS if key in data},
        commands={key: _listed(found) for key, found in data.get("commands", {}).items()},
        publish=data.get("publish", {}),
        values={key: tuple(data[key]) for key in VALUES if key in data},
    )


def _listed(value: str | Sequence[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _refuse_if_newer(source: _Source, name: str | None) -> None:
    """Raise ScaffoldError (`pack-requires`) for a pack that needs another mcp-scaffold.

    Its other keys and templates may not make sense to this one.
    """
    whose = f"pack `{name or source.data.get('name')}`"
    match source.data:
        case {"requires": needs} if is_requirement(needs) and not meets(needs):
            key, message = "requires", f"{whose} requires mcp-scaffold {needs}"
            message = f"{message}, but this is {__version__}"
        case {"contract": int(needs)} if needs > CONTRACT:
            key, message = "contract", f"{whose} has contract {needs}"
            message = f"{message}, but mcp-scaffold {__version__} supports contract {CONTRACT}"
        case _:
            return
    place = source.place(None, key)
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


class _Key(Struct, frozen=True):
    """The values that a key may have, as a test and in words."""

    accepts: Callable[[Any], bool]
    words: str
    required: bool = False


def _text(pattern: str) -> Callable[[object], bool]:
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


_NAME = _text(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_ADDRESS = _text(r"\S*[/:]\S*")
_IS_DOTTED = _text(r"[a-z]\w*(\.[a-z]\w*)+")


def _is_check(value: object) -> bool:
    """Return whether a value is a check: two or three texts by their names, none of them empty."""
    match value:
        case {"name": str(name), "run": str(run), "fix": str(fix), **others}:
            return bool(not others and name.strip() and _is_command(run) and _is_command(fix))
        case {"name": str(name), "run": str(run), **others}:
            return bool(not others and name.strip() and _is_command(run))
    return False


def _is_command(text: str) -> bool:
    """Return whether a text is words of a shell, with all quotes closed."""
    try:
        return bool(shlex.split(text))
    except ValueError:
        return False


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _are_commands(value: object) -> bool:
    """Return whether a value is a command, or a list of the ways to start one, for each purpose."""
    return isinstance(value, dict) and all(
        key in PURPOSES
        and (_are_texts(ways) or isinstance(ways, str))
        and all(map(_is_command, _listed(ways)))
        for key, ways in value.items()
    )


def _is_module(row: tuple[str, object]) -> bool:
    """Return whether a row is a module of the runtime, and what must be true for it."""
    return "/" not in row[0] and (row[1] is True or _IS_DOTTED(row[1]))


PURPOSES = ("run", "start", "client", "bundle", "try", "build", "install", "develop")
"""What there are commands for."""

PUBLISHED = ("registry", "runtime", "type", "entry", "needs")
"""What documents say of a package in a registry, and of a bundle."""

TEXTS = ("language", "source", "comment")
"""The texts that are nothing but values."""

VALUES = {
    "programs": "a list of a folder with the programs of a project, and that on Windows",
    "environment": "a list of variables, such as `PYTHONPATH=src`",
    "watches": "a list of files and folders, such as `src`",
    "reserved": "a list of words that no name in code can be, such as `delete`",
    "refuses": "a list of what a spec cannot have, such as `skills`",
    "ignores": "a list of what is left out, such as `telemetry`",
}
"""The lists that are nothing but values, in words."""

_TABLE_KEYS = {
    "name": _Key(_NAME, "lowercase letters and digits, joined by hyphens", required=True),
    "contract": _Key(
        lambda value: type(value) is int and value == CONTRACT,
        f"{CONTRACT}, the contract of this mcp-scaffold",
        required=True,
    ),
    "requires": _Key(is_requirement, "a version requirement, such as `>=0.3`"),
    "extends": _Key(
        lambda value: _NAME(value) or _ADDRESS(value), "the name of a pack, or the address of one"
    ),
    "without": _Key(_are_texts, "a list of templates of the extended packs"),
    "checks": _Key(
        lambda value: isinstance(value, list) and all(map(_is_check, value)),
        'a list of `{ name = "types", run = "mypy" }`, each with a `fix` if there is one',
    ),
    "language": _Key(lambda value: value in NAMES, join(NAMES)),
    "source": _Key(_text(r"[^/]\S*"), "a folder, such as `src/{package}`"),
    "comment": _Key(_text(r"\S+"), "what begins a comment, such as `#`"),
    "commands": _Key(
        _are_commands,
        f"a table of commands, or lists of the ways to start one: {join(PURPOSES)}",
    ),
    "publish": _Key(
        lambda value: isinstance(value, dict) and value.keys() <= {*PUBLISHED},
        f"a table of {join(PUBLISHED, 'and')}",
    ),
    **{key: _Key(_are_texts, words) for key, words in VALUES.items()},
    "runtime": _Key(
        lambda value: isinstance(value, dict) and all(map(_is_module, value.items())),
        'a table of modules, such as `"handlers.py" = true` or `"tools.py" = "project.tools"`',
    ),
    "files": _Key(
        lambda value: isinstance(value, list) and all(isinstance(row, dict) for row in value),
        "a list of tables, each under `[[files]]`",
    ),
}
_OWN_KEYS = {key: _TABLE_KEYS[key] for key in _TABLE_KEYS if key not in ("name", "extends")}
_ROW_KEYS = {
    "template": _Key(
        _text(rf".+\.j2|{COPIED}.+"),
        f"the path of a `.j2` file in the pack, or of one below `{COPIED}`",
        required=True,
    ),
    "path": _Key(
        _text(rf"([^{{}}]|{PLACEHOLDER.pattern})+"), "a path with `{{ dotted.names }}` in it"
    ),
    "owner": _Key(lambda value: value in list(Owner), join(Owner), required=True),
    "each": _Key(_text("[a-z]+(_[a-z]+)*"), "a name in the singular, such as `tool`"),
    "when": _Key(_IS_DOTTED, "a dotted name, such as `project.web`"),
    "executable": _Key(lambda value: isinstance(value, bool), "true or false"),
}


def _faults(
    data: Mapping[str, Any], keys: Mapping[str, _Key], source: _Source, row: int | None = None
) -> Iterator[Diagnostic]:
    """Yield the faults of the keys at the top of the table or, with `row`, in its nth row."""
    for key, value in data.items():
        if key not in keys:
            hint = suggestion(key, keys)
            yield Diagnostic("pack-key", f"unknown key `{key}`", source.place(row, key), hint)
        elif not keys[key].accepts(value):
            message = f"`{key}` is not {keys[key].words}"
            yield Diagnostic("pack-value", message, source.place(row, key))
    for key, allowed in keys.items():
        if allowed.required and key not in data:
            yield Diagnostic("pack-key", f"the key `{key}` is missing", source.place(row))


def _row(table: Mapping[str, Any], source: _Source, number: int) -> Row:
    template = table["template"]
    path = table.get("path", _own_place(template))
    place = source.place(number, "path" if "path" in table else "template")
    choices = {key: table[key] for key in ("each", "when", "executable") if key in table}
    return Row(template, path, Owner(table["owner"]), place, **choices)


def _module(name: str, when: str | bool, place: Place) -> Row:
    """Return the row of a module of the runtime, by the name of its file."""
    template = f"{RUNTIME}{name}"
    path = f"{_SOURCE}_generated/{template}"
    condition = when if isinstance(when, str) else None
    return Row(template, path, Owner.GENERATED, place, when=condition)


def _own_place(template: str) -> str:
    """Return the path of a row without one: that of its template, in the project's package."""
    if is_copied(template):
        return template.removeprefix(COPIED)
    return re.sub("^src/package/", _SOURCE, template).removesuffix(".j2")


def _merge_faults(row: Row, source: _Source, number: int) -> Iterator[Diagnostic]:
    if is_copied(row.template) and row.owner is Owner.MERGED:
        message = f"`{row.template}` is copied unchanged, and cannot be merged"
        hint = "choose `generated`, so that new versions replace it, or `owned`"
        yield Diagnostic("pack-value", message, source.place(number, "owner"), hint)


def _path_faults(row: Row) -> Iterator[Diagnostic]:
    try:
        project_path(PLACEHOLDER.sub("x", row.path))
    except ValueError as error:
        yield Diagnostic("pack-path", str(error), row.place)


class _Source(Struct, frozen=True):
    """TOML as data, and the places of its rows and keys, which `tomllib` does not report.

    `rows` are the tables under `files`; none if that is something else.
    """

    path: str
    data: Mapping[str, Any]
    rows: Sequence[dict[str, Any]]
    places: Mapping[tuple[int | None, str | None], Place]

    @classmethod
    def read(cls, path: Path, data: bytes | None) -> _Source:
        try:
            if data is None:
                raise ValueError("the file does not exist")
            text = data.decode().replace("\r\n", "\n")
            values = tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            at = re.search(r"at line (\d+), column (\d+)", str(error))
            place = Place(str(path), *(map(int, at.groups()) if at else ()))
            message = f"cannot read the pack's table: {error}"
            raise ScaffoldError([Diagnostic("pack-syntax", message, place)]) from error
        rows = values.get("files", [])
        rows = rows if _TABLE_KEYS["files"].accepts(rows) else []
        return cls(str(path), values, rows, _places(str(path), text))

    def place(self, row: int | None = None, key: str | None = None) -> Place:
        """Return the place of `key` in the nth row or at the top, else of the row or the file."""
        otherwise = self.places.get((row, None), Place(self.path))
        return self.places.get((row, key), otherwise)


def _places(path: str, text: str) -> dict[tuple[int | None, str | None], Place]:
    """Return the places of the tables headed `[[files]]`, by number, and of each key in them."""
    found: dict[tuple[int | None, str | None], Place] = {}
    row = None
    for number, line in enumerate(text.split("\n"), 1):
        if re.match(r"\s*\[\[\s*files\b", line):
            row = 0 if row is None else row + 1
            found[row, None] = Place(path, number, excerpt=line)
        elif key := re.match(r"""\s*["']?([\w-]+)["']?\s*=""", line):
            found.setdefault((row, key[1]), Place(path, number, 1, len(key[1]), line))
    return found
