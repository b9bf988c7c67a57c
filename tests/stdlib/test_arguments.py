"""Arguments of tools, prompts and URIs may have any name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.generated import generate
from tests.raw_client import MODERN, StdioClient, WireCheck

NAMES = ("cls", "self", "named", "data")
HANDLERS = {
    "tools/named.py": """
def named(arguments, context):
    if type(arguments).faults({"cls": "a"}) == []:
        return "not checked"
    return arguments.cls + arguments.self + arguments.named + arguments.data
""",
    "resources/shelf.py": """
def shelf(arguments, context):
    return arguments.cls + arguments.self
""",
    "prompts/named.py": """
def named(arguments, context):
    return arguments.cls + arguments.self
""",
}
SPEC = {
    "name": "names",
    "version": "1",
    "tools": [
        {
            "name": "named",
            "description": "Join texts.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    name: {"type": "string", "description": "A text."} for name in NAMES
                },
                "required": [*NAMES],
            },
        }
    ],
    "resourceTemplates": [{"name": "shelf", "uriTemplate": "shelf://{cls}/{self}"}],
    "prompts": [{"name": "named", "arguments": [{"name": name} for name in NAMES]}],
}


@pytest.mark.usefixtures("starts_programs")
def test_an_argument_may_be_called_as_a_parameter_of_the_runtime_is(
    tmp_path: Path, check: WireCheck
) -> None:
    project = generate(SPEC, tmp_path / "names", handlers=HANDLERS, pack="python-stdlib")
    values = dict(zip(NAMES, "abcd", strict=True))
    with StdioClient(project, MODERN, check) as client:
        called = client.request("tools/call", {"name": "named", "arguments": values})
        assert called["result"]["content"][0]["text"] == "abcd"
        read = client.request("resources/read", {"uri": "shelf://a/b"})
        assert read["result"]["contents"][0]["text"] == "ab"
        prompt = client.request("prompts/get", {"name": "named", "arguments": values})
        assert prompt["result"]["messages"][0]["content"]["text"] == "ab"
