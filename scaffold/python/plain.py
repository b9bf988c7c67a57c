"""Models for servers without dependencies: frozen dataclasses with the attributes of pydantic's.

What is read from JSON is decided by their annotations, when the server runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scaffold.python.definitions import Definition, Field, Model, docstring, names_of
from scaffold.python.expressions import Brackets, Expression, Labelled, Quoted, Union, quoted


def sources(definitions: Sequence[Definition]) -> Iterator[str]:
    """Yield the source of each definition."""
    strings: set[str] = set()
    for one in definitions:
        if isinstance(one, Model):
            yield _class(one)
            continue
        annotation = _plain(one.annotation, is_run=True)
        if not strings.isdisjoint((one.name, *names_of(one))):
            annotation = Quoted(
                _plain(one.annotation, is_run=False)
            )  # A string cannot be a part of `|`.
        if isinstance(annotation, Quoted):
            strings.add(one.name)
        yield f"{one.name}: TypeAlias = {annotation}{docstring(one.description, 0)}"


def _class(model: Model) -> str:
    lines = [f"class {model.name}(Model):{docstring(model.description, 4)}"]
    for field, name in zip(model.fields, model.attributes, strict=True):
        value = _value(field, None if name == field.key else field.key)
        annotation = _plain(field.annotation, is_run=False)
        lines.append(f"    {name}: {annotation}{value}{docstring(field.description, 4)}")
    return "\n".join(lines if model.fields or model.description else [*lines, "    pass"])


def _value(field: Field, key: str | None) -> str:
    """Return what follows the annotation of a field; `key` is its property, if named otherwise."""
    default = _made(field.default)
    about = [] if key is None else [Labelled("key=", quoted(key))]
    match default:
        case Brackets("Field", _, items):
            return f" = {Brackets('Field', '(', (*about, *items))}"
        case None:
            return f" = {Brackets('Field', '(', tuple(about))}" if about else ""
    if about:
        return f" = {Brackets('Field', '(', (*about, Labelled('default=', default)))}"
    return f" = {default}"


def _made(default: Expression | None) -> Expression | None:
    """Return the default of a field; each model gets its own of what can be changed."""
    match default:
        case Brackets("", "[", ()):
            made: Expression = "list"
        case Brackets("", "{", ()):
            made = "dict"
        case Brackets("", "[" | "{") | Brackets(Brackets()):
            made = Labelled("lambda: ", default)
        case _:
            return default
    return Brackets("Field", "(", (Labelled("default_factory=", made),))


def _plain(annotation: Expression, *, is_run: bool) -> Expression:
    """Return an annotation without pydantic's hints, and without quotes unless the module runs it."""
    match annotation:
        case Brackets("Annotated", _, (type, *_)):
            return _plain(type, is_run=is_run)
        case Brackets(head, open_, items):
            return Brackets(head, open_, tuple(_plain(one, is_run=is_run) for one in items))
        case Union(members):
            return Union(tuple(_plain(one, is_run=is_run) for one in members))
        case Quoted(type) if not is_run:
            return _plain(type, is_run=False)
    return annotation
