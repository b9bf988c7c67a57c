"""A project and the layers of a pack into the files that shall be on disk.

Templates are strangers' code: they run in Jinja's immutable sandbox, see the project and the
filters of the contract, reach no file but the layers' templates, and cannot print free text raw.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from functools import reduce
from pathlib import PurePosixPath

from jinja2 import BaseLoader, Environment, StrictUndefined, TemplateNotFound, Undefined
from jinja2.exceptions import SecurityError, TemplateError, TemplateSyntaxError, UndefinedError
from jinja2.filters import FILTERS
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import missing

from scaffold.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.files import RenderedFile, RenderedFiles
from scaffold.project import layout, text
from scaffold.render.pack import Pack, Row, project_path, suggestion

JINJA_FILTERS = frozenset(
    {"capitalize", "first", "indent", "items", "join", "last", "length", "list", "lower", "map"}
    | {"reject", "rejectattr", "replace", "select", "selectattr", "sort", "trim", "unique", "upper"}
)
"""The filters of Jinja that the contract keeps: none that escapes, guesses or draws lots."""

_MISTAKES = (
    TemplateError,
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)


def render(project: object, layers: Sequence[Pack]) -> RenderedFiles:
    """Render every row of `layers` (the topmost first) that applies to `project`.

    Each file has `\\n` line ends and ends in exactly one, or is empty. `origin` is the template as
    `@pack/path`; `about` is the attribute of that name of the tool, prompt … that a row fans out
    over. Raises ScaffoldError with every row that fails and every path that is claimed twice.
    """
    environment = _Environment(layers)
    made: list[tuple[RenderedFile, Place]] = []
    faults: list[Diagnostic] = []
    for row in _rows(layers):
        try:
            made += ((file, row.place) for file in _files(row, project, environment))
        except _MISTAKES as error:
            faults.append(_diagnostic(error, row, environment))
    faults += _clashes(made)
    if faults:
        raise ScaffoldError(faults)
    return RenderedFiles({file.path: file for file, _ in made})


def _rows(layers: Sequence[Pack]) -> Iterator[Row]:
    """The rows of all layers; those of a template replace those that lower layers have for it."""
    seen: set[str] = set()
    for pack in layers:
        yield from (row for row in pack.rows if row.template not in seen)
        seen.update(row.template for row in pack.rows)


def _files(row: Row, project: object, environment: _Environment) -> Iterator[RenderedFile]:
    template = environment.get_template(row.template)
    path = environment.from_string(row.path)
    every = environment.getattr(project, f"{row.each}s") if row.each else [project]
    for one in every:
        names = {"project": project, row.each or "project": one}
        if row.when and not environment.value(row.when, names):
            continue
        yield RenderedFile(
            path=project_path(path.render(names)),
            owner=row.owner,
            text=_ended(template.render(names)),
            origin=environment.origins[template.filename or ""],
            about=str(environment.getattr(one, "about")) if row.each else None,
            executable=row.executable,
        )


def _ended(rendered: str) -> str:
    body = re.sub("\r\n?", "\n", rendered).rstrip()
    return f"{body}\n" if body else ""


def _clashes(made: Sequence[tuple[RenderedFile, Place]]) -> Iterator[Diagnostic]:
    """Paths that two files claim, letter case aside, or one as a file and one as a folder."""
    claims: dict[str, RenderedFile] = {}
    for file, place in made:
        other = claims.setdefault(file.path.casefold(), file)
        if other is not file:
            yield Diagnostic(
                "path-claimed",
                f"{_claim(file)} and {_claim(other)} both claim `{file.path}`",
                place,
                "give each file a path of its own, or a `when` that only one of them meets",
            )
    for file, place in made:
        for folder in PurePosixPath(file.path.casefold()).parents:
            if rival := claims.get(str(folder)):
                message = f"{_claim(file)} needs the folder `{rival.path}`, {_claim(rival)} a file"
                yield Diagnostic("path-claimed", message, place)


def _claim(file: RenderedFile) -> str:
    return f"`{file.origin}`" + (f" for `{file.about}`" if file.about else "")


class _Loader(BaseLoader):
    """Finds a template in the topmost layer that has it; `@pack/path` looks from that pack down."""

    def __init__(self, layers: Sequence[Pack]) -> None:
        self.layers = layers

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, None]:
        layers, path = self.layers, template
        if template.startswith("@"):
            name, _, path = template[1:].partition("/")
            layers = [*layers][[pack.name for pack in layers].index(name) :]
        for pack in layers:
            if path in pack.templates:
                return pack.templates[path], str(pack.folder / path), None
        raise TemplateNotFound(template)

    def list_templates(self) -> list[str]:
        return sorted({path for pack in self.layers for path in pack.templates})


class _Undefined(StrictUndefined):
    """Something undefined, whose message tells in a second line what there is instead."""

    @property
    def _undefined_message(self) -> str:
        if self._undefined_hint or self._undefined_obj is missing:
            return self._undefined_hint or f"`{self._undefined_name}` is undefined"
        owner, name = self._undefined_obj, str(self._undefined_name)
        known = [known for known in dir(owner) if not known.startswith("_")]
        hint = suggestion(name, known if is_dataclass(owner) else ())
        return f"`{type(owner).__name__}` has no `{name}`\n{hint or ''}"


class _Environment(ImmutableSandboxedEnvironment):
    """The sandbox of one run; `origins` names each template file as `@pack/path`."""

    def __init__(self, layers: Sequence[Pack]) -> None:
        super().__init__(
            loader=_Loader(layers),
            undefined=_Undefined,
            finalize=_printable,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        self.globals.clear()
        self.filters = {
            **{name: FILTERS[name] for name in JINJA_FILTERS},
            **text.FILTERS,
            "imports": layout.imports,
            "lay": layout.lay,
            "literal": layout.literal,
            "statement": layout.statement,
        }
        self.sources = {
            str(pack.folder / path): source
            for pack in layers
            for path, source in pack.templates.items()
        }
        self.origins = {
            str(pack.folder / path): f"@{pack.name}/{path}"
            for pack in layers
            for path in pack.templates
        }

    def value(self, dotted: str, names: Mapping[str, object]) -> object:
        """What a dotted name stands for, undefined if nothing."""
        first, *rest = dotted.split(".")
        start = names[first] if first in names else self.undefined(name=first)
        return reduce(self.getattr, rest, start)


def _printable(value: object) -> object:
    """Pass what has one form in every language; the rest must be quoted, or is a mistake."""
    if isinstance(value, text.Text):
        return str(value)
    if isinstance(value, bool) or not isinstance(value, str | int | float | Undefined):
        raise TypeError(f"`{value!r}` is no text: print one of its attributes, or quote it")
    return value


def _diagnostic(error: Exception, row: Row, environment: _Environment) -> Diagnostic:
    """Say what went wrong, at the innermost line of a template that was being rendered."""
    message, _, hint = str(error).partition("\n")
    kind, sources = "template-failed", environment.sources
    frames = [
        (frame.filename, frame.lineno or 1) for frame in traceback.extract_tb(error.__traceback__)
    ]
    match error:
        case TemplateSyntaxError():
            kind = "template-syntax"
            frames = [(error.filename or "", error.lineno)]
            if unknown := re.match(r"No filter named '(\w+)'", message):
                hint = suggestion(unknown[1], environment.filters) or ""
        case TemplateNotFound():
            kind, message = "template-missing", f"no template `{message}`"
            hint = suggestion(str(error), environment.list_templates()) or ""
        case UndefinedError():
            kind = "template-undefined"
            hint = hint or "a template sees `project` and, with `each`, one of its collection"
        case SecurityError():
            kind = "template-unsafe"
        case RecursionError():
            message = "the template extends, includes or calls itself without end"
            hint = 'to extend a template of the same name, name its pack: `{% extends "@pack/…" %}`'
        case TypeError() | ValueError():
            pass
        case _:
            message = f"{type(error).__name__}: {message}"
    place = next((_place(*f, sources) for f in reversed(frames) if f[0] in sources), row.place)
    return Diagnostic(kind, message, place, hint or None)


def _place(path: str, line: int, sources: Mapping[str, str]) -> Place:
    lines = sources[path].splitlines()
    return Place(path, line, excerpt=lines[line - 1] if line <= len(lines) else None)
