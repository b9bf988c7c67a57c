"""Render a project with the layers of a pack."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from scaffold.diagnostics import Diagnostic, ScaffoldError
from scaffold.files import RelPath, RenderedFile, RenderedFiles, clashes
from scaffold.packs.pack import Pack
from scaffold.packs.table import PLACEHOLDER, Row, project_path
from scaffold.render.sandbox import MISTAKES, OutOfTimeError, Sandbox, printable


def render(project: object, layers: Sequence[Pack]) -> RenderedFiles:
    """Render every row of `layers` (the topmost first) that applies to `project`.

    Each file has `\\n` line ends and ends in exactly one, or is empty. `origin` is the template as
    `@pack/path`; `about` is the attribute of that name of the item that the row fans out over.
    Raises ScaffoldError with every row that fails and every path that is claimed twice.
    """
    sandbox = Sandbox(layers)
    made: list[RenderedFile] = []
    faults: list[Diagnostic] = []
    for row in _rows(layers):
        try:
            made += _files(row, project, sandbox)
        except MISTAKES as error:
            faults.append(sandbox.diagnostic(error, row.place))
        except (OutOfTimeError, MemoryError) as error:
            raise ScaffoldError([sandbox.diagnostic(error, row.place)]) from None
    faults += clashes(made)
    if faults:
        raise ScaffoldError(faults)
    return RenderedFiles({file.path: file for file in made})


def _rows(layers: Sequence[Pack]) -> Iterator[Row]:
    """Yield the rows of all layers; a layer's rows for a template replace those of lower layers.

    Lower layers' rows for templates in a layer's `without` are left out.
    """
    seen: set[str] = set()
    for pack in layers:
        yield from (row for row in pack.table.rows if row.template not in seen)
        seen.update(row.template for row in pack.table.rows)
        seen.update(pack.table.without)


def _files(row: Row, project: object, sandbox: Sandbox) -> Iterator[RenderedFile]:
    every = sandbox.getattr(project, f"{row.each}s") if row.each else [project]
    for one in every:
        names = {"project": project, row.each or "project": one}
        if row.when and not sandbox.value(row.when, names):
            continue
        template = sandbox.get_template(row.template)
        yield RenderedFile(
            path=_path(row.path, names, sandbox),
            owner=row.owner,
            text=_ended(template.render(names)),
            origin=sandbox.origins[template.filename or ""],
            about=str(sandbox.getattr(one, "about")) if row.each else None,
            executable=row.executable,
            kind=row.each,
            place=row.place,
        )


def _path(path: str, names: Mapping[str, object], sandbox: Sandbox) -> RelPath:
    def filled(placeholder: re.Match[str]) -> str:
        return str(printable(sandbox.value(placeholder[1], names)))

    return project_path(PLACEHOLDER.sub(filled, path))


def _ended(rendered: str) -> str:
    text = re.sub("\r\n?", "\n", rendered).rstrip()
    if half := re.search("[\ud800-\udfff]", text):
        raise ValueError(f"U+{ord(half[0]):04X} is half a character, which no file can hold")
    return f"{text}\n" if text else ""
