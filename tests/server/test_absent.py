"""None in a result: null where the schema lets it be, absent elsewhere."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.generated import PACK, Generated, generate, importable, of_the_sdk
from tests.raw_client import LEGACY, MODERN, StdioClient, WireCheck

PART = {
    "type": "object",
    "properties": {"unit": {"type": "string"}, "part-no": {"type": "integer"}},
}
RESULT = {
    "type": "object",
    "properties": {
        "note": {"type": "string"},
        "day": {"type": "string", "format": "date"},
        "hue": {"type": ["integer", "null"]},
        "shade": {"$ref": "#/$defs/Shade"},
        "anything": {},
        "must": {"type": ["string", "null"]},
        "part": {"$ref": "#/$defs/Part"},
        "parts": {"type": "array", "items": {"$ref": "#/$defs/Part"}},
        "inner": {"$ref": "#"},
    },
    "required": ["must"],
    "$defs": {
        "Part": PART,
        "Shade": {"enum": ["dark", "light", "neither of these", "both of these", None]},
    },
}
ARGUMENTS = {"type": "object", "properties": {"number": {"type": "integer"}, "part": PART}}
FIND = {"name": "find", "inputSchema": ARGUMENTS, "outputSchema": RESULT}
SPEC = {"name": "parts", "version": "1", "tools": [FIND]}

ALL = "note=None, day=None, hue=None, shade=None, anything=None, must=None"
FOUND: dict[str, dict[str, Any]] = {
    f"FindResult({ALL})": {"hue": None, "shade": None, "anything": None, "must": None},
    "FindResult(must=None)": {"must": None},
    "FindResult(must=None, part=None, parts=None)": {"must": None},
    "FindResult(must=None, part=Part(unit=None), parts=[Part(part_no=None)])": {
        "must": None,
        "part": {},
        "parts": [{}],
    },
    "FindResult(must='a', inner=FindResult(must=None, note=None))": {
        "must": "a",
        "inner": {"must": None},
    },
}
if PACK == "python":
    copied = "FindResult(must='a', note='b').model_copy(update={'note': None, 'hue': None})"
    FOUND[copied] = {"must": "a", "hue": None}
"""Results as a handler makes them, and as they are sent."""

HANDLER = f"""
from parts._generated.contract import Context, FindArguments, FindResult, Part


async def find(arguments: FindArguments, context: Context) -> FindResult:
    return [{", ".join(FOUND)}][arguments.number or 0]
"""


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    folder = tmp_path_factory.mktemp("parts") / "parts"
    return generate(SPEC, folder, handlers={"tools/find.py": HANDLER})


@pytest.mark.parametrize("version", [LEGACY[-1], MODERN])
def test_none_is_sent_as_null_only_where_the_schema_allows_null(
    parts: Generated, check: WireCheck, version: str
) -> None:
    with StdioClient(parts, version, check) as client:
        for number, (made, sent) in enumerate(FOUND.items()):
            result = client.call("find", number=number)["result"]
            assert not result.get("isError"), result
            assert result["structuredContent"] == sent, made


@of_the_sdk
def test_dumped_arguments_include_none(parts: Generated) -> None:
    """A handler that binds them by name, in SQL for one, finds each name."""
    with importable(parts.folder / "src", "parts"):
        arguments = import_module("parts._generated.contract").FindArguments()
    assert arguments.model_dump() == {"number": None, "part": None}


def test_only_models_of_results_omit_none(tmp_path: Path) -> None:
    find = {"name": "find", "description": "Find a part.", "inputSchema": PART}
    project = generate({**SPEC, "tools": [find]}, tmp_path / "parts")
    assert "OMIT_IF_NONE" not in (project.source / "_generated/contract.py").read_text()
