"""None in a result: null where the schema lets it be, absent elsewhere."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.generated import Generated, generate, of_the_sdk
from tests.raw_client import LEGACY, MODERN, StdioClient, WireCheck
from tests.server.test_project_checks import clean_environment

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
SPEC = {
    "name": "parts",
    "version": "1",
    "tools": [
        {
            "name": name,
            "description": "Find a part.",
            "inputSchema": {"type": "object", "properties": {"part": PART}},
            "outputSchema": RESULT,
        }
        for name in ("find", "whole")
    ],
}
HANDLER = '''"""Find a part."""

from parts._generated.contract import CallToolResult, Context
from parts._generated.contract import FindArguments, FindResult, Part


async def NAME(arguments: FindArguments, context: Context) -> RETURNED:
    found = {}
    return WRAPPED
'''
WRAPPED = "CallToolResult(content=[], structured_content=found)"

ALL = "note=None, day=None, hue=None, shade=None, anything=None, must=None"
FOUND = {
    "what may not be null": (f"FindResult({ALL})", {"hue", "shade", "anything", "must"}),
    "nothing but what is required": ("FindResult(must=None)", {"must"}),
    "nested": (
        "FindResult(must=None, part=Part(unit=None), parts=[Part(part_no=None)], inner=FindResult(must=None, note=None))",
        {"must", "part", "parts", "inner"},
    ),
    "copied": (
        "FindResult(must='a', note='b').model_copy(update={'note': None, 'hue': None})",
        {"must", "hue"},
    ),
    "an alternative that is None": ("FindResult(must=None, part=None, parts=None)", {"must"}),
}


def write(project: Generated, found: str) -> None:
    for name, returned, wrapped in (
        ("find", "FindResult", "found"),
        ("whole", "FindResult | CallToolResult", WRAPPED),
    ):
        text = HANDLER.replace("NAME", name).replace("RETURNED", returned)
        path = project.source / "tools" / f"{name}.py"
        path.write_text(text.replace("{}", found).replace("WRAPPED", wrapped))


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    return generate(SPEC, tmp_path_factory.mktemp("parts") / "parts")


def without_nulls(value: Any) -> Any:
    """A copy without what is null where the schema of these tests does not let it be."""
    nullable = {"hue", "shade", "anything", "must"}
    if isinstance(value, dict):
        assert all(item is not None or key in nullable for key, item in value.items()), value
        return {key: without_nulls(item) for key, item in value.items()}
    return [*map(without_nulls, value)] if isinstance(value, list) else value


@pytest.mark.parametrize("version", [LEGACY[-1], MODERN])
@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=[of_the_sdk] * (case == "copied")) for case in FOUND]
)
def test_none_goes_out_as_null_only_where_the_schema_has_it(
    parts: Generated, check: WireCheck, case: str, version: str
) -> None:
    found, names = FOUND[case]
    write(parts, found)
    with StdioClient(parts, version, check) as client:
        for tool in ("find", "whole"):
            result = client.call(tool)["result"]
            assert not result.get("isError"), result
            assert result["structuredContent"].keys() == names
            without_nulls(result["structuredContent"])
    if case == "nested":
        assert result["structuredContent"]["part"] == {}
        assert result["structuredContent"]["parts"] == [{}]
        assert result["structuredContent"]["inner"] == {"must": None}


@of_the_sdk
def test_arguments_are_dumped_whole(parts: Generated) -> None:
    """A handler that binds them by name, in SQL for one, finds each name."""
    code = (
        "from parts._generated.contract import *; import json;"
        "print(json.dumps([FindArguments().model_dump(), FindArguments.model_validate({}).part]))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env=clean_environment(PYTHONPATH="src"),
        cwd=parts.folder,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(ran.stdout) == [{"part": None}, None]


def test_only_models_that_go_out_say_what_is_left_out(tmp_path: Path) -> None:
    find = {"name": "find", "description": "Find a part.", "inputSchema": PART}
    project = generate({**SPEC, "tools": [find]}, tmp_path / "parts")
    assert "ABSENT" not in (project.source / "_generated/contract.py").read_text()
