"""How a connection begins, in each version of the protocol."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.generated import Generated, WebServer
from tests.raw_client import CLIENT_INFO, LEGACY, MODERN, RawClient, StdioClient, WireCheck
from tests.raw_web_client import HttpClient, SseClient
from tests.server.conftest import SPEC, TRANSPORTS, every_version

SERVER_INFO = {
    key: SPEC[key] for key in ("name", "version", "title", "description", "websiteUrl", "icons")
}
CAPABILITIES = {
    "tools": {"listChanged": False},
    "resources": {"listChanged": False, "subscribe": False},
    "prompts": {"listChanged": False},
}


@every_version
def test_the_server_announces_its_name_and_capabilities(client: RawClient) -> None:
    if client.version in LEGACY:
        result = client.opening["result"]
        assert result["protocolVersion"] == client.version
        assert result["serverInfo"] == SERVER_INFO
    else:
        result = client.request("server/discover")["result"]
        assert result["supportedVersions"] == [MODERN]
        assert result["_meta"]["io.modelcontextprotocol/serverInfo"] == SERVER_INFO
    assert result["capabilities"] == CAPABILITIES
    assert result["instructions"] == SPEC["instructions"]


@pytest.mark.parametrize("asked", [MODERN, "1999-12-31"])
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_an_unknown_version_is_answered_with_the_newest_version_that_has_a_handshake(
    workshop: Generated,
    web: Callable[[str], WebServer],
    check: WireCheck,
    transport: str,
    asked: str,
) -> None:
    client: RawClient
    if transport == "stdio":
        client = StdioClient(workshop, LEGACY[-1], check)
    else:
        kind = SseClient if transport == "sse" else HttpClient
        client = kind(web(transport), LEGACY[-1], check)
    params = {"protocolVersion": asked, "capabilities": {}, "clientInfo": CLIENT_INFO}
    try:
        assert client.request("initialize", params)["result"]["protocolVersion"] == LEGACY[-1]
    finally:
        client.close()
    assert client.faults == []
