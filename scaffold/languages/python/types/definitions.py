"""Type definitions as values, and their Python source."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from scaffold.base.text import Text
from scaffold.languages.python.names import attribute
from scaffold.languages.python.text import doc
from scaffold.languages.python.types.expressions import (
    Brackets,
    Expression,
    Labelled,
    Quoted,
    Union,
    quoted,
    subscript,
)

MODULE_NAMES = frozenset(
    {"Annotated", "Any", "BaseModel", "ConfigDict", "Field", "Literal", "Model", "Never"}
    | {"OMIT_IF_NONE", "TypeAlias", "TypeAliasType", "UUID", "dt"}
)
"""The names in the module of the models, other than the models."""

_HEAVIEST = 100
"""The names that an alias may stand for, in it and in the aliases that it mentions."""


class Field(Struct, frozen=True):
    """A property of a model and the type of its attribute.

    `default` is what an absent property gives: a Python expression, or None if it is required.
    `nullable` says whether an optional property may also be null.
    """

    key: str
    annotation: Expression
    default: Expression | None = None
    description: Text | None = None
    deprecated: bool = False
    nullable: bool = False


class Model(Struct, frozen=True):
    """`class name(Model)`."""

    name: str
    fields: tuple[Field, ...]
    description: Text | None = None

    @property
    def attributes(self) -> tuple[str, ...]:
        """The name of each field's attribute, which hides no name that the class uses."""
        used = {"OMIT_IF_NONE", "Annotated", "Any", "Field", *names_of(self)}
        plain = {member.key for member in self.fields if attribute(member.key, used) == member.key}
        names: list[str] = []
        for member in self.fields:
            taken = {*used, *plain, *names}
            names.append(member.key if member.key in plain else attribute(member.key, taken))
        return tuple(names)


class Alias(Struct, frozen=True):
    """`name: TypeAlias = annotation`, or a `TypeAliasType` if the annotation is quoted."""

    name: str
    annotation: Expression
    description: Text | None = None


Definition = Model | Alias


def attributes_of(name: str, definitions: Mapping[str, Definition]) -> dict[str, str]:
    """Return the attributes of a model by property; `name` can be an alias of the model."""
    definition = definitions[name]
    if isinstance(definition, Alias):
        return attributes_of(str(definition.annotation), definitions)
    return {
        member.key: attribute
        for member, attribute in zip(definition.fields, definition.attributes, strict=True)
    }


def alternatives(
    annotation: Expression, definitions: Mapping[str, Definition]
) -> Iterator[Expression]:
    """Yield the types that a type stands for: the members of unions, and what aliases stand for."""
    seen: set[Expression] = set()
    waiting = [annotation]
    while waiting:
        if (alternative := waiting.pop()) in seen:
            continue
        seen.add(alternative)
        definition = definitions.get(alternative) if isinstance(alternative, str) else None
        if isinstance(alternative, Union):
            waiting += alternative.members
        elif isinstance(definition, Alias):
            waiting.append(definition.annotation)
        else:
            yield alternative


def source(definition: Definition) -> str:
    """Return the source of a definition, without a trailing newline.

    The source needs the names of `MODULE_NAMES` it mentions.
    """
    if isinstance(definition, Model):
        return class_of(definition, _annotated)
    name, annotation = definition.name, str(definition.annotation)
    head = f"{name}: TypeAlias = {annotation}"
    if isinstance(definition.annotation, Quoted):
        head = f"{name} = TypeAliasType({quoted(name)}, {annotation})"
    return head + docstring(definition.description, 0)


def class_of(model: Model, annotated: Callable[[Field, str], str]) -> str:
    """Return the class of a model; `annotated` writes what follows a field's attribute."""
    lines = [f"class {model.name}(Model):{docstring(model.description, 4)}"]
    for field, name in zip(model.fields, model.attributes, strict=True):
        lines.append(f"    {name}: {annotated(field, name)}{docstring(field.description, 4)}")
    return "\n".join(lines if model.fields or model.description else [*lines, "    pass"])


def _annotated(field: Field, attribute: str) -> str:
    """Return the annotation, with what pydantic has to know beyond the type, and the default."""
    about = [Labelled("alias=", quoted(field.key))] if attribute != field.key else []
    about += [Labelled("deprecated=", "True")] if field.deprecated else []
    annotation = field.annotation
    if about:
        annotation = subscript("Annotated", annotation, Brackets("Field", "(", tuple(about)))
    return f"{annotation}" if field.default is None else f"{annotation} = {field.default}"


