"""Parse the entry of a client's configuration: its transport, its command or URL, and its faults."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct, field

from scaffold.clients.client import Client
from scaffold.clients.server import ENDPOINTS, Program, Server
from scaffold.clients.shapes import read

_KINDS = ("type", "transport")
"""Fields that say which transport an entry is for."""


class Meant(Struct, frozen=True):
    """What an entry means: a command or a URL, and what is wrong with it, as sentences.

    `names` are the variables that the client passes on and the entry has no value for. `token` is
    the variable with the bearer token. An entry that means nothing has no `transport`.
    """

    transport: str
    command: tuple[str, ...] = ()
    env: Mapping[str, Any] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    folder: str | None = None
    url: str = ""
    headers: Mapping[str, Any] = field(default_factory=dict)
    token: str = ""
    faults: tuple[str, ...] = ()


def meant(client: Client, entry: Any) -> Meant:
    """Return what the client takes an entry to mean."""
    if not isinstance(entry, Mapping):
        return Meant("", faults=("the entry is not a table of fields",))
    entry = {
        key: client.also.get(value, value) if key in _KINDS and isinstance(value, str) else value
        for key, value in entry.items()
    }
    shapes = {name: shape for name, shape in client.entry.items() if _main(shape) in entry}
    if not shapes:
        fields = dict.fromkeys(f"`{_main(shape)}`" for shape in client.entry.values())
        return Meant("", faults=(f"it has no {' and no '.join(fields)}",))
    transport, faults = _chosen(client, shapes, entry)
    slots = dict(read(shapes[transport], entry))
    if entry.get("enabled") is False or entry.get("disabled") is True:
        faults.append("it is switched off")
    if transport == "stdio":
        return _process(slots, entry, faults)
    url, headers = slots.get("url"), slots.get("headers") or {}
    if not isinstance(url, str):
        faults.append("its address is not a text")
    if not _is_texts(headers):
        faults.append("its headers are not a table of texts")
        headers = {}
    return Meant(
        transport,
        url=str(url),
        headers=headers,
        token=str(slots.get("token") or ""),
        faults=tuple(faults),
    )


def starts(client: Client, entry: Any, server: Server, program: Program) -> bool:
    """Return whether an entry is for the server, whatever else it says.

    It starts the server, as we would or by a script in the project, or it has the server's address.
    What may differ is the path of the program, as after an upgrade of it, and the port.
    """
    started = meant(client, entry)
    if any(_is_address(text, server) for text in (started.url, *started.command)):
        return True
    if not started.command:
        return False
    path, *arguments = started.command
    if PurePath(path).name == PurePath(program.command[0]).name:
        return arguments[: len(program.command) - 1] == [*program.command[1:]]
    return PurePath(path).stem == server.name and PurePath(path).is_relative_to(program.folder)


def _is_address(text: str, server: Server) -> bool:
    """Return whether a text is the address of the server on some port."""
    ours = (urlsplit(server.url(way)) for way in server.transports if way in ENDPOINTS)
    try:
        theirs = urlsplit(text)
        return any(
            (address.hostname, address.path) == (theirs.hostname, theirs.path) for address in ours
        )
    except ValueError:
        return False


def wrong_address(url: str, headers: Mapping[str, str]) -> str | None:
    """Return what is wrong with an address and headers, once variables are replaced."""
    try:
        parts = urlsplit(url)
        is_usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_usable = False
    if not is_usable or not url.isprintable():
        return "its address is not a URL that begins with http:// or https://"
    for name, value in headers.items():
        is_plain = value.isascii() and value.isprintable()
        if not re.fullmatch(r"[\w!#$%&'*+.^`|~-]+", name, re.ASCII) or not is_plain:
            return f"its header `{name}` has characters that HTTP does not allow"
    return None


def _process(slots: Mapping[str, Any], entry: Mapping[str, Any], faults: list[str]) -> Meant:
    words = slots.get("program")
    if words is None:
        arguments = slots.get("args") or []
        words = [slots.get("command"), *(arguments if isinstance(arguments, list) else [None])]
    if not isinstance(words, list) or not words or not all(isinstance(w, str) for w in words):
        faults.append("its command and arguments are not texts")
        words = []
    elif not words[0]:
        faults.append("its command is empty")
        words = []
    elif " " in words[0] and len(words) == 1 and not words[0].startswith("/"):
        faults.append(f"`{words[0]}` holds arguments too: only the program goes there")
    env, names = slots.get("env") or {}, slots.get("names") or []
    if not _is_texts(env):
        faults.append("its variables are not a table of texts")
        env = {}
    folder = entry.get("cwd")
    return Meant(
        "stdio",
        command=tuple(words),
        env=env,
        names=tuple(map(str, names)) if isinstance(names, list) else (),
        folder=folder if isinstance(folder, str) else None,
        faults=tuple(faults),
    )


def _chosen(
    client: Client, shapes: Mapping[str, Any], entry: Mapping[str, Any]
) -> tuple[str, list[str]]:
    """Return the transport that the client sees in the entry, and why it may see none."""
    right = {name: shape for name, shape in shapes.items() if not _unlike(shape, entry)}
    if len(right) > 1:  # the client asks the server
        address = str(entry.get(_main(next(iter(right.values())))))
        is_sse = address.partition("?")[0].endswith("/sse")
        return "sse" if is_sse and "sse" in right else next(iter(right)), []
    if right:
        return next(iter(right)), []
    transport, shape = next(iter(shapes.items()))
    key = _unlike(shape, entry)
    if key not in entry:
        if client.untyped in shapes:
            return client.untyped, []
        if "stdio" in (shape[key], *client.also):
            return transport, []
        wanted = " or ".join(f"`{shape[key]}`" for shape in shapes.values())
        return transport, [f"it has no `{key}`, which is {wanted}: {client.name} leaves it out"]
    known = " or ".join(f"`{shape[key]}`" for shape in shapes.values())
    return transport, [f"its `{key}` is `{entry[key]}`; {client.name} knows {known}"]


def _unlike(shape: Mapping[str, Any], entry: Mapping[str, Any]) -> str:
    """Return the field that says that an entry has another transport; empty if there is none."""
    return next((key for key in _KINDS if key in shape and entry.get(key) != shape[key]), "")


def _main(shape: Mapping[str, Any]) -> str:
    """Return the field with the command or the address."""
    return next(key for key, slot in shape.items() if slot in ("<command>", "<program>", "<url>"))


def _is_texts(value: Any) -> bool:
    return isinstance(value, Mapping) and all(isinstance(text, str) for text in value.values())
