"""The sandbox of templates, in which they can only print the project.

Templates are untrusted code. They run in Jinja's immutable sandbox, see what the contract in
`templates/README.md` lists, reach no file but the layers' templates, and cannot print free text
raw. Every mistake becomes a diagnostic at the line where it happened.
"""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import reduce, wraps
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import jinja2
from jinja2 import (
    FileSystemBytecodeCache,
    FunctionLoader,
    StrictUndefined,
    TemplateNotFound,
    Undefined,
)
from jinja2.bccache import Bucket
from jinja2.exceptions import SecurityError, TemplateError, TemplateSyntaxError, UndefinedError
from jinja2.filters import FILTERS
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import missing
from msgspec import Struct

from scaffold.base.data import FILTERS as QUOTING
from scaffold.base.data import Data
from scaffold.base.diagnostics import Diagnostic, Place
from scaffold.base.diagnostics.wording import did_you_mean
from scaffold.base.text import Filters, Text, UnquotedError, opened
from scaffold.languages.names import case_filters
from scaffold.packs import builtin_packs
from scaffold.packs.pack import Pack
from scaffold.packs.table import suggestion
from scaffold.packs.traits import traits

HEADER = "header.j2"
"""The template at the top of every file."""

JINJA_FILTERS = frozenset(
    {"capitalize", "default", "first", "indent", "items", "join", "last", "length", "list"}
    | {"lower", "map", "reject", "rejectattr", "replace", "select", "selectattr", "sort", "trim"}
    | {"unique", "upper"}
)
"""The Jinja filters in the contract; none of them escapes, guesses or is random."""

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


class Sandbox(ImmutableSandboxedEnvironment):
    """The environment of one run, which looks up templates in the topmost layer first.

    `quoting` are the filters that quote free text. `origins` names each template file as
    `@pack/path`; `sources` has its text, by the path of the file.
    """

    def __init__(self, layers: Sequence[Pack], filters: Filters) -> None:
        super().__init__(
            loader=FunctionLoader(self._load),
            undefined=_Undefined,
            finalize=printable,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            bytecode_cache=_CompiledTemplates(),
        )
        self.globals.clear()
        self.quoting = {**filters, **QUOTING}
        self.filters = {name: FILTERS[name] for name in JINJA_FILTERS}
        own = {**self.quoting, **case_filters(traits(layers).reserved)}
        self.filters |= {name: _naming_itself(name, function) for name, function in own.items()}
        self._layers = layers
        self.origins: dict[str, str] = {}
        self.sources: dict[str, str] = {}
        for pack in layers:
            for path, source in pack.templates.items():
                self.origins[str(pack.folder / path)] = f"@{pack.name}/{path}"
                self.sources[str(pack.folder / path)] = source

    def getattr(self, obj: object, attribute: str) -> Any:
        """Return an attribute or item; data of the spec has only items."""
        if isinstance(obj, Data | _Absent):
            return self.getitem(obj, attribute)
        return super().getattr(obj, attribute)

    def getitem(self, obj: object, argument: Any) -> Any:
        """Return an item or attribute; data of the spec has only items, and may lack any."""
        if isinstance(obj, _Absent):
            return obj
        if not isinstance(obj, Data):
            return super().getitem(obj, argument)
        known = isinstance(argument, str | Text) and argument in obj
        return obj[argument] if known else _Absent(obj=obj, name=argument)

    def is_safe_attribute(self, obj: object, attr: str, value: object) -> bool:
        """Return whether an attribute is safe: of the project, all that can be printed."""
        if isinstance(obj, Struct) and not (attr.startswith("_") or callable(value)):
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
                known = {path for pack in self._layers for path in (*pack.templates, *pack.copied)}
                hint = did_you_mean(
                    str(error), sorted(known), "`mcp-scaffold pack show` lists all templates"
                )
            case UndefinedError():
                kind = "template-undefined"
            case SecurityError():
                kind = "template-unsafe"
            case UnquotedError():
                kind, message = "template-unquoted", f"{message}: {', '.join(self.quoting)}"
            case RecursionError():
                message = "infinite recursion: the template extends, includes or calls itself"
                hint = 'to extend the template of another layer, write `{% extends "@pack/…" %}`'
            case TypeError() | ValueError():
                pass
            case _:
                message = f"{type(error).__name__}: {message}"
        path, line = next((here for here in reversed(at) if here[0] in self.sources), ("", 0))
        if not path:
            return Diagnostic(kind, message, otherwise, hint or None)
        message = f"{message} (in `{self.origins[path]}`)"
        return Diagnostic(kind, message, self.place(path, line), hint or None)

    def find(self, name: str) -> tuple[Pack, str]:
        """Return the topmost layer that has a template or a file to copy, and its path there.

        For `@pack/path`, the layers above that pack are left out. Raises TemplateNotFound.
        """
        layers, path = self._layers, name
        if name.startswith("@"):
            top, _, path = name[1:].partition("/")
            names = [pack.name for pack in layers]
            layers = layers[names.index(top) :] if top in names else ()
        for pack in layers:
            if path in pack.templates or path in pack.copied:
                return pack, path
        raise TemplateNotFound(name)

    def _load(self, name: str) -> tuple[str, str, None]:
        pack, path = self.find(name)
        if path not in pack.templates:  # a file to copy
            raise TemplateNotFound(name)
        text = pack.templates[path]
        is_cut = path == HEADER and text and not text.endswith("\n")  # a file follows
        return f"{text}\n" if is_cut else text, str(pack.folder / path), None

    def place(self, path: str, line: int) -> Place:
        """Return the place of a line in a template file, one of `sources`."""
        lines = re.split("\r\n?|\n", self.sources[path])
        return Place(path, line, excerpt=lines[line - 1] if line <= len(lines) else None)


