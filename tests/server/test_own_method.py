"""A method and an extension that MCP does not know, added as docs/protocol.md says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.generated import REPOSITORY, Generated, generate, listening, of_the_sdk
from tests.raw_client import LEGACY, MODERN, RawClient, StdioClient, WireCheck
from tests.raw_web_client import HttpClient
from tests.waiting import WITHIN

pytestmark = of_the_sdk

SPEC: dict[str, Any] = {
    "name": "clock",
    "version": "1",
    "transports": ["stdio", "streamable-http"],
    "tools": [{"name": "hi", "description": "Say hi.", "inputSchema": {"type": "object"}}],
}
IMPORTS = """
from datetime import UTC, datetime
from mcp.server import ServerRequestContext
from mcp_types import RequestParams
"""


@pytest.fixture(scope="module")
def clock(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    project = generate(SPEC, tmp_path_factory.mktemp("clock") / "clock")
    page = (REPOSITORY / "docs/protocol.md").read_text("utf-8")
    shown = re.search(r"## Methods and .*?```python\n(.*?)\n\n\n(.*?)```", page, re.DOTALL)
    assert shown
    program = project.source / "__main__.py"
    text = program.read_text("utf-8")
    end = "    return create_server(options.call_time, options.threads)"
    assert text.count(end) == 1
    text = text.replace(end, shown[1]).replace("import argparse", f"import argparse{IMPORTS}")
    program.write_text(text.replace("def main()", f"{shown[2]}\n\ndef main()"))
    return project


@pytest.mark.parametrize("version", [LEGACY[-1], MODERN])
@pytest.mark.parametrize("transport", ["stdio", "streamable-http"])
def test_clients_are_answered_as_by_any_other_method(
    clock: Generated, check: WireCheck, tmp_path: Path, transport: str, version: str
) -> None:
    def asks(client: RawClient) -> None:
        answer = client.start("example.org/now", {}, valid=False).result(WITHIN)
        assert re.fullmatch(r"20\d\d-.*\+00:00", answer["result"]["now"])
        unknown = client.start("example.org/then", {}, valid=False).result(WITHIN)
        assert unknown["error"]["code"] == -32601
        if version == MODERN:
            capabilities = client.request("server/discover")["result"]["capabilities"]
            assert capabilities["extensions"] == {"example.org/clock": {}}

    if transport == "stdio":
        with StdioClient(clock, version, check) as local:
            asks(local)
        return
    with (
        listening(clock, transport, tmp_path / "log.txt") as server,
        HttpClient(server, version, check) as client,
    ):
        asks(client)
