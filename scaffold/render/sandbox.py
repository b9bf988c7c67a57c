"""The sandbox of templates, in which they can only print the project.

Templates are untrusted code. They run in Jinja's immutable sandbox, see what the contract in
`templates/README.md` lists, reach no file but the layers' templates, and cannot print free text
raw. Every mistake becomes a diagnostic at the line where it happened.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import reduce
from typing import Any

from jinja2 import BaseLoader, Environment, StrictUndefined, TemplateNotFound, Undefined
from jinja2.exceptions import SecurityError, TemplateError, TemplateSyntaxError, UndefinedError
from jinja2.filters import FILTERS
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import missing

from scaffold.diagnostics import Diagnostic, Place
from scaffold.packs.pack import Pack
from scaffold.packs.table import suggestion
from scaffold.project.filters import QUOTING
from scaffold.render.compiled import CompiledTemplates
from scaffold.text import Text, UnquotedError

JINJA_FILTERS = frozenset(
    {"capitalize", "first", "indent", "items", "join", "last", "length", "list", "lower", "map"}
    | {"reject", "rejectattr", "replace", "select", "selectattr", "sort", "trim", "unique", "upper"}
)
"""The Jinja filters in the contract: none that escapes, guesses or is random."""

MISTAKES = (
    TemplateError,
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""The exceptions that a faulty template can raise."""


class OutOfTimeError(Exception):
    """The templates have used up their time; see `render_limited`."""


class Sandbox(ImmutableSandboxedEnvironment):
    """The environment of one run, which looks up templates in the topmost layer first.

    `origins` names each template file as `@pack/path`; `sources` has its text.
    """

    def __init__(self, layers: Sequence[Pack]) -> None:
        super().__init__(
            loader=_Loader(layers),
            undefined=_Undefined,
            finalize=printable,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            bytecode_cache=CompiledTemplates(),
        )
        self.globals.clear()
        self.filters = {name: FILTERS[name] for name in JINJA_FILTERS} | dict(QUOTING)
        self._fields: dict[type, frozenset[str]] = {}
        self.origins: dict[str, str] = {}
        self.sources: dict[str, str] = {}
        for pack in layers:
            for path, source in pack.templates.items():
                self.origins[str(pack.folder / path)] = f"@{pack.name}/{path}"
                self.sources[str(pack.folder / path)] = source

    def getattr(self, obj: object, attribute: str) -> Any:
        """Return an attribute or item; the fields of the project skip Jinja's slower checks."""
        kind = type(obj)
        if kind not in self._fields:
            self._fields[kind] = _fields(kind)
        if attribute in self._fields[kind]:
            return getattr(obj, attribute)
        return super().getattr(obj, attribute)

    def is_safe_attribute(self, obj: object, attr: str, value: object) -> bool:
        """Return whether an attribute is safe: of the project, all that can be printed."""
        if is_dataclass(obj) and not (attr.startswith("_") or callable(value)):
            return True
        return super().is_safe_attribute(obj, attr, value)

    def value(self, dotted: str, names: Mapping[str, object]) -> object:
        """Return the value of a dotted name such as `tool.name` in a template, maybe undefined."""
        first, *rest = dotted.split(".")
        start = names[first] if first in names else self.undefined(name=first)
        return reduce(self.getattr, rest, start)

    def diagnostic(self, error: Exception, otherwise: Place) -> Diagnostic:
        """Return the diagnostic for a mistake, at its innermost template line or `otherwise`."""
        message, _, hint = str(error).partition("\n")
        kind = "template-failed"
        at = [(f.filename, f.lineno or 1) for f in traceback.extract_tb(error.__traceback__)]
        match error:
            case TemplateSyntaxError():
                kind, at = "template-syntax", [(error.filename or "", error.lineno)]
                if unknown := re.match(r"No filter named '(\w+)'", message):
                    hint = suggestion(unknown[1], sorted(self.filters)) or ""
            case TemplateNotFound():
                kind, message = "template-missing", f"no template `{message}`"
                hint = suggestion(str(error), self.list_templates()) or ""
            case UndefinedError():
                kind = "template-undefined"
            case SecurityError():
                kind = "template-unsafe"
            case UnquotedError():
                kind, message = "template-unquoted", f"{message}: {', '.join(QUOTING)}"
            case OutOfTimeError():
                kind, message = "template-limit", "the template takes too long"
            case MemoryError():
                kind, message = "template-limit", "the template takes too much memory"
            case RecursionError():
                message = "the template extends, includes or calls itself without end"
                hint = '`{% extends "@pack/…" %}` names the template of another layer'
            case TypeError() | ValueError():
                pass
            case _:
                message = f"{type(error).__name__}: {message}"
        path, line = next((here for here in reversed(at) if here[0] in self.sources), ("", 0))
        if not path:
            return Diagnostic(kind, message, otherwise, hint or None)
        message = f"{message} (in `{self.origins[path]}`)"
        return Diagnostic(kind, message, self._place(path, line), hint or None)

    def _place(self, path: str, line: int) -> Place:
        lines = re.split("\r\n?|\n", self.sources[path])
        return Place(path, line, excerpt=lines[line - 1] if line <= len(lines) else None)


def _fields(kind: type) -> frozenset[str]:
    """Return the names of a dataclass's public fields."""
    names = (field.name for field in fields(kind)) if is_dataclass(kind) else ()
    return frozenset(name for name in names if not name.startswith("_"))


def printable(value: object) -> object:
    """Return `value` if it looks the same in every language; raise TypeError otherwise."""
    if isinstance(value, Text):
        return str(value)
    if isinstance(value, bool) or not isinstance(value, str | int | float | Undefined):
        raise TypeError(f"{type(value).__name__} has no one text: print a part of it, or quote it")
    return value


class _Loader(BaseLoader):
    """Finds a template in the topmost layer that has it; `@pack/path` starts at that pack."""

    def __init__(self, layers: Sequence[Pack]) -> None:
        self.layers = layers

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, None]:
        layers, path = self.layers, template
        if template.startswith("@"):
            name, _, path = template[1:].partition("/")
            names = [pack.name for pack in layers]
            layers = layers[names.index(name) :] if name in names else ()
        for pack in layers:
            if path in pack.templates:
                return pack.templates[path], str(pack.folder / path), None
        raise TemplateNotFound(template)

    def list_templates(self) -> list[str]:
        return sorted({path for pack in self.layers for path in pack.templates})


class _Undefined(StrictUndefined):
    """An undefined value, whose message has a hint on its second line."""

    @property
    def _undefined_message(self) -> str:
        if self._undefined_hint:
            return self._undefined_hint
        name, owner = str(self._undefined_name), self._undefined_obj
        if owner is missing:
            return f"`{name}` is undefined\na template sees `project` and what `each` names"
        known = [known for known in dir(owner) if not known.startswith("_")]
        hint = suggestion(name, known if is_dataclass(owner) else ())
        return f"`{type(owner).__name__}` has no `{name}`\n{hint or ''}"
