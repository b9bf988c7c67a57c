"""Types that stand for ever larger ones: a server starts at once, and reads what it gets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.generated import generate
from tests.raw_client import MODERN, StdioClient, WireCheck
from tests.waiting import WITHIN


def either(name: str) -> dict[str, Any]:
    """A type, or a list of it."""
    inner = {"$ref": f"#/$defs/{name}"}
    return {"anyOf": [inner, {"type": "array", "items": inner}]}


DOUBLED = {f"d{n}": either(f"d{n + 1}") for n in range(25)} | {"d25": {"type": "string"}}
TREE = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/$defs/tree"}}]}
WITHIN_ITSELF = {"d0": {"anyOf": [{"type": "integer"}, {"$ref": "#/$defs/tree"}]}, "tree": TREE}
HANDLER = """
def t(arguments, context):
    return repr(arguments.x)
"""


@pytest.mark.parametrize("pack", ["python", "python-stdlib"])
@pytest.mark.parametrize("types", [DOUBLED, WITHIN_ITSELF], ids=["doubled", "within itself"])
def test_a_server_with_exponentially_nested_types_starts_quickly(
    types: dict[str, Any], pack: str, tmp_path: Path, check: WireCheck
) -> None:
    schema = {"type": "object", "properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": types}
    tool = {"name": "t", "description": "d", "inputSchema": schema}
    spec = {"name": "doubling", "version": "1", "tools": [tool]}
    server = generate(spec, tmp_path / "p", handlers={"tools/t.py": HANDLER}, pack=pack)
    with StdioClient(server, MODERN, check) as client:
        answer = client.start_call("t", x=[["a"]] if "d1" in types else 3).result(WITHIN)
        expected = "[['a']]" if "d1" in types else "3"
        assert answer["result"]["content"][0]["text"] == expected