def _naming_itself(name: str, filter: Callable[..., str]) -> Callable[..., str]:
    """Wrap a filter to name it in its errors: those of Python report only what failed inside."""

    @wraps(filter)
    def named(value: object, *args: Any, **options: Any) -> str:
        if isinstance(value, Undefined):
            str(value)  # raises the error that names the undefined value
        try:
            return filter(value, *args, **options)
        except (TypeError, ValueError) as error:
            raise TypeError(f"filter `{name}`: {error}") from None

    return named


def printable(value: object) -> object:
    """Return `value` if it looks the same in every language; raise TypeError otherwise."""
    if type(value) is str:  # as most are
        return value
    if isinstance(value, Text):
        return str(value)
    if isinstance(value, bool) or not isinstance(value, str | int | float | Undefined):
        raise TypeError(
            f"cannot print a value of type {type(value).__name__}: print a part of it, or quote it"
        )
    return value


class _CompiledTemplates(FileSystemBytecodeCache):
    """Jinja's cache of compiled templates, in `__pycache__` beside the built-in packs.

    Compiling takes ten times as long as rendering. Only templates that came with mcp-scaffold are
    cached: whoever can write there can change the program itself. There is one file for each, which
    a newer version replaces. PYTHONDONTWRITEBYTECODE turns off writing here too.
    """

    def __init__(self) -> None:
        self._packs = builtin_packs()
        super().__init__(str(self._packs / "__pycache__"), "%s.jinja")
        options = Path(__file__).stat().st_mtime_ns  # this module determines the compiled form too
        self._made_by = f"{jinja2.__version__} {options}"

    def get_source_checksum(self, source: str) -> str:
        """Return a checksum of all that a template is compiled from."""
        return super().get_source_checksum(f"{self._made_by} {source}")

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """Return the key of a template; empty if it is not to be cached."""
        is_ours = filename is not None and Path(filename).is_relative_to(self._packs)
        return super().get_cache_key(name, filename) if is_ours else ""

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(EOFError, UnpicklingError):  # a damaged file: compile anew
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.key and not sys.dont_write_bytecode:
            with suppress(OSError):  # a read-only installation: compile each time
                Path(self.directory).mkdir(exist_ok=True)
                super().dump_bytecode(bucket)


class _Undefined(StrictUndefined):
    """An undefined value, whose message has a hint on its second line."""

    @property
    def _undefined_message(self) -> str:
        if self._undefined_hint:
            return self._undefined_hint
        name, owner = str(self._undefined_name), self._undefined_obj
        if owner is missing:
            return f"`{name}` is undefined\ntemplates can use `project` and the item of `each`"
        known = [known for known in dir(owner) if not known.startswith("_")]
        hint = suggestion(name, known if isinstance(owner, Struct) else ())
        return f"`{type(owner).__name__}` has no `{name}`\n{hint or ''}"


class _Absent(Undefined):
    """A missing value in data of the spec: false, empty, equal to nothing, and not printable."""

    def __str__(self) -> str:
        raise UndefinedError(self._undefined_message)

    @property
    def _undefined_message(self) -> str:
        name, known = str(self._undefined_name), map(opened, self._undefined_obj)
        hint = did_you_mean(name, [*known], "add `| default(…)` for values that can be missing")
        return f"the spec has no `{name}` here\n{hint}"
