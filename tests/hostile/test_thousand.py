"""A thousand tools: read, made and served in time that grows with their number and no faster."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from scaffold.yaml.source import parse
from tests.checked import check as checked
from tests.hostile.conftest import Server
from tests.hostile.watched import Run, run
from tests.raw_client import MODERN, StdioClient, WireCheck


def spec(tools: int) -> dict[str, Any]:
    """So many tools of the size that real ones have."""
    return {"name": "thousand", "version": "1.0", "tools": [tool(n) for n in range(tools)]}


def tool(number: int) -> dict[str, Any]:
    described = {"type": "string", "description": "What to look for, as words with blanks between."}
    return {
        "name": f"find_{number}",
        "title": f"Find {number}",
        "description": f"Find what is kept on shelf {number}, the newest first.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "query": described | {"minLength": 1, "pattern": "^[^\\n]+$"},
                "kind": {"enum": ["book", "map", "letter"], "default": "book"},
                "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
                "shelves": {"type": "array", "items": {"$ref": "#/$defs/shelf"}},
            },
            "required": ["query"],
            "additionalProperties": False,
            "$defs": {"shelf": {"type": "object", "properties": {"row": {"type": "integer"}}}},
        },
        "annotations": {"readOnlyHint": True},
    }


def test_a_thousand_tools_are_made_and_served(
    tmp_path: Path, server: Server, check: WireCheck
) -> None:
    made = {tools: new(tools, tmp_path / str(tools)) for tools in (250, 1000)}
    assert made[1000].seconds <= 10
    assert made[1000].peak <= 512 * 1024**2
    assert made[1000].seconds <= 6 * made[250].seconds
    with StdioClient(server(made[1000].folder / "out"), MODERN, check) as client:
        assert client.request("tools/list")["result"]["tools"] == spec(1000)["tools"]
        for name in ("find_0", "find_999"):
            answer = client.call(name, query="x")["result"]
            assert answer["content"][0]["text"] == "This is not written yet"
    assert client.garbage == []


def new(tools: int, folder: Path) -> Run:
    """Make the project of so many tools in `out`, below the folder."""
    folder.mkdir()
    (folder / "spec.json").write_text(json.dumps(spec(tools)))
    ran = run("new", "spec.json", "out", folder=folder)
    assert ran.status == 0, ran.errors
    return ran


def test_four_times_the_tools_take_four_times_as_long_to_read() -> None:
    few, many = (min(seconds_to_read(tools) for _ in range(3)) for tools in (250, 1000))
    assert many <= 6 * few


def seconds_to_read(tools: int) -> float:
    text = json.dumps(spec(tools))
    before = time.process_time()
    checked(parse(text, "spec.json"))
    return time.process_time() - before
