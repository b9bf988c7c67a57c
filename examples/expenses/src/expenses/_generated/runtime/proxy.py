"""Headers of a trusted proxy: the client's address, and the path prefix of the server."""

import argparse
import ipaddress
import re
from typing import Any

from starlette.types import Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

PREFIX = re.compile(r"(/[A-Za-z0-9._~-]+)*")


class BehindProxy:
    """Serves an app under a path, which the proxy may have removed from the request's.

    `X-Forwarded-Prefix` takes the place of `root_path` if `trusted` has the proxy, whose
    other headers uvicorn reads.
    """

    def __init__(self, app: Any, root_path: str, trusted: str) -> None:
        self.app: Any = ProxyHeadersMiddleware(app, trusted)
        self.root_path = root_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        prefix, path = self.root_path, scope["path"]
        header = dict(scope["headers"]).get(b"x-forwarded-prefix", b"")
        forwarded = header.decode("latin-1").rstrip("/")
        address, _ = scope.get("client") or ("", 0)
        trusted = self.app.trusted_hosts
        if forwarded and PREFIX.fullmatch(forwarded) and address in trusted:
            prefix = forwarded
        if not path.startswith(f"{prefix}/"):
            path = prefix + path
        await self.app({**scope, "root_path": prefix, "path": path}, receive, send)


def path_prefix(text: str) -> str:
    if not PREFIX.fullmatch(text.rstrip("/")):
        raise argparse.ArgumentTypeError("it is a path such as /tools")
    return text.rstrip("/")


def addresses(text: str) -> str:
    for address in text.split(","):
        if address.strip() != "*":
            ipaddress.ip_network(address.strip())
    return text
