"""Render a project with the layers of a pack."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from scaffold.base.diagnostics import Diagnostic, ScaffoldError
from scaffold.base.files import RelPath, RenderedFile, RenderedFiles, clashes
from scaffold.base.text import Filters
from scaffold.packs.blocks import lost
from scaffold.packs.pack import Pack
from scaffold.packs.parts import is_copied, is_runtime
from scaffold.packs.sandbox import HEADER, MISTAKES, Sandbox, printable
from scaffold.packs.table import PLACEHOLDER, Row, project_path


def render(project: object, layers: Sequence[Pack], filters: Filters) -> RenderedFiles:
    """Render every row of `layers` (the topmost first) that applies to `project`.

    `filters` are those of the language, beside the ones for any text. Each file has `\\n` line ends
    and ends in exactly one, or is empty. `origin` is the template as `@pack/path`; `about` is the
    attribute of that name of the item that the row fans out over. Raises ScaffoldError with every
    row that fails, every path that is claimed twice, and every text that would be lost.
    """
    sandbox = Sandbox(layers, filters)
    files: list[RenderedFile] = []
    faults: list[Diagnostic] = []
    for row in _rows(layers):
        try:
            files += _files(row, project, sandbox)
        except MISTAKES as error:
            faults.append(sandbox.diagnostic(error, row.place))
    faults += [*clashes(files), *lost(layers, sandbox)]
    if faults:
        raise ScaffoldError(faults)
    return RenderedFiles({file.path: file for file in files})


def _rows(layers: Sequence[Pack]) -> list[Row]:
    """Return the rows of all layers; a layer's rows for a template replace those of lower layers.

    Lower layers' rows for templates in a layer's `without` are left out. The lowest layer comes
    first, since of two claims for a path, the upper one is reported.
    """
    rows: list[Row] = []
    seen: set[str] = set()
    for pack in layers:
        rows[:0] = (row for row in pack.table.rows if row.template not in seen)
        seen.update((row.template for row in pack.table.rows), pack.table.without)
    return rows


def _files(row: Row, project: object, sandbox: Sandbox) -> Iterator[RenderedFile]:
    every = sandbox.getattr(project, f"{row.each}s") if row.each else [project]
    template = None
    for item in every:
        names = {"project": project, row.each or "project": item}
        if row.when and not sandbox.value(row.when, names):
            continue
        pack, path = sandbox.find(row.template)
        text, data = "", None
        if is_copied(path):
            data = pack.copied[path]
        elif is_runtime(path):
            header = sandbox.get_template(HEADER).render(project=project)
            text = _ended(header) + _ended(pack.templates[path])
        else:
            template = template or sandbox.get_template(row.template)
            text = _ended(template.render(names))
        yield RenderedFile(
            path=_path(row.path, names, sandbox),
            owner=row.owner,
            text=text,
            origin=f"@{pack.name}/{path}",
            data=data,
            about=str(sandbox.getattr(item, "about")) if row.each else None,
            executable=row.executable or path in pack.executables,
            kind=row.each,
            place=row.place,
            as_written=is_runtime(row.template),
        )


def _path(path: str, names: Mapping[str, object], sandbox: Sandbox) -> RelPath:
    def filled(placeholder: re.Match[str]) -> str:
        return str(printable(sandbox.value(placeholder[1], names)))

    return project_path(PLACEHOLDER.sub(filled, path))


def _ended(rendered: str) -> str:
    text = re.sub("\r\n?", "\n", rendered).rstrip()
    if half := re.search("[\ud800-\udfff]", text):
        raise ValueError(f"U+{ord(half[0]):04X} is a lone surrogate, which UTF-8 cannot encode")
    return f"{text}\n" if text else ""
