"""Say in words why a conversation with a server failed."""

from __future__ import annotations

import httpx2

from scaffold.clients.client import Client
from scaffold.clients.reading import Meant
from scaffold.clients.server import Server
from scaffold.clients.trial.findings import Findings, public, write_again
from scaffold.connect.process import TooMuchError
from scaffold.connect.streams import ClosedError, StatusError, WrongError
from scaffold.diagnostics.wording import join


def judge_failure(
    error: Exception,
    meant: Meant,
    client: Client,
    server: Server,
    said: str | None,
    findings: Findings,
) -> None:
    """Add the finding for a failure; `said` is the end of the server's log. Time is not judged."""
    address = public(meant.url)
    match error:
        case WrongError():
            findings.add("client-answer", str(error), said)
        case TooMuchError():
            findings.add("client-output", str(error), said)
        case StatusError(status=401 | 403 as status) if not (meant.headers or meant.token):
            message = f"it answered {status}: it wants a token, and the entry sends none"
            findings.add("client-token", message, write_again(client))
        case StatusError(status=401 | 403 as status):
            message = f"it answered {status}: it does not accept the token"
            findings.add("client-token", message, "compare the token with that of the server")
        case StatusError(status=status):
            spoken = "SSE" if meant.transport == "sse" else "streamable HTTP"
            message = f"it answered {status} at {address}, where no server speaks {spoken}"
            start = f"start the server with `--transport {meant.transport}`"
            hint = f"{start}, unless another program listens there"
            findings.add("client-address", message, _other_addresses(server, meant) or hint)
        case ClosedError():
            findings.add("client-answer", f"{address} ended its answer without a message")
        case httpx2.HTTPError() | httpx2.InvalidURL():
            message = f"nobody answers at {address}: {str(error) or type(error).__name__}"
            hint = f"start the server: {client.name} does not start servers with a URL"
            findings.add("client-address", message, _other_addresses(server, meant) or hint)
        case OSError() | ValueError():  # ValueError: a null character, or half of one
            why = (getattr(error, "strerror", None) or str(error)).lower()
            findings.add("client-program", f"the program cannot be started: {why}", said)
        case _:
            raise error


def _other_addresses(server: Server, meant: Meant) -> str | None:
    """Return the addresses that the server has, as a hint; None if the entry has the right one."""
    names = [name for name in server.transports if name != "stdio"]
    if meant.transport in names and meant.url == server.url(meant.transport):
        return None
    known = join((f"{server.url(name)} ({name})" for name in names), "and")
    return f"the spec has {known}" if known else "the spec has no transport over HTTP"
