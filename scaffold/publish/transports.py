"""Check the transports of packages and remote servers in server.json."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import ip_address
from urllib.parse import urlsplit

from scaffold.diagnostics.wording import quote
from scaffold.publish.spots import Spot
from scaffold.yaml.finding import Finding

_VARIABLE = re.compile(r"\{([^}]+)\}")


def of_package(package: Spot) -> Iterator[Finding]:
    """Yield what is wrong with how a client reaches a package that it has started."""
    transport = package.below("transport")
    if transport is None:
        return
    kind, url = transport.text("type"), transport.text("url")
    if kind == "stdio" and url:
        message = "a server over stdio has no `url`"
        yield Finding(f"{transport.at}/url", "publish-transport", message, "remove it", at_key=True)
    elif kind in ("streamable-http", "sse"):
        if url is None:
            message = f"the transport `{kind}` needs a `url`"
            hint = 'add it: `"url": "http://127.0.0.1:8000/mcp"`'
            yield Finding(transport.at, "publish-transport", message, hint)
            return
        named = {one.text(key) for one in _inputs(package) for key in ("name", "valueHint")}
        yield from _variables(transport, url, named, "an argument or a variable of the package")
        yield from _http(transport, url)


def of_remote(remote: Spot) -> Iterator[Finding]:
    """Yield what is wrong with the address of a remote server."""
    url = remote.text("url")
    if url is None:
        return
    variables = remote.below("variables")
    yield from _variables(
        remote, url, {*(variables.value if variables else {})}, "one of its `variables`"
    )
    for header in remote.items("headers"):
        own = header.below("variables")
        for name in _VARIABLE.findall(header.text("value") or ""):
            if name not in (own.value if own else ()):
                message = f"{quote('{' + name + '}')} in the header is not one of its `variables`"
                hint = "declare it, or write its value"
                yield Finding(f"{header.at}/value", "publish-transport", message, hint)
    scheme, host = _parts(url) or ("", "")
    if scheme != "https" or not host or _is_local(host):
        message = f"{quote(url)} is not a public address with https"
        yield Finding(
            f"{remote.at}/url", "publish-remote", message, "name the server that everyone can reach"
        )


def _is_local(host: str) -> bool:
    """Return whether a host can be reached only from this machine or its own network."""
    try:
        return not ip_address(host).is_global
    except ValueError:
        last = host.rstrip(".").rpartition(".")[2]
        return last in ("localhost", "local", "internal", "lan", "home", "localdomain")


def _inputs(package: Spot) -> Iterator[Spot]:
    for key in ("environmentVariables", "runtimeArguments", "packageArguments"):
        yield from package.items(key)


def _variables(spot: Spot, url: str, known: set[str | None], what: str) -> Iterator[Finding]:
    for name in _VARIABLE.findall(url):
        if name not in known:
            message = f"{quote('{' + name + '}')} in the address is not {what}"
            hint = "declare it, or write its value"
            yield Finding(f"{spot.at}/url", "publish-transport", message, hint)


def _http(spot: Spot, url: str) -> Iterator[Finding]:
    parts = _parts(url)
    if parts is None or parts[0] not in ("http", "https"):
        message = f"{quote(url)} is not the address of a server"
        hint = "write `http://127.0.0.1:8000/mcp`"
        yield Finding(f"{spot.at}/url", "publish-transport", message, hint)


def _parts(url: str) -> tuple[str, str] | None:
    """Return the scheme and the host of an address with variables, or None if it has none."""
    try:
        parts = urlsplit(re.sub(r":\{[^}]+\}(?=/|$)", ":80", url).replace("{", "").replace("}", ""))
        host = parts.hostname or ""
    except ValueError:
        return None
    return (parts.scheme, host) if host else None
