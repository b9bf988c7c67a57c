"""Models for servers without dependencies: plain classes, and how they are read from JSON.

The classes have the attributes of the pydantic models of `definitions.py`. A table in each has a
function for each property that has to be converted when it is read from checked JSON.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from scaffold.python.annotations import BY_FORMAT
from scaffold.python.definitions import Alias, Definition, Model, docstring, names_of
from scaffold.python.expressions import Brackets, Expression, Quoted, Union, quoted
from scaffold.python.names import unused, words

_READERS: Mapping[str, str] = {
    "float": "read_float",
    "dt.date": "read_date",
    "dt.datetime": "read_datetime",
    "dt.time": "read_time",
    "UUID": "UUID",
}
"""The functions that read the types which JSON does not have."""

_KINDS: Mapping[str, tuple[str, ...]] = {
    "bool": ("bool",),
    "dict": ("dict",),
    "float": ("int", "float"),
    "int": ("int", "float"),
    "list": ("list",),
    "str": ("str",),
    **{str(annotation): ("str",) for annotation in BY_FORMAT.values()},
}
"""The types of what `json` reads for a value of a type."""


def sources(definitions: Sequence[Definition], arguments: Iterable[str]) -> Iterator[str]:
    """Yield the source of each definition; `arguments` are the models that are read from JSON."""
    strings = {one.name for one in definitions if _is_quoted(one)}
    definitions = [_plain(one) for one in definitions]
    reading = _Reading(definitions, arguments)
    for one in definitions:
        if isinstance(one, Model):
            yield _class(one, reading.table(one))
            continue
        annotation = one.annotation
        if not strings.isdisjoint((one.name, *names_of(one))):
            annotation = Quoted(annotation)  # A string cannot be a part of `|`.
            strings.add(one.name)
        yield f"{one.name}: TypeAlias = {annotation}{docstring(one.description, 0)}"
        if one.name in reading.functions:
            yield reading.function(one)


def _class(model: Model, readers: Mapping[str, str]) -> str:
    """Return the source of a class; `readers` are functions by the properties that they read."""
    keys, lines = {}, []
    for field, name in zip(model.fields, model.attributes, strict=True):
        value = "" if field.default is None else f" = {field.default}"
        lines.append(f"    {name}: {field.annotation}{value}{docstring(field.description, 4)}")
        if name != field.key:
            keys[quoted(name)] = quoted(field.key)
    read = {quoted(key): function for key, function in readers.items()}
    tables = {"keys": keys, "readers": read}
    bases = ["Model", *(f"{name}={_dict(table)}" for name, table in tables.items() if table)]
    head = f"class {model.name}({', '.join(bases)}):{docstring(model.description, 4)}"
    return "\n".join([head, *lines] if lines or model.description else [head, "    pass"])


def _is_quoted(definition: Definition) -> bool:
    return isinstance(definition, Alias) and isinstance(definition.annotation, Quoted)


def _plain(definition: Definition) -> Definition:
    """Return a definition with plain annotations."""
    if isinstance(definition, Alias):
        return replace(definition, annotation=_unquoted(definition.annotation))
    fields = (replace(one, annotation=_unquoted(one.annotation)) for one in definition.fields)
    return replace(definition, fields=tuple(fields))


def _unquoted(annotation: Expression) -> Expression:
    """Return an annotation without quotes and pydantic's hints, for a module that evaluates none."""
    match annotation:
        case Brackets("Annotated", _, (type, *_)):
            return _unquoted(type)
        case Brackets(head, open_, items):
            return Brackets(head, open_, tuple(map(_unquoted, items)))
        case Union(members):
            return Union(tuple(map(_unquoted, members)))
        case Quoted(type):
            return type
    return annotation


