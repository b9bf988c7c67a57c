"""What a project says of its tools: the page TOOLS.md, and the stubs that are to be written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.generated import Generated, generate
from tests.raw_client import LEGACY, StdioClient, WireCheck

ECHO = {
    "name": "echo",
    "description": "Echo a text.",
    "inputSchema": {
        "type": "object",
        "properties": {"text": {"type": "string", "minLength": 3}},
        "required": ["text"],
    },
}


def app(folder: Path, *tools: dict[str, Any]) -> Generated:
    return generate({"name": "app", "version": "1", "tools": list(tools)}, folder / "app")


def test_a_stub_is_to_be_written_and_nothing_of_it_is_logged(
    tmp_path: Path, check: WireCheck
) -> None:
    with StdioClient(app(tmp_path, ECHO), LEGACY[-1], check, "--log-level", "warning") as client:
        result = client.call("echo", text="one")["result"]
        assert (result["isError"], result["content"][0]["text"]) == (
            True,
            "This is not written yet",
        )
    assert client.log == ""
