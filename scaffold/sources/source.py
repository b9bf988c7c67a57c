"""What was read from a source: the values of a spec, and the lists that its server must answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct

from scaffold.format.fields import JsonObject

KINDS = MappingProxyType(
    {"tools": "name", "resources": "uri", "resourceTemplates": "uriTemplate", "prompts": "name"}
)
"""The lists of a server, each with the key that is unique in it."""


class Source(Struct, frozen=True):
    """A source that was read.

    `name` is the source as the user wrote it. `spec` has the keys of a spec, in the order in which
    they are written. `listed` are the entries that the server must list, by the key of the list.
    `notes` are sentences about what was not taken over as it is, and `faults` about what is wrong
    with the source, so that the spec lacks it. A source with `choose` has nothing yet: it returns
    the source with what patterns to include and to exclude choose, given the names of the last import
    by what they call: `GET /pets/{}`. `upstream` is how a spec names a
    running server, `next` what there is to do after `new`. `assumed` are the keys of `spec` about
    which the source says nothing.
    """

    name: str
    spec: JsonObject
    listed: Mapping[str, Sequence[JsonObject]]
    notes: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    choose: Callable[[Sequence[str], Sequence[str], Mapping[str, str]], Source] | None = None
    upstream: JsonObject | None = None
    next: str = ""
    assumed: frozenset[str] = frozenset()


def server_name(text: str) -> str:
    """Return a name that a spec allows: `Blog Search` becomes `blog-search`."""
    name = "-".join(re.findall("[a-z0-9]+", text.lower())).lstrip("0123456789-")
    return name[:64].rstrip("-") or "server"


def server_version(text: object) -> str:
    """Return a version that a spec allows: the numbers of `v1.2.3-beta+5`, or else `0.1.0`."""
    match = re.match(r"v?([0-9]+(\.[0-9]+)*)", str(text))
    return match[1][:64].rstrip(".") if match else "0.1.0"
