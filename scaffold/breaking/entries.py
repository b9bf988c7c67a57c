"""Compare the entries of two specs by tables of their fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from scaffold.base.diagnostics.wording import quote
from scaffold.breaking.change import Change, Level, change_of


class Field(NamedTuple):
    """A field: the rule about it, its pointer in an entry, how to read it, and the message.

    The message may name the entry, `{it}`, and the values `{was}` and `{now}`. `when` is called with
    both entries if the values differ: whether that is a change, or of which level it is.
    """

    id: str
    at: str
    read: Callable[[Any], Any]
    message: str
    when: Callable[[Any, Any], Level | bool] = lambda old, new: True


class Kind(NamedTuple):
    """A kind of entries: the rules about entries that are gone, new, or new and required.

    `title` is the word for them in messages.
    """

    name: str
    gone: str = ""
    added: str = ""
    required: str = ""
    fields: tuple[Field, ...] = ()
    title: str = ""


class Named(NamedTuple):
    """An entry, its name and its pointer in the spec; `of` is the end of its label in messages."""

    name: str
    at: str
    entry: Any
    of: str = ""


def changed(kind: Kind, old: Named | None, new: Named | None) -> Iterator[Change]:
    """Yield the changes of an entry, which may be gone or new."""
    this = new or old
    if this is None:
        return
    label = f"{kind.title or kind.name} {quote(this.name)}{this.of}"

    def change(id: str, at: str, message: str, **more: Any) -> Change:
        return change_of(id, kind.name, this.name, at, message, **more)

    if old and new:
        for id, at, read, message, when in kind.fields:
            before, after = read(old.entry), read(new.entry)
            if before != after and (level := when(old.entry, new.entry)):
                words = message.format(it=label, was=_shown(before), now=_shown(after))
                more = {"level": level} if isinstance(level, Level) else {}
                yield change(id, new.at + at, words, **more)
    elif old and kind.gone:
        yield change(kind.gone, old.at, f"{label} is gone", is_gone=True)
    if new and kind.required and new.entry.required:
        if not (old and old.entry.required):
            yield change(kind.required, new.at, f"{label} is required now")
    elif new and not old and kind.added:
        yield change(kind.added, new.at, f"{label} is new")


def listed(kind: Kind, old: Iterable[Named], new: Iterable[Named]) -> Iterator[Change]:
    """Yield the changes of entries that are identified by their names."""
    before, now = ({entry.name: entry for entry in entries} for entries in (old, new))
    for name in {**now, **before}:
        yield from changed(kind, before.get(name), now.get(name))


def _shown(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return quote(value)
        case float() | int():
            return f"{value:g}"
    return "none"
