"""Compose the events of the YAML parser into a tree of JSON values with their places."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import yaml
from yaml import CLoader

from scaffold.base.diagnostics import FAULTS, Diagnostic, Related
from scaffold.yaml.document import Document, Json, Kid, Node
from scaffold.yaml.scalars import PAIR, ScalarError, plain, restored, tagged, without_pairs
from scaffold.yaml.syntax import ANY, mistaken

DEPTH = 256
"""The maximum depth of mappings and lists, enough for half as many nested schemas."""

WEIGHT = 8_000_000
"""The maximum weight of a document: its characters, plus 16 per value, aliases expanded."""

_TAG = "tag:yaml.org,2002:"
_SCALAR_TAGS = ("str", "null", "bool", "int", "float")


class EnoughError(Exception):
    """A limit was exceeded, or there are too many errors to continue."""


class Composer:
    """A composer of one document.

    `faults` are the errors found so far. `is_plain` says that there were no anchors, tags or merge
    keys. If `odd` is a list, numbers that JSON cannot hold become text, and a sentence about each
    is added to it.
    """

    def __init__(self, document: Document, odd: list[str] | None = None) -> None:
        self.faults: list[Diagnostic] = []
        self._odd = odd
        self.is_plain = True
        self._document = document
        text = without_pairs(document.text)
        self._has_pairs = text != document.text
        self._next: Callable[[], Any] = CLoader(text).get_event
        self._anchors: dict[str, Node | None] = {}
        self._weight = 0

    def compose(self) -> Node | None:
        """Return the root of the document, or None if it is empty.

        Raises yaml.MarkedYAMLError if the text is not YAML, and EnoughError. In both cases,
        `faults` holds the errors found before.
        """
        self._next()
        if isinstance(self._next(), yaml.StreamEndEvent):
            return None
        root = self._node(self._next(), 0)
        self._next()
        more = self._next()
        if isinstance(more, yaml.DocumentStartEvent):
            hint = "a spec is one document: remove the `---`, or split the file"
            self._fault(more, "several-documents", "unexpected second document", hint)
        return root

    def _node(self, event: Any, depth: int) -> Node:
        kind = type(event)
        if kind is yaml.ScalarEvent:
            node = self._scalar(event)
        elif kind is yaml.AliasEvent:
            return self._alias(event)
        else:
            if depth == DEPTH:
                message = f"more than {DEPTH} nested mappings and lists"
                hint = "move inner schemas to `$defs`, and refer to them with `$ref`"
                self._fault(event, "too-deep", message, hint)
                raise EnoughError
            if event.anchor:
                self._anchors[event.anchor] = None
            if kind is yaml.MappingStartEvent:
                node = self._mapping(event, depth + 1)
            else:
                node = self._sequence(event, depth + 1)
        if event.anchor:
            self._anchors[event.anchor] = node
        if event.anchor or event.tag:
            self.is_plain = False
        return node

    def _scalar(self, event: Any) -> Node:
        start, end = self._span(event)
        text = self._text(event)
        value: Json = text
        try:
            if event.tag not in (None, "!"):
                name = event.tag.removeprefix(_TAG)
                if name in _SCALAR_TAGS:
                    value = tagged(text, name)
                else:
                    self._tag(event)
            elif not event.style and not event.tag:
                value = plain(text)
        except ScalarError as error:
            if self._odd is None:
                self._fault(event, "bad-number", *error.args)
            else:
                at = f"`{text}` in line {event.start_mark.line + 1}"
                self._odd.append(f"{at} is read as text: JSON has no such number")
        return Node(value, start, end, None, self._weighed(event, 16 + len(text)))

    def _alias(self, event: Any) -> Node:
        start, end = self._span(event)
        name = event.anchor
        node = self._anchors.get(name)
        if node:
            self._weighed(event, node.weight)
            return node
        if name in self._anchors:
            message = f"the alias `*{name}` is inside its own anchor `&{name}`"
            hint = "move the schema to `$defs`, and refer to it with `$ref`"
            self._fault(event, "recursive-alias", message, hint)
        else:
            hint = f"define `&{name}` above, or quote the text if it is not an alias"
            self._fault(event, "unknown-alias", f"undefined alias `*{name}`", hint)
        return Node(None, start, end, None, 16)

    def _sequence(self, event: Any, depth: int) -> Node:
        if event.tag not in (None, "!", _TAG + "seq"):
            self._tag(event)
        items: list[Json] = []
        kids: list[Kid] = []
        weight = self._weighed(event, 16)
        while type(item := self._next()) is not yaml.SequenceEndEvent:
            node = self._node(item, depth)
            items.append(node.value)
            kids.append(Kid(node, None))
            weight += node.weight
        return Node(items, self._span(event)[0], self._span(item)[1], kids, weight)

    def _mapping(self, event: Any, depth: int) -> Node:
        if event.tag not in (None, "!", _TAG + "map"):
            self._tag(event)
        members: dict[str, Json] = {}
        kids: dict[str, Kid] = {}
        merged: dict[str, Kid] = {}
        weight = self._weighed(event, 16)
        while type(item := self._next()) is not yaml.MappingEndEvent:
            key = self._key(item, depth)
            node = self._node(self._next(), depth)
            weight += node.weight
            if key is None:
                continue
            if key == "<<" and not item.style:
                self.is_plain = False
                for name, kid in self._merge(item, node):
                    merged.setdefault(name, kid)
                    weight += self._weighed(item, kid.node.weight)
                continue
            if key in kids:
                first = self._document.at(*(kids[key].key or ()))
                message = f"duplicate key `{key}`, already defined at {first.line}:{first.column}"
                related = Related(first, "already defined here")
                hint = "remove one of them, or merge them"
                self._fault(item, "duplicate-key", message, hint, related)
                continue
            kids[key] = Kid(node, self._span(item))
            weight += len(key)
        kids = merged | kids if merged else kids
        members = {name: kid.node.value for name, kid in kids.items()}
        return Node(members, self._span(event)[0], self._span(item)[1], kids, weight)

    def _key(self, event: Any, depth: int) -> str | None:
        """Return the text of a key, as written; JSON keys are always strings."""
        key: Json = None
        if isinstance(event, yaml.ScalarEvent):
            if event.tag not in (None, "!", _TAG + "str", _TAG + "merge"):  # as yq writes `<<`
                self._tag(event)
            if event.value or event.style:
                key = self._text(event)
                if ANY.match(key) and not event.style:
                    self.faults.append(mistaken(self._document, self._span(event)[0]))
                    raise EnoughError
            if event.anchor:
                self._anchors[event.anchor] = Node(key, *self._span(event), None, 16)
        else:
            key = self._node(event, depth).value
        if isinstance(key, str):
            return key
        self._fault(event, "bad-key", "a key must be a string", "write plain text before the `:`")
        return None

    def _text(self, event: Any) -> str:
        """Return the text of a scalar, with the surrogate pairs that the parser did not see."""
        text: str = event.value
        if self._has_pairs and PAIR.search(self._document.text, *self._span(event)):
            return restored(text, is_escaped=event.style == '"')
        return text

    def _merge(self, event: Any, node: Node) -> Iterator[tuple[str, Kid]]:
        """Yield the members of a merge key (`<<`, YAML 1.1); the first source wins."""
        sources = [kid.node for kid in node.kids] if isinstance(node.kids, list) else [node]
        for source in sources:
            if isinstance(source.kids, dict):
                yield from source.kids.items()
            else:
                hint = 'write `<<: *anchor`, or quote `"<<"` if it is a key of that name'
                self._fault(event, "bad-merge", "`<<` can only merge mappings", hint)

    def _tag(self, event: Any) -> None:
        message = f"the tag `{event.tag.replace(_TAG, '!!')}` is not supported"
        self._fault(event, "yaml-tag", message, "remove the tag, and write the value itself")

    def _weighed(self, event: Any, weight: int) -> int:
        self._weight += weight
        if self._weight > WEIGHT:
            message = f"more than {WEIGHT // 1_000_000} million characters, with aliases expanded"
            hint = "split the server, or use `$ref` in place of aliases"
            self._fault(event, "too-large", message, hint)
            raise EnoughError
        return weight

    def _span(self, event: Any) -> tuple[int, int]:
        return event.start_mark.index, event.end_mark.index

    def _fault(
        self, event: Any, id: str, message: str, hint: str, related: Related | None = None
    ) -> None:
        place = self._document.at(*self._span(event))
        self.faults.append(Diagnostic(id, message, place, hint, related=related))
        if len(self.faults) == FAULTS:
            raise EnoughError