def in_order(definitions: Iterable[Definition]) -> tuple[Definition, ...]:
    """Return the definitions sorted so that none uses a later one at run time.

    The order changes as little as possible. In a cycle, an alias is quoted; the annotations of
    models are not evaluated (PEP 563).
    """
    by_name = {definition.name: definition for definition in definitions}
    needs = {
        name: [used for used in dict.fromkeys(names_of(definition)) if used in by_name]
        for name, definition in by_name.items()
    }
    done: dict[str, Definition] = {}
    for name in by_name:
        path = {} if name in done else {name: iter(needs[name])}
        while path:
            here = next(reversed(path))
            first = next((n for n in path[here] if n not in done and n not in path), None)
            if first:
                path[first] = iter(needs[first])
                continue
            del path[here]
            later = any(name not in done for name in needs[here])
            done[here] = _quoted(by_name[here]) if later else by_name[here]
    return tuple(_light(done.values()))


def _light(definitions: Iterable[Definition]) -> Iterator[Definition]:
    """Yield the definitions, with an alias quoted if all that it stands for is large.

    Python evaluates others at once: the time could double with each alias of the one before.
    """
    weights: dict[str, int] = {}
    for definition in definitions:
        weight = 1
        if isinstance(definition, Alias) and not isinstance(definition.annotation, Quoted):
            weight += sum(weights.get(name, 1) for name in names_of(definition))
        is_heavy = weight > _HEAVIEST
        yield _quoted(definition) if is_heavy else definition
        weights[definition.name] = 1 if is_heavy else weight


def names_of(definition: Definition) -> Iterator[str]:
    """Yield the names that a definition mentions."""
    if isinstance(definition, Alias):
        yield from names_in(definition.annotation)
        return
    for field in definition.fields:
        yield from names_in(field.annotation)
        yield from () if field.default is None else names_in(field.default)


def reached(
    known: Mapping[str, Definition],
    names: Iterable[str],
    mentioned: Callable[[Definition], Iterable[str]] = names_of,
) -> set[str]:
    """Return the definitions among `names`, and all that are mentioned by these, in turn."""
    result: set[str] = set()
    waiting = [*names]
    while waiting:
        if (name := waiting.pop()) in known and name not in result:
            result.add(name)
            waiting += mentioned(known[name])
    return result


def names_in(expression: Expression) -> Iterator[str]:
    """Yield the names that an expression mentions, from left to right."""
    match expression:
        case Brackets(head, _, items):
            yield from names_in(head)
            for item in items:
                yield from names_in(item)
        case Union(members):
            for member in members:
                yield from names_in(member)
        case Labelled(_, value):
            yield from names_in(value)
        case Quoted(type):
            yield from names_in(type)
        case str() if (name := expression.partition(".")[0]).isidentifier():
            yield name


def renamed(definition: Definition, name: str, names: Mapping[str, str]) -> Definition:
    """Return the definition under another name, with the new names of those that it mentions."""
    if names.keys().isdisjoint(names_of(definition)):
        return definition if definition.name == name else replace(definition, name=name)
    if isinstance(definition, Alias):
        return replace(definition, name=name, annotation=_mapped(definition.annotation, names))
    fields = tuple(
        replace(
            field,
            annotation=_mapped(field.annotation, names),
            default=None if field.default is None else _mapped(field.default, names),
        )
        for field in definition.fields
    )
    return replace(definition, name=name, fields=fields)


def _mapped(expression: Expression, names: Mapping[str, str]) -> Expression:
    match expression:
        case Brackets(head, open_, items):
            mapped = _mapped(head, names)
            assert isinstance(mapped, str | Brackets)
            return Brackets(mapped, open_, tuple(_mapped(item, names) for item in items))
        case Union(members):
            mapped_members = tuple(dict.fromkeys(_mapped(member, names) for member in members))
            return Union(mapped_members) if len(mapped_members) > 1 else mapped_members[0]
        case Labelled(label, value):
            return Labelled(label, _mapped(value, names))
        case Quoted(type):
            return Quoted(_mapped(type, names))
    name, dot, attribute_ = expression.partition(".")
    return names[name] + dot + attribute_ if name in names else expression


def _quoted(definition: Definition) -> Definition:
    """Return the definition, with the annotation in quotes if it is an alias."""
    if isinstance(definition, Model):
        return definition
    return replace(definition, annotation=Quoted(definition.annotation))


def docstring(description: Text | None, indent: int) -> str:
    """Return a newline and the docstring, or nothing if there is no description."""
    if not description:
        return ""
    return f'\n{" " * indent}"""{doc(description, indent)}"""'
