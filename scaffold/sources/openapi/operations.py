"""The operations of a document, each with the name that its tool will have."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from scaffold.sources.openapi.document import BrokenError, Document, Part
from scaffold.sources.openapi.names import MAX_NAME_LENGTH, hashed, method_path, safe, unique

METHODS = ("get", "put", "post", "delete", "patch", "head", "options", "query")


class Operation(Struct, frozen=True):
    """An operation; `item` is the path item that it is in."""

    name: str
    method: str
    path: str
    part: Part
    item: Part

    @property
    def about(self) -> str:
        """The method and the path: `GET /pets/{petId}`."""
        return f"{self.method} {self.path}"

    @property
    def given(self) -> str:
        """The `operationId`, empty if there is none."""
        return self.part.text("operationId")

    @property
    def function(self) -> str:
        """The name without the path and method that FastAPI appends to the name of a function."""
        route = re.sub(r"\W", "_", self.path) + f"_{self.method.lower()}"
        return _named(self.given.removesuffix(route)) or self.name

    @property
    def tags(self) -> tuple[str, ...]:
        """The names of its tags."""
        return tuple(tag.value for tag in self.part.list("tags") if isinstance(tag.value, str))

    @property
    def labels(self) -> tuple[str, ...]:
        """What patterns can match: its names, method and path, path, and `tag:NAME`."""
        named = (self.name, self.given) if self.given else (self.name,)
        return (*named, self.about, self.path, *(f"tag:{tag}" for tag in self.tags))


def operations(document: Document, before: Mapping[str, str]) -> Iterator[Operation]:
    """Yield the operations, in the document's order. The document remembers what is left out.

    A name that is too long or there twice ends in a hash, so no name depends on the order. Ids that
    FastAPI makes are shortened if that keeps them unique. A name that the operation had `before`, by
    its `identity`, stays.
    """
    given = [*_given(document)]
    names = Counter(operation.name for operation in given)
    functions = Counter(operation.function for operation in given)
    identities = Counter(identity(operation.method, operation.path) for operation in given)
    taken = set[str]()
    for operation in given:
        full, function = operation.name, operation.function
        is_short = function not in names and functions[function] == 1
        wanted = function if is_short else full
        candidates = _candidates(wanted, operation)
        own = identity(operation.method, operation.path)
        name = candidates[names[wanted] > 1]
        known = (*candidates, *_candidates(full, operation), operation.given)
        if identities[own] == 1 and before.get(own) in known:
            name = before[own]
        name = unique(name, taken)
        taken.add(name)
        yield replace(operation, name=name)


def _named(given: str) -> str:
    """Return an `operationId` as models accept it; empty if it is only a hash, as of swagger-php."""
    return "" if re.fullmatch("[0-9a-f]{32}", given) else safe(given).replace(".", "_")


def _candidates(wanted: str, operation: Operation) -> tuple[str, str]:
    """Return the name of an operation if no other wants it, and if others do."""
    own = hashed(wanted, wanted) if len(wanted) > MAX_NAME_LENGTH else wanted
    return own, hashed(wanted, _unnamed(operation.about))


def identity(method: str, path: str) -> str:
    """Return what identifies an operation, however its arguments in the path are called."""
    return _unnamed(f"{method.upper()} {path.partition('#')[0]}")


def _unnamed(request: str) -> str:
    return re.sub(r"\{[^{}]*\}", "{}", request)


def _given(document: Document) -> Iterator[Operation]:
    """Yield the operations under the names that they should have."""
    for path, item in document.section("paths").items():
        if not path.startswith("/"):
            if not path.startswith("x-"):
                document.fault(f"`{path}` was left out: a path must begin with `/`")
            continue
        try:
            item = _whole(document, item)
        except BrokenError as error:
            document.fault(f"`{path}` was left out: {error}")
            continue
        if not isinstance(item.value, Mapping):
            document.fault(f"`{path}` was left out: it is not an object")
            continue
        if item.at("trace").value is not None:
            document.remark(f"`TRACE {path}` was left out")
        template = re.sub(r"(?<=/):(\w+)(?=/|$)", r"{\1}", path)  # as routers write it
        if template != path:
            document.remark(f"`{path}` is read as `{template}`")
            path = template
        given = [(method, item.at(method)) for method in METHODS]
        more = item.items("additionalOperations")
        given += [(name, part) for name, part in more if re.fullmatch("[A-Za-z]{1,16}", name)]
        for method, part in given:
            try:
                part = document.followed(part)
            except BrokenError as error:
                document.fault(f"`{method.upper()} {path}` was left out: {error}")
                continue
            if not isinstance(part.value, Mapping):
                if part.value is not None or method in item.value:
                    document.fault(f"`{method.upper()} {path}` was left out: it is not an object")
                continue
            wanted = _named(part.text("operationId")) or method_path(method, path)
            yield Operation(wanted, method.upper(), path, part, item)


def _whole(document: Document, item: Part) -> Part:
    """Return a path item: what it refers to, and what it says itself."""
    target = document.followed(item)
    if target is item or not isinstance(target.value, Mapping):
        return target
    own = {key: value for key, value in item.value.items() if key != "$ref"}
    return Part({**target.value, **own}, target.file)
