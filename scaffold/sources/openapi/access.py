"""Where an API is and what authenticates requests, as environment variables of the server."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import urljoin, urlsplit

from scaffold.base.diagnostics.wording import join, quote
from scaffold.base.secrets import holds_credential
from scaffold.format.fields import JsonObject
from scaffold.format.http_handler import HEADER
from scaffold.format.rules.settings import loads_code
from scaffold.sources.openapi.document import BrokenError, Document, Part
from scaffold.sources.openapi.names import sentence
from scaffold.sources.openapi.operations import Operation

_TEMPLATE = re.compile(r"\{([^{}]*)\}")


@dataclass
class Variables:
    """The environment variables of a server called `name`."""

    name: str
    entries: dict[str, JsonObject] = field(default_factory=dict)

    def add(self, end: str, entry: JsonObject) -> str:
        """Add a variable whose name ends in `end`, and return its name."""
        own = self.name.upper().replace("-", "_")
        name = re.sub(r"[^A-Z0-9]+", "_", f"{own}_{end.upper()}").strip("_")[:100]
        name = f"API_{name}" if loads_code(name) else name
        wanted, number = name, 2
        while name in self.entries:
            name, number = f"{wanted}_{number}", number + 1
        self.entries[name] = {"name": name, **entry}
        return name


def servers(
    document: Document, operations: Iterable[Operation], variables: Variables
) -> tuple[str, dict[str, str]]:
    """Return the variable of the API's address, and those of operations with another address."""
    root, addresses = _of(document, document.root), dict[str, str]()
    for operation in operations:
        own = (part for part in (operation.part, operation.item) if part.at("servers").value)
        addresses[operation.name] = _of(document, next(own, document.root))
    every = Counter(addresses.values())
    base = root if root in every or not every else every.most_common(1)[0][0]
    names: dict[str, str] = {}
    for address in dict.fromkeys([base, *every]):
        host = urlsplit(address).hostname or ""
        ends = f", which ends in `{address}`" if address and not host else ""
        entry: dict[str, Any] = {"description": f"Address of the API{ends}.", "type": "url"}
        missing = _TEMPLATE.findall(address)  # a guess would be sent the credentials
        if missing:
            entry["description"] = f"Address of the API: `{address}`."
        elif host and not holds_credential(address):
            entry["default"] = address
        if not host and address == base:  # the server starts, and tools say what is missing
            entry["required"] = False
        names[address] = variables.add(
            "url" if address == base else f"{host or address}_url", entry
        )
        if missing:
            about = f"no default for {join(missing, 'and')}"
            document.fault(f"the server `{address}` has {about}: set `{names[address]}`")
        if not host:
            about = f"set `{names[address]}` to the API's address{ends}"
            document.remark(f"the document names no host: {about}")
    others = {name: names[address] for name, address in addresses.items() if address != base}
    for address in sorted(each for each in every if each and _origin(each) != _origin(base)):
        document.remark(
            f"requests to `{address}`, a different server, are sent without credentials"
        )
    return names[base], others


def _origin(address: str) -> tuple[str, str]:
    parts = urlsplit(address)
    return parts.scheme, parts.netloc


def _of(document: Document, part: Part) -> str:
    """Return the address of the first server of a part, with the defaults of its variables.

    It is a path if the document says no more, and empty if it says nothing. Variables without
    defaults are left in braces.
    """
    server = next(part.list("servers"), Part({}, ""))
    given = {name: part.at("default").value for name, part in server.items("variables")}
    texts = {key: str(text).strip() for key, text in given.items() if isinstance(text, str | int)}
    address = _TEMPLATE.sub(lambda match: texts.get(match[1]) or match[0], server.text("url"))
    if document.source.startswith(("http://", "https://")):
        address = urljoin(document.source, address or "/")
    elif address.startswith("//"):  # as converters from Swagger 2 write it
        address = f"https:{address}"
    try:
        parts = urlsplit(address)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return ""
    if not is_web and (parts.scheme or parts.netloc or not address.startswith("/")):
        return ""
    if parts.query or parts.fragment:
        document.remark(f"the query and fragment of the server {quote(address)} were left out")
    return parts._replace(query="", fragment="").geturl().rstrip("/")


