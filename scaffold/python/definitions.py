"""Type definitions as values, and their Python source."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from scaffold.python.expressions import Brackets, Expression, Union, quoted, subscript
from scaffold.python.reserved import KEYWORDS
from scaffold.python.text import doc
from scaffold.text import Text, comment

TYPING = frozenset({"Any", "Literal", "Never", "NotRequired", "TypeAlias", "TypedDict"})
"""The names that definitions use from `typing` (Python 3.11 or later)."""

_LONGEST_ATTRIBUTE = 60


@dataclass(frozen=True, slots=True)
class Field:
    """A key of a TypedDict, its type, and whether it is required."""

    key: str
    annotation: Expression
    required: bool
    description: Text | None = None

    @property
    def qualified(self) -> Expression:
        """The annotation, wrapped in `NotRequired` if the key is optional."""
        return self.annotation if self.required else subscript("NotRequired", self.annotation)


@dataclass(frozen=True, slots=True)
class TypedDict:
    """`class name(TypedDict)`, or `name = TypedDict(…)` if a key cannot be an attribute."""

    name: str
    fields: tuple[Field, ...]
    description: Text | None = None

    @property
    def is_class(self) -> bool:
        """Whether every key can be an attribute without hiding a name that is used."""
        used = set(names_of(self))
        return all(_is_attribute(field.key) and field.key not in used for field in self.fields)


@dataclass(frozen=True, slots=True)
class Alias:
    """`name: TypeAlias = annotation`."""

    name: str
    annotation: Expression
    description: Text | None = None


Definition = TypedDict | Alias


def source(definition: Definition) -> str:
    """Return the source of a definition, without a trailing newline.

    The source needs the names of `TYPING` it mentions and `from __future__ import annotations`.
    """
    if isinstance(definition, Alias):
        head = f"{definition.name}: TypeAlias = {definition.annotation}"
        return head + _docstring(definition.description, 0)
    return _class(definition) if definition.is_class else _assignment(definition)


def _class(typed_dict: TypedDict) -> str:
    head = f"class {typed_dict.name}(TypedDict):{_docstring(typed_dict.description, 4)}"
    fields = (
        f"    {field.key}: {field.qualified}{_docstring(field.description, 4)}"
        for field in typed_dict.fields
    )
    return "\n".join(
        [head, *fields, *([] if typed_dict.fields or typed_dict.description else ["    pass"])]
    )


def _assignment(typed_dict: TypedDict) -> str:
    name = typed_dict.name
    fields = ",\n".join(
        f"{_comment(field.description)}{quoted(field.key)}: {field.qualified}"
        for field in typed_dict.fields
    )
    head = f"{name} = TypedDict({quoted(name)}, {{\n{fields}\n}})"
    return head + _docstring(typed_dict.description, 0)


def in_order(definitions: Iterable[Definition]) -> tuple[Definition, ...]:
    """Return the definitions sorted so that none uses a later one at run time.

    The order changes as little as possible. Annotations of a class are never evaluated. In a
    cycle of other definitions, a name that is used too early is quoted.
    """
    by_name = {definition.name: definition for definition in definitions}
    needs = {name: _at_run_time(definition, by_name) for name, definition in by_name.items()}
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
            later = [n for n in needs[here] if n not in done]
            done[here] = _with_quotes(by_name[here], later) if later else by_name[here]
    return tuple(done.values())


def _at_run_time(definition: Definition, known: Collection[str]) -> list[str]:
    """Return the names among `known` that must exist when the definition runs."""
    if isinstance(definition, TypedDict) and definition.is_class:
        return []
    return [name for name in dict.fromkeys(names_of(definition)) if name in known]


def names_of(definition: Definition) -> Iterator[str]:
    """Yield the names that the annotations of a definition mention."""
    if isinstance(definition, Alias):
        yield "TypeAlias"
        yield from names_in(definition.annotation)
    else:
        yield "TypedDict"
        for field in definition.fields:
            yield from names_in(field.qualified)


def names_in(expression: Expression) -> Iterator[str]:
    """Yield the names that an annotation mentions, from left to right."""
    match expression:
        case Brackets(head, _, items):
            yield from names_in(head)
            for item in items:
                yield from names_in(item)
        case Union(members):
            for member in members:
                yield from names_in(member)
        case str() if expression.isidentifier():
            yield expression


def _with_quotes(definition: Definition, names: Collection[str]) -> Definition:
    if isinstance(definition, Alias):
        return replace(definition, annotation=_quote(definition.annotation, names))
    fields = (
        replace(field, annotation=_quote(field.annotation, names)) for field in definition.fields
    )
    return replace(definition, fields=tuple(fields))


def _quote(annotation: Expression, names: Collection[str]) -> Expression:
    """Quote the smallest parts that mention one of `names`; a string cannot be part of `|`."""
    match annotation:
        case Union(members):
            if any(member in names for member in members):
                return quoted(str(annotation))
            return Union(tuple(_quote(member, names) for member in members))
        case Brackets(head, open_, items):
            return Brackets(head, open_, tuple(_quote(item, names) for item in items))
        case str() if annotation in names:
            return quoted(annotation)
    return annotation


def _is_attribute(key: str) -> bool:
    return (
        key.isidentifier()
        and key not in KEYWORDS
        and not key.startswith("__")
        and len(key) <= _LONGEST_ATTRIBUTE
        and unicodedata.is_normalized("NFKC", key)
        and quoted(key) == f'"{key}"'
    )


def _comment(description: Text | None) -> str:
    """Return the description as comment lines that no tool reads as a directive."""
    if not description:
        return ""
    lines = textwrap.wrap(comment(description), 76, break_long_words=False, break_on_hyphens=False)
    return "".join(f"# {comment(line)}\n" for line in lines)


def _docstring(description: Text | None, indent: int) -> str:
    """Return a newline and the docstring, or nothing if there is no description."""
    if not description:
        return ""
    return f'\n{" " * indent}"""{doc(description, indent)}"""'
