"""What handlers return is the same JSON in either pack."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.generated import generate
from tests.raw_client import LEGACY, MODERN, StdioClient, WireCheck

HEAD = """
import datetime as dt
from decimal import Decimal
from enum import Enum
from uuid import UUID

from returns._generated.contract import CallToolResult, TextContent


class Color(Enum):
    RED = "red"


class OurUUID(UUID):
    pass


"""
RETURNED: dict[str, tuple[str, Any]] = {
    "date": ("dt.date(2026, 1, 2)", "2026-01-02"),
    "moment": ("{'at': dt.datetime(2026, 1, 2, 3, tzinfo=dt.UTC)}", {"at": "2026-01-02T03:00:00Z"}),
    "local": ("[dt.datetime(2026, 1, 2, 3, 4, 5, 6)]", ["2026-01-02T03:04:05.000006"]),
    "time": ("{'at': dt.time(1, 2)}", {"at": "01:02:00"}),
    "decimal": ("{'price': Decimal('1.10')}", {"price": "1.10"}),
    "uuid": ("{'id': [OurUUID(int=1)]}", {"id": ["00000000-0000-0000-0000-000000000001"]}),
    "color": ("{'color': Color.RED}", {"color": "red"}),
    "half": ("{'name \\ud800': 'a \\udc80'}", {"name ?": "a ?"}),
    "whole": (
        "CallToolResult(content=[], structured_content={'on': dt.date(2026, 1, 2)})",
        {"on": "2026-01-02"},
    ),
}
TEXTS = {"text": "'a \\ud800'", "block": "TextContent(type='text', text='a \\ud800')"}
REFUSED = {"group": "{'a': {1}}", "nan": "{'a': float('nan')}", "thing": "{'a': object()}"}
EVERY = {name: code for name, (code, _) in RETURNED.items()} | TEXTS | REFUSED
SPEC = {
    "name": "returns",
    "version": "1",
    "tools": [
        {"name": name, "description": "Return something.", "inputSchema": {"type": "object"}}
        for name in EVERY
    ],
    "resources": [{"name": "shelf", "uri": "shelf://a"}],
    "prompts": [{"name": "poem"}],
}
HANDLERS = {
    f"tools/{name}.py": f"{HEAD}def {name}(arguments, context):\n    return {code}\n"
    for name, code in EVERY.items()
}
HANDLERS["resources/shelf.py"] = "def shelf(context):\n    return 'a \\ud800'\n"
HANDLERS["prompts/poem.py"] = "def poem(arguments, context):\n    return 'a \\ud800'\n"


@pytest.mark.parametrize("pack", ["python", "python-stdlib"])
def test_what_a_handler_returns_is_the_same_in_either_pack(
    pack: str, tmp_path: Path, check: WireCheck
) -> None:
    project = generate(SPEC, tmp_path / "returns", handlers=HANDLERS, pack=pack)
    for version in (MODERN, LEGACY[-1]):
        with StdioClient(project, version, check) as client:
            for name, (_, value) in RETURNED.items():
                result = client.call(name)["result"]
                is_structured = version == MODERN or isinstance(value, dict)
                assert result.get("structuredContent") == (value if is_structured else None)
            for name in TEXTS:
                assert client.call(name)["result"]["content"][0]["text"] == "a ?"
            for name in REFUSED:
                result = client.call(name)["result"]
                assert result["content"][0]["text"].startswith("Internal error, reference ")
            read = client.request("resources/read", {"uri": "shelf://a"})
            assert read["result"]["contents"][0]["text"] == "a ?"
            prompt = client.request("prompts/get", {"name": "poem"})
            assert prompt["result"]["messages"][0]["content"]["text"] == "a ?"
