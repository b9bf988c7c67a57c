"""Import a source into a spec, and verify that its server has the same lists as the source."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from msgspec import DecodeError, Struct
from msgspec.json import decode
from msgspec.structs import asdict

from scaffold.base.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.base.diagnostics.wording import quote
from scaffold.changes.compare import EntryChange, compare
from scaffold.disk.merge import Conflict, Merged
from scaffold.disk.records import choices_at, imported_at
from scaffold.disk.swap import save
from scaffold.disk.tree import Snapshot, failure, has_markers
from scaffold.format.check import LoadedSpec, load
from scaffold.format.lint import lint
from scaffold.project import chosen
from scaffold.project.attachments import Attached
from scaffold.project.generate import generated_from
from scaffold.sources.fitting import fitted
from scaffold.sources.lists import without_library
from scaffold.sources.openapi.operations import identity
from scaffold.sources.reimport import merge_entries
from scaffold.sources.selection import selected
from scaffold.sources.source import KINDS, Source
from scaffold.sources.upstream import proxied
from scaffold.yaml.source import parse

CATALOG = "/_generated/catalog.json"


class Choices(Struct, frozen=True):
    """The options of an import, which hold for the next one into the same file."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    proxy: bool = False
    env: tuple[str, ...] = ()


class Imported(Struct, frozen=True):
    """An imported spec: its path, and a report about it.

    `left_out` are the faults of parts that a spec cannot hold, and that it therefore lacks.
    `changes` say what is new since the last import into the same file, None for the first.
    `conflicts` are its lines, from 0, that were also edited by hand.
    """

    path: Path
    source: Source
    left_out: tuple[Diagnostic, ...]
    warnings: tuple[Diagnostic, ...]
    changes: tuple[EntryChange, ...] | None
    conflicts: tuple[Conflict, ...]


def imported(
    source: Source,
    path: Path | None,
    include: Sequence[str],
    exclude: Sequence[str],
    proxy: bool = False,
    env: Sequence[str] = (),
) -> Imported:
    """Write the spec of a source to `path`, by default `./NAME.yaml`.

    `proxy` passes calls on to the source, whose command needs the variables `env`. If `path` was
    imported before, the new spec is merged with the edits made since; without any of the options,
    those of the last import hold. Raises ScaffoldError, and writes nothing, if the source cannot be
    a spec, if its server would not list the same, or if `path` is not from an import.
    """
    path = path or Path(f"{source.spec['name']}.yaml")
    try:
        record, choices = (path.parent / at(path.name) for at in (imported_at, choices_at))
    except ValueError:
        message, hint = f"`{path}` is not a portable file name", "choose another with `-o`"
        raise ScaffoldError.of("not-importable", message, path, hint) from None
    options = Choices(tuple(include), tuple(exclude), proxy, tuple(env))
    if options == Choices():
        options = _last_choices(choices)
    source = proxied(source, options.env) if options.proxy else without_library(source)
    before, base = _read(path), _read(record)
    names = _last_names(path, base)
    source = selected(source, options.include, options.exclude, names)
    loaded, source, left_out = fitted(source, path)
    _verify(loaded, source)
    text = loaded.document.text
    merged, changes = Merged(text, ()), None
    if before is not None:
        old = _imported_before(path, before, base)
        merged = merge_entries(str(path), old, before.text() or "", text)
        changes = compare(load(parse(old, str(path)), chosen.ANY).spec, loaded.spec)
    for file, content, read in (
        (path, merged.text, before),
        (record, text, base),
        (choices, json.dumps(asdict(options)) + "\n", _read(choices)),
    ):
        save(file, *((read.encode(content), read.data) if read else (content.encode(), None)))
    warnings = lint(loaded.spec, loaded.document)
    return Imported(path, source, left_out, warnings, changes, merged.conflicts)


def _last_choices(path: Path) -> Choices:
    """Return the options of the last import, which are kept at `path`, as far as they are known."""
    record = _read(path)
    try:
        return decode(record.data, type=Choices) if record else Choices()
    except DecodeError:  # edited by hand
        return Choices()


def _last_names(path: Path, base: Snapshot | None) -> Mapping[str, str]:
    """Return the names of the last import into `path`, by what their tools call."""
    tools = load(parse(base.text() or "", str(path)), chosen.ANY).spec.tools if base else ()
    return {
        identity(tool.handler.http.method, tool.handler.http.path): tool.name
        for tool in tools
        if tool.handler and tool.handler.http
    }


def _imported_before(path: Path, before: Snapshot, base: Snapshot | None) -> str:
    """Return the text of a file after the last import. Raises ScaffoldError if there was none."""
    if has_markers(before.data):
        message, hint = f"`{path}` has unresolved conflicts", "resolve them, then import again"
        raise ScaffoldError.of("unresolved-merge", message, path, hint)
    if base is None:
        message = f"`{path}` already exists, and was not written by `import`"
        raise ScaffoldError.of("not-imported", message, path, "choose another with `-o`")
    return base.text() or ""


def _verify(loaded: LoadedSpec, source: Source) -> None:
    """Generate the project in memory. Raises ScaffoldError if it lists anything else than the source."""
    generated = generated_from(loaded, Attached(), Path(), MappingProxyType({}))
    [catalog] = [file.text for path, file in generated.files.items() if path.endswith(CATALOG)]
    faults = [
        Diagnostic("import-differs", line, Place(source.name), "leave it out with `--exclude`")
        for line in differences(source, catalog)
    ]
    if faults:
        raise ScaffoldError(faults)


def differences(source: Source, catalog: str) -> Iterator[str]:
    """Yield a line about each difference between the lists of a source and a generated catalog.

    The values must be equal as JSON: `1` and `1.0` are, `1` and `true` are not.
    """
    generated = json.loads(catalog)
    for kind, key in KINDS.items():
        there, here = source.listed.get(kind, ()), generated.get(kind, [])
        by_key = {entry.get(key): entry for entry in here}
        for entry in there:
            at = f"{kind}/{entry.get(key)}"
            if entry.get(key) in by_key:
                yield from _unequal(entry, by_key[entry.get(key)], at)
            else:
                yield f"{quote(at)} is not in the generated list"
        if len(here) > len(there):
            yield f"`{kind}` has {len(here)} entries, and the source {len(there)}"


def _unequal(old: object, new: object, at: str) -> Iterator[str]:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in {**old, **new}:
            if key not in new:
                yield f"{quote(f'{at}/{key}')} is missing"
            elif key not in old:
                yield f"{quote(f'{at}/{key}')} was added"
            else:
                yield from _unequal(old[key], new[key], f"{at}/{key}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for n, (left, right) in enumerate(zip(old, new, strict=True)):
            yield from _unequal(left, right, f"{at}/{n}")
    elif old != new or isinstance(old, bool) is not isinstance(new, bool):
        yield f"{quote(at)} is {quote(json.dumps(new))}, and in the source {quote(json.dumps(old))}"


def _read(path: Path) -> Snapshot | None:
    try:
        return Snapshot(path.read_bytes(), 0o666)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise failure("unreadable-file", path, error) from error
