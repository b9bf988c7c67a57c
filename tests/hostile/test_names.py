"""Names that mean something to Python, to a file system or to us: served, typed and clean."""

from __future__ import annotations

import builtins
import keyword
from pathlib import PurePosixPath
from typing import Any

import pytest

from scaffold.languages.python.names import command_name, package_name
from tests.corpus.recording import names_of
from tests.generated import Generated, generate
from tests.hostile.files import unreadable
from tests.project_tools import failed, ruff_findings
from tests.raw_client import LEGACY, StdioClient, WireCheck


def words(text: str) -> list[str]:
    return text.split()


MODULES = words("""
    __init__ __main__ _generated catalog changes client clients command completions connections
    contract errors handlers http lifespan main prompts resources server settings src stdio tests
    tools transports
""")
"""What lies beside a handler, now or once."""

LOCALS = words("""
    Annotated Any Arguments Awaitable CallToolResult Callable Context Generic Mapping NotRequired
    Prompt PromptResult Required Resource ResourceResult Result Sequence Settings Shared TypeAlias
    TypeVar Tool ToolResult TypedDict annotations anyio arguments asyncio cls context dataclass
    field inspect json jsonschema_rs logger logging mcp mcp_types os pytest ruff self shared sys
    typing
""")
"""What generated modules call things."""

DEVICES = words("CON PRN AUX NUL COM1 LPT9 con.txt nul.py aux")
ALIKE = words("getUser get_user GETUSER get-user get.user getUser_ a-b a_b a.b a__b a_b_2 b/c b.c")
ODD = [
    "-",
    "_",
    "__",
    ".",
    "..",
    "-rf",
    "--help",
    "404",
    "3d",
    *("a" * n for n in (63, 64, 65, 128)),
]

TOOLS = [
    *dict.fromkeys(
        [*keyword.kwlist, *keyword.softkwlist, *MODULES, *LOCALS, *DEVICES, *ALIKE, *ODD]
        + [name for name in dir(builtins) if name[0] == "_" or name[0].islower()]
    )
]
ERRORS = words(
    "ClientArguments Con Fault Generic MainResult NotFound Self SettingsError Str TypedDict"
)
VARIABLES = words("""
    CLASS CLASS_ None none_ cls environ FIELD OS str from_environment missing required
    Settings SELF __init__ __class__ _ __ _x print
""")
ARGUMENTS = [*keyword.kwlist, "self", "context", "", " a", "a b", "a-b", "a_b", "A_B", "é", "1"]

TAKEN = words("""
    activate anyio asyncio client con httpx2 json jsonschema-rs mcp mcp-scaffold mcp-types mypy pip
    pydantic pytest python python3 ruff src starlette tests tools typing uv uvicorn
""")
"""What a server may be called, and something that it needs is called already."""


def hostile_names() -> dict[str, Any]:
    """A spec in which every name is one of those."""
    nothing = {"type": "object", "additionalProperties": False}
    names = [name for name in TOOLS if len(name) <= 64]
    return {
        "name": "names",
        "version": "1.0.0",
        "env": [{"name": name, "secret": True, "required": False} for name in VARIABLES],
        "errors": [{"name": name, "message": f"{name} {{name}}"} for name in (*ERRORS, "A" * 64)],
        "tools": [
            {"name": name, "inputSchema": nothing, "errors": ERRORS, "title": name}
            for name in TOOLS
        ],
        "resources": [{"uri": f"x://{n}", "name": name} for n, name in enumerate(names)],
        "resourceTemplates": [
            {"uriTemplate": f"{'y' * n}://{{class}}/{{self}}{{?a.b,a_b,context}}", "name": name}
            for n, name in enumerate(names, 1)
        ],
        "prompts": [
            {
                "name": name,
                "arguments": [
                    {"name": a} for a in dict.fromkeys(ARGUMENTS) if a.strip() == a and a
                ],
            }
            for name in names
        ],
    }


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    project = generate(hostile_names(), tmp_path_factory.mktemp("names") / "names")
    for stub in project.source.glob("*/*.py"):
        text = stub.read_text("utf-8")
        answer = 'return NotWritten.__name__ and __name__.rpartition(".")[2]'
        stub.write_text(text.replace("raise NotWritten", answer))
    return project


def test_each_name_is_listed_and_reaches_its_own_handler(
    project: Generated, check: WireCheck
) -> None:
    spec = hostile_names()
    names = names_of(project)
    with StdioClient(project, LEGACY[-1], check) as client:
        for kind, method in (("tools", "tools/list"), ("prompts", "prompts/list")):
            listed = client.request(method)["result"][kind]
            assert [entry["name"] for entry in listed] == [entry["name"] for entry in spec[kind]]
        for tool in TOOLS:
            [content] = client.call(tool)["result"]["content"]
            assert names[content["text"]] == tool
        reached = set()
        for resource in spec["resources"]:
            answer = client.request("resources/read", {"uri": resource["uri"]})
            reached.add(answer["result"]["contents"][0]["text"])
        assert len(reached) == len(spec["resources"])
        reached = set()
        for prompt in spec["prompts"]:
            answer = client.request("prompts/get", {"name": prompt["name"]})
            reached.add(answer["result"]["messages"][0]["content"]["text"])
        assert len(reached) == len(spec["prompts"])
    assert client.garbage == []
    assert client.faults == []


def test_the_files_are_valid_and_portable(project: Generated) -> None:
    folder = project.folder
    assert unreadable(folder) == {}
    assert ruff_findings(folder) == ""
    paths = [path.relative_to(folder).as_posix() for path in folder.rglob("*")]
    assert len({path.casefold() for path in paths}) == len(paths)
    stems = {PurePosixPath(path).name.split(".")[0].casefold() for path in paths}
    assert stems & {"con", "prn", "aux", "nul", "com1", "lpt9"} == set()


@pytest.mark.slow
def test_the_type_checker_and_the_tests_of_the_project_pass(
    project: Generated,
) -> None:
    assert failed(project.folder, "mypy") == ""
    assert failed(project.folder, "pytest", "-q") == ""


@pytest.mark.parametrize("name", TAKEN)
def test_a_server_named_like_one_of_its_dependencies_gets_another_package_name(name: str) -> None:
    assert command_name(name) == f"{name}-server"
    assert package_name(name) == f"{name.replace('-', '_')}_server"
