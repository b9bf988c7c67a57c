"""The day of a user: write handlers, edit the spec, regenerate, see what broke, mend it, be done."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.project_tools import failed
from tests.pyright import errors
from tests.regenerate.living import NUMBER, TEXT, Living, Spec, spec, tool

pytestmark = pytest.mark.usefixtures("starts_programs")

WRITTEN = ("src/blog/tools", "tests/test_search.py")
"""What people write in the project."""

LEVEL = {"enum": ["low", "high"], "description": "How much."}


def result(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


BEFORE = spec(
    tool("search", "query", query=TEXT),
    tool("read", "source", "chunk", source=TEXT, chunk=NUMBER),
    {**tool("measure", "source", source=TEXT), "outputSchema": result(words=NUMBER)},
    tool("set_level", "level", level=LEVEL),
    {**tool("fetch", "source", source=TEXT), "errors": ["NotFound"]},
    errors=[{"name": "NotFound", "message": "Not found: {source}"}],
)

BODIES = {
    "search": "return arguments.query",
    "read": "return arguments.source + str(arguments.chunk + 1)",
    "measure": "return MeasureResult(words=len(arguments.source))",
    "set_level": 'return "!" if arguments.level == "high" else "."',
    "fetch": "raise NotFound(source=arguments.source)",
}
"""What the user writes first."""

MENDED = {
    "read": "return arguments.source",
    "measure": "return MeasureResult(words=len(arguments.source), lines=1)",
    "set_level": 'return "!" if arguments.level == "full" else "."',
    "fetch": "raise NotFound(path=arguments.source)",
}
"""What the user writes when the spec has changed."""

UNIT_TEST = """from typing import cast

import pytest
from blog._generated.contract import Context, SearchArguments
from blog.tools.search import search


@pytest.mark.anyio
async def test_search() -> None:
    assert await search(SearchArguments(query="x"), cast(Context, None)) == "x"
"""


def edit(spec: Spec) -> None:
    tools = {tool["name"]: tool for tool in spec["tools"]}
    tools["search"].update(tool("search", "query", "language", query=TEXT, language=TEXT))
    tools["read"].update(tool("read", "source", source=TEXT))
    tools["measure"]["outputSchema"] = result(words=NUMBER, lines=NUMBER)
    tools["set_level"]["inputSchema"]["properties"]["level"] = {**LEVEL, "enum": ["low", "full"]}
    spec["errors"][0]["message"] = "Not found: {path}"


def write_handlers(blog: Living, bodies: dict[str, str]) -> None:
    for name, body in bodies.items():
        path = f"src/blog/tools/{name}.py"
        text = re.sub(r"raise NotWritten|return .*|raise NotFound.*", body, blog.read(path))
        text = re.sub(r" *NotWritten,\n|, NotWritten\b|\bNotWritten, ", "", text)
        if "NotFound(" in body and "import NotFound" not in text:
            text = text.replace(
                "\n\n\nasync", "\nfrom blog._generated.contract import NotFound\n\n\nasync"
            )
        blog.write(path, text)


def test_the_type_checkers_report_only_what_an_edit_broke(
    tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    """What they cannot see, such as a limit, the run has said.

    A new argument breaks no handler, only the test that calls it without.
    """
    blog = Living.born(tmp_path / "blog", BEFORE)
    write_handlers(blog, BODIES)
    blog.write("tests/test_search.py", UNIT_TEST)
    blog.edit(edit)
    report = blog.regenerate().stderr
    for line in (
        "search: + language (required string)",
        "read: - chunk",
        "measure: result: + lines (required integer)",
        'set_level: level: "low" or "high" → "low" or "full"',
        "error NotFound: + path, - source",
    ):
        assert f"\n{line}\n" in report

    pointed_at = re.findall(
        r"^(\S+?):\d+: error: (.*)  \[", failed(blog.root, "mypy"), re.MULTILINE
    )
    broken = {"tests/test_search.py", *(f"src/blog/tools/{name}.py" for name in MENDED)}
    assert {path for path, _ in pointed_at} == broken
    assert errors(pytestconfig.cache.mkdir("pyright"), blog.root, *WRITTEN).keys() == broken
    words = " ".join(message for _, message in pointed_at)
    for missing in ('"language"', '"chunk"', '"lines"', "'full'", '"source" for "NotFound"'):
        assert missing in words

    write_handlers(blog, MENDED)
    blog.write("tests/test_search.py", UNIT_TEST.replace('"x")', '"x", language="en")'))
    assert failed(blog.root, "mypy") == ""
    assert blog.regenerate("--check").stderr == "already up to date\n"