class _Reading:
    """How values are read: each by a function, in Python, of a JSON value that is not null."""

    def __init__(self, definitions: Sequence[Definition], arguments: Iterable[str]) -> None:
        self._known = {one.name: one for one in definitions}
        self._places = {one.name: place for place, one in enumerate(definitions)}
        self._read = self._reached(arguments)
        self._cycles = {one.name for one in definitions if self._is_cycle(one)}
        self.functions: dict[str, str] = {}
        """The functions that read types which contain themselves, by the names of these."""
        for one in definitions:
            if one.name in self._cycles & self._read and self._is_converted(one):
                name = "_".join(["read", *words(one.name)]).lower()
                name = self.functions[one.name] = unused(name, self.functions.values())
                self._places[name] = self._places[one.name]

    def table(self, model: Model) -> dict[str, str]:
        """Return the functions that read the properties of a model, as far as these need one."""
        found = {}
        place = self._places[model.name]
        for field in model.fields if model.name in self._read else ():
            if function := self._function(field.annotation):
                used = re.findall(r"\w+", function)
                is_early = any(self._places.get(name, -1) >= place for name in used)
                found[field.key] = f"lambda value: {_called(function)}" if is_early else function
        return found

    def function(self, alias: Alias) -> str:
        """Return the source of the function that reads a type which contains itself."""
        body = _called(self._function(alias.annotation))
        return f"\n\ndef {self.functions[alias.name]}(value: Any) -> Any:\n    return {body}"

    def _reached(self, names: Iterable[str]) -> set[str]:
        """Return the definitions among `names`, and all that they mention."""
        found: set[str] = set()
        waiting = [*names]
        while waiting:
            if (name := waiting.pop()) in self._known and name not in found:
                found.add(name)
                waiting += _mentioned(self._known[name])
        return found

    def _is_cycle(self, one: Definition) -> bool:
        return isinstance(one, Alias) and one.name in self._reached(_mentioned(one))

    def _is_converted(self, one: Definition) -> bool:
        """Return whether some values of a type have parts that JSON does not have."""
        parts = [self._known[name] for name in self._reached([one.name])]
        return any(
            isinstance(part, Model) or not _READERS.keys().isdisjoint(_mentioned(part))
            for part in parts
        )

    def _function(self, annotation: Expression) -> str:
        """Return the function that reads the values of a type; empty if JSON has them."""
        match annotation:
            case Brackets("list", _, (item,)):
                return _mapped("each", self._function(item))
            case Brackets("dict", _, (_, item)):
                return _mapped("each_value", self._function(item))
            case Union(members):
                return self._union(members)
            case str():
                return self._named(annotation)
        return ""

    def _named(self, name: str) -> str:
        found = self._known.get(name)
        if name in self._cycles:
            return self.functions.get(name, "")
        if isinstance(found, Alias):
            return self._function(found.annotation)
        return f"{name}.model_validate" if found else _READERS.get(name, "")

    def _union(self, members: Sequence[Expression]) -> str:
        """Return the function that reads a value of one of several types."""
        every = list(self._alternatives(members))
        if len(every) == 1:
            return self._function(every[0])
        readers: dict[str, str] = {}
        for head, kind in (("list", "each"), ("dict", "each_value")):
            items = [
                one.items[-1] for one in every if isinstance(one, Brackets) and one.head == head
            ]
            if items and (function := _mapped(kind, self._union(items))):
                readers[head] = function
        if models := [model for one in every if isinstance(model := self._of(one), Model)]:
            has_others = any(isinstance(one, Brackets) and one.head == "dict" for one in every)
            readers["dict"] = self._object(models, has_others)
        for one in every:
            if isinstance(one, str) and one in _READERS:
                readers |= dict.fromkeys(_KINDS[one], _READERS[one])
        for one in every:
            if isinstance(one, str) and one in self.functions:
                kinds = (kind for kind in self._kinds(one) if kind)
                readers = dict.fromkeys(kinds, self.functions[one]) | readers
        return f"by_type({_dict(readers)})" if readers else ""

    def _alternatives(
        self, members: Iterable[Expression], cycles: bool = False
    ) -> Iterator[Expression]:
        """Yield the members of a union except None, and those of aliases among them.

        Aliases that contain themselves are members, unless `cycles` asks for theirs too.
        """
        waiting, done = [*members], set[Expression](["None"])
        while waiting:
            if (one := waiting.pop(0)) in done:
                continue
            done.add(one)
            found = self._of(one)
            match one:
                case Union(members):
                    waiting[:0] = members
                case _ if isinstance(found, Alias) and (cycles or one not in self._cycles):
                    waiting[:0] = [found.annotation]
                case _:
                    yield one

    def _of(self, annotation: Expression) -> Definition | None:
        return self._known.get(annotation) if isinstance(annotation, str) else None

    def _object(self, models: Sequence[Model], has_others: bool) -> str:
        """Return the function that reads an object of one of several models, or of none."""
        names = ", ".join(model.name for model in models)
        if has_others:
            return f"lambda value: nearest(value, {names})"
        if len(models) == 1:
            return f"{names}.model_validate"
        for name, tell in (("by_value", self._tags), ("by_type_of", self._kinds)):
            if found := self._told_apart(models, tell):
                key, chosen = found
                readers = {told: f"{model}.model_validate" for told, model in chosen.items()}
                return f"{name}({key}, {_dict(readers)})"
        return f"lambda value: nearest(value, {names})"

    def _told_apart(
        self, models: Sequence[Model], tell: Callable[[Expression], Collection[str]]
    ) -> tuple[str, dict[str, str]] | None:
        """Return a required property that tells models apart, and the models by what it `tell`s."""
        for field in models[0].fields:
            found: dict[str, str] = {}
            for model in models:
                same = (one for one in model.fields if one.key == field.key and one.default is None)
                told = [what for one in same for what in tell(one.annotation)]
                if not all(told) or not told or not found.keys().isdisjoint(told):
                    break
                found |= dict.fromkeys(told, model.name)
            else:
                return quoted(field.key), found
        return None

    def _tags(self, annotation: Expression) -> Collection[str]:
        """Return the texts that a type consists of, as Python; none if it has other values."""
        match [*self._alternatives([annotation])]:
            case [Brackets("Literal", _, items)] if all(str(item)[0] in "\"'" for item in items):
                return [*map(str, items)]
        return ()

    def _kinds(self, annotation: Expression) -> Collection[str]:
        """Return the types of what `json` reads for a type; one is empty if it is not known."""
        found: list[str] = []
        for one in self._alternatives([annotation], cycles=True):
            match one:
                case Brackets("Literal", _, items):
                    found += ["str" if str(item)[0] in "\"'" else "" for item in items]
                case Brackets(str() as head):
                    found += _KINDS.get(head, ("",))
                case str() if isinstance(self._known.get(one), Model):
                    found.append("dict")
                case _:
                    found += _KINDS.get(str(one), ("",))
        return dict.fromkeys(found)


def _mentioned(definition: Definition) -> Iterator[str]:
    """Yield the types that a definition mentions."""
    if isinstance(definition, Alias):
        yield from _within(definition.annotation)
        return
    for field in definition.fields:
        yield from _within(field.annotation)


def _within(annotation: Expression) -> Iterator[str]:
    match annotation:
        case Brackets(head, _, items) if head != "Literal":
            for item in items:
                yield from _within(item)
        case Union(members):
            for member in members:
                yield from _within(member)
        case str():
            yield annotation


def _mapped(kind: str, function: str) -> str:
    return f"{kind}({function})" if function else ""


def _called(function: str) -> str:
    """Return the call of a function, so that its names are looked up when it is made."""
    if function.startswith("lambda value: "):
        return function.removeprefix("lambda value: ")
    return f"{function}(value)"


def _dict(items: Mapping[str, str]) -> str:
    return f"{{{', '.join(f'{key}: {value}' for key, value in items.items())}}}"