def credentials(
    document: Document,
    every: Collection[Operation],
    operations: Iterable[Operation],
    variables: Variables,
) -> tuple[list[JsonObject], dict[str, list[str]]]:
    """Return the credentials of the spec's `api`, each with a variable that holds it.

    Also return the variables of each operation that does not need all of them. If `every` operation
    of the document says nothing on security, all need all.
    """
    demands = {each.name: [*_demands(document, each)] for each in operations}
    used = {name for choices in demands.values() for choice in choices for name in choice}
    parts = (document.root, *(each.part for each in every))
    is_stated = any(part.at("security").value is not None for part in parts)
    schemes = dict(document.section("components", "securitySchemes").items())
    if not schemes and any(map(partial(_takes_authorization, document), every)):
        about = "Header `Authorization` of the API, such as `Bearer …`."
        header = {"type": "apiKey", "in": "header", "name": "Authorization", "description": about}
        schemes["authorization"] = Part(header, "")
    sent: list[JsonObject] = []
    known: dict[str, str] = {}
    for name in sorted(used - schemes.keys()):
        document.fault(f"the security scheme `{name}` does not exist")
    for name, part in schemes.items():
        if is_stated and name not in used:
            continue
        try:
            scheme = document.followed(part)
        except BrokenError as error:
            document.fault(f"the security scheme `{name}` was left out: {error}")
            continue
        text = sentence(scheme.text("description"))
        kind, http = scheme.text("type"), scheme.text("scheme").lower()
        if kind in ("oauth2", "openIdConnect") or (kind == "http" and http == "bearer"):
            credential, end = {"type": "bearer"}, "token"
            text = text or "Bearer token of the API."
        elif kind == "http" and http == "basic":
            credential, end = {"type": "basic"}, "login"
            text = f"{text or 'Login of the API'}: `user:password`."
        elif kind == "apiKey" and _is_sendable(scheme):
            credential = {"type": scheme.text("in"), "name": scheme.text("name")}
            keys = [each for each in schemes.values() if each.text("type") == "apiKey"]
            end, text = "api_key" if len(keys) == 1 else name, text or "Key of the API."
        else:
            label = f"`{http or kind}`"
            document.remark(
                f"the security scheme `{name}` is not supported: {label}; add it in `lifespan.py`"
            )
            continue
        same = [each["env"] for each in sent if each == {**credential, "env": each["env"]}]
        if not same:
            same = [variables.add(end, {"description": text, "secret": True, "required": False})]
            sent.append({**credential, "env": same[0]})
        [known[name]] = same
        if kind in ("oauth2", "openIdConnect"):
            document.remark(f"`{name}`: get a token from the API's provider, and set `{same[0]}`")
    if not is_stated:
        return sent, {}
    needed = {
        operation: [
            *dict.fromkeys(known[name] for choice in choices for name in choice if name in known)
        ]
        for operation, choices in demands.items()
    }
    for env in {*known.values()}:
        holders = {name for name in known if known[name] == env}
        if all(map(partial(_is_demanded, holders), demands.values())):
            entry = variables.entries[env].items()
            variables.entries[env] = {key: value for key, value in entry if key != "required"}
    count = len({*known.values()})
    return sent, {name: envs for name, envs in needed.items() if len(envs) < count}


def _takes_authorization(document: Document, operation: Operation) -> bool:
    """Return whether a parameter is the header `Authorization`, which is never an argument."""
    given = [*operation.item.list("parameters"), *operation.part.list("parameters")]
    parts = [followed for part in given for followed in document.in_place(part)]
    names = {(part.text("in"), part.text("name").lower()) for part in parts}
    return ("header", "authorization") in names


def key_names(document: Document) -> Iterator[tuple[str, str]]:
    """Yield the places and names, in lower case, of the parameters that authenticate requests."""
    for part in dict(document.section("components", "securitySchemes").items()).values():
        for scheme in document.in_place(part):
            if scheme.text("type") == "apiKey":
                yield scheme.text("in"), scheme.text("name").lower()


def _demands(document: Document, operation: Operation) -> Iterator[Collection[str]]:
    """Yield the choices of schemes that an operation, or else the document, accepts."""
    own = operation.part.at("security").value is not None
    for requirement in (operation.part if own else document.root).list("security"):
        yield [*requirement.value] if isinstance(requirement.value, dict) else ()


def _is_demanded(schemes: Collection[str], choices: Collection[Collection[str]]) -> bool:
    """Return whether each choice of an operation includes one of these schemes."""
    return bool(choices) and all(not {*schemes}.isdisjoint(choice) for choice in choices)


def _is_sendable(scheme: Part) -> bool:
    place, name = scheme.text("in"), scheme.text("name")
    if place == "query":
        return bool(name)
    return place in ("header", "cookie") and bool(HEADER.fullmatch(name))
