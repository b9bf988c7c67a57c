"""Odd and hostile OpenAPI documents end in a spec that is valid, or in an error in words."""

from __future__ import annotations

import json
import os
import pty
import resource
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from scaffold.diagnostics import ScaffoldError
from scaffold.importing import Imported, imported
from scaffold.sources.read import read_source
from tests.generated import START_WITHIN, generate
from tests.raw_client import MODERN, StdioClient

COMMAND = Path(sys.executable).with_name("mcp-scaffold")
OK: dict[str, Any] = {"200": {"description": "Fine"}}


def document(paths: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": paths, **more}


def of_schema(schema: Any, **schemas: Any) -> dict[str, Any]:
    """A document whose operation takes and returns values of a schema."""
    content = {"application/json": {"schema": schema}}
    operation = {
        "operationId": "run",
        "requestBody": {"required": True, "content": content},
        "responses": {"200": {"description": "Fine", "content": content}},
    }
    return document({"/run": {"post": operation}}, components={"schemas": schemas})


def made(folder: Path, value: object, *include: str) -> Imported:
    source = folder / "api.json"
    source.write_text(json.dumps(value))
    return imported(read_source(str(source)), folder / "spec.yaml", include, [])


def tools(found: Imported) -> dict[str, Any]:
    return {tool["name"]: tool for tool in found.source.spec["tools"]}


def nested(depth: int) -> Any:
    schema: Any = {"type": "string"}
    for _ in range(depth):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


REF = "#/components/schemas/"
DOUBLED = {f"S{n}": {"allOf": [{"$ref": f"{REF}S{n + 1}"}] * 2} for n in range(40)} | {"S40": {}}
WIDE = {
    f"W{n}": {"type": "object", "properties": {f"p{i}": {"$ref": f"{REF}W{i}"} for i in range(60)}}
    for n in range(60)
}
FANNED = {
    f"F{n}": {
        "allOf": [{"$ref": f"{REF}F{n + 1}"}] * 30,
        "anyOf": [{"$ref": f"{REF}F{n + 1}"}] * 30,
    }
    for n in range(20)
} | {"F20": {"type": "object"}}
HOSTILE: dict[str, Any] = {
    "a reference to itself": of_schema({"$ref": f"{REF}A"}, A={"$ref": f"{REF}A"}),
    "two that refer to each other": of_schema(
        {"$ref": f"{REF}A"}, A={"$ref": f"{REF}B"}, B={"$ref": f"{REF}A"}
    ),
    "allOf itself": of_schema({"$ref": f"{REF}A"}, A={"allOf": [{"$ref": f"{REF}A"}]}),
    "a bomb of references": of_schema({"$ref": f"{REF}S0"}, **DOUBLED),
    "a wide bomb of references": of_schema({"$ref": f"{REF}F0"}, **FANNED),
    "a wide bomb in a form": json.loads(
        json.dumps(of_schema({"$ref": f"{REF}F0"}, **FANNED)).replace(
            "application/json", "multipart/form-data"
        )
    ),
    "all refer to all": of_schema({"$ref": f"{REF}W0"}, **WIDE),
    "a dangling reference": of_schema({"$ref": f"{REF}None"}),
    "a reference to no schema": of_schema({"$ref": "#/info/title"}),
    "a reference into a list": of_schema({"$ref": "#/servers/99"}),
    "a file": of_schema({"$ref": "file:///etc/passwd"}),
    "a file outside": of_schema({"$ref": "../../../../etc/passwd"}),
    "an absolute path": of_schema({"$ref": "/etc/passwd"}),
    "a URL": of_schema({"$ref": "http://127.0.0.1:1/x.json#/a"}),
    "an anchor": of_schema({"$ref": "#here"}),
    "deep": of_schema(nested(90)),
    "wrong types of keywords": of_schema(
        {
            "type": "any",
            "properties": {
                "a": {"type": ["string", "date"], "pattern": "(?P<x>a)", "minLength": -1},
                "b": {"enum": [], "required": True, "maximum": "7", "multipleOf": 0},
                "c": {"items": [{"type": "string"}], "nullable": "yes", "allOf": {}},
                "d": 7,
                "e": None,
                "f": {"$ref": 7, "properties": ["x"], "exclusiveMinimum": True},
                "g": {"type": "string", "format": 7, "default": object.__name__},
            },
        }
    ),
    "operations that are none": document(
        {
            "/a": {"get": {"operationId": "a", "responses": OK}, "put": None, "post": []},
            "/b": None,
            "/c": {"$ref": "#/paths/~1c"},
            "no slash": {"get": {"responses": OK}},
            "/d": {"get": {"parameters": [{"$ref": "#/x"}, 7], "responses": OK}},
            "/e": {"get": {"parameters": {}, "requestBody": 7, "responses": 7, "tags": [7, {}]}},
            "/f": {"get": {"parameters": [{"in": "query"}, {"name": "x"}, None], "security": 7}},
        },
        servers=7,
        tags=7,
        security=[7],
        components=7,
    ),
    "servers that are none": document(
        {"/a": {"get": {"servers": [{"url": "javascript:alert(1)"}], "responses": OK}}},
        servers=[{"url": "http://[::1"}, {"url": 7}],
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_an_odd_document_becomes_a_valid_spec_or_an_error_in_words(
    name: str, tmp_path: Path
) -> None:
    spec = tmp_path / "spec.yaml"
    try:
        found = made(tmp_path, HOSTILE[name])
    except ScaffoldError:
        assert not spec.exists()
    else:
        assert {one.id for one in found.left_out} <= {"broken-part"}
        assert all("handler" in tool for tool in tools(found).values())
        assert "root:" not in spec.read_text()


def test_an_operation_that_cannot_be_called_is_left_out_and_told(tmp_path: Path) -> None:
    loop = {"$ref": "#/components/parameters/loop"}
    paths = {
        "/a": {"get": {"operationId": "a", "responses": OK}},
        "/b": {"get": {"operationId": "b", "parameters": [loop], "responses": OK}},
    }
    found = made(tmp_path, document(paths, components={"parameters": {"loop": loop}}))
    assert [*tools(found)] == ["a"]
    loops = "`GET /b` was left out: `#/components/parameters/loop` refers to itself"
    assert [one.message for one in found.left_out] == [loops]


def test_a_reference_that_leads_nowhere_is_told_and_ends_with_1(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"a": {"$ref": f"{REF}Gone"}}}
    (tmp_path / "api.json").write_text(json.dumps(of_schema(schema)))
    done = subprocess.run(
        [COMMAND, "import", "api.json"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "api.json: error[broken-part] `#/components/schemas/Gone` does not exist" in done.stderr
    assert (tmp_path / "t.yaml").exists()


PART = {"name": "a", "in": "query", "schema": {"type": "string"}}
VANISHING: dict[str, tuple[dict[str, Any], str]] = {
    "a path without a slash": ({"b": {"get": {}}}, "`b` was left out: a path must begin with `/`"),
    "a path that is a text": ({"/b": "x"}, "`/b` was left out: it is not an object"),
    "an operation that is a list": (
        {"/b": {"post": []}},
        "`POST /b` was left out: it is not an object",
    ),
    "an operation that is null": (
        {"/b": {"post": None}},
        "`POST /b` was left out: it is not an object",
    ),
}
VANISHING |= {
    name: ({"/b": {"get": {"parameters": parameters, "responses": OK}}}, told)
    for name, parameters, told in [
        (
            "an unknown place",
            [{**PART, "in": "qurey"}],
            (
                "the parameter `a` of `GET /b` was left out: its `in` is `qurey`, not one of "
                "`path`, `query`, `header` and `cookie`"
            ),
        ),
        ("no name", [{"in": "query"}], "parameter 1 of `GET /b` was left out: it has no `name`"),
        ("a null", [PART, None], "parameter 2 of `GET /b` was left out: it is not an object"),
        ("a text", ["a"], "parameter 1 of `GET /b` was left out: it is not an object"),
        (
            "one twice",
            [PART, PART],
            "the parameter `a` of `GET /b` was left out: it is there twice",
        ),
        ("no list", {"a": PART}, "`parameters` of `GET /b` was left out: it is not a list"),
    ]
}


@pytest.mark.parametrize("name", VANISHING)
def test_no_part_of_a_document_vanishes_without_a_word(name: str, tmp_path: Path) -> None:
    paths, told = VANISHING[name]
    found = made(tmp_path, document({"/a": {"get": {"responses": OK}}, **paths}))
    assert [one.message for one in found.left_out] == [told]


def test_a_parameter_of_an_operation_replaces_that_of_its_path(tmp_path: Path) -> None:
    own = {**PART, "schema": {"type": "integer"}}
    item = {"parameters": [PART], "get": {"parameters": [own], "responses": OK}}
    found = made(tmp_path, document({"/a": item}))
    assert found.left_out == ()
    assert tools(found)["get_a"]["inputSchema"]["properties"] == {"a": {"type": "integer"}}


@pytest.mark.parametrize("name", ["Cookie", "HOST", "Content-Length", "transfer-encoding"])
def test_what_the_connection_needs_is_no_argument(name: str, tmp_path: Path) -> None:
    """As an argument, a header could be a credential, or make another request of this one."""
    header = {"name": name, "in": "header", "schema": {"type": "string"}}
    found = made(tmp_path, document({"/a": {"get": {"parameters": [header], "responses": OK}}}))
    assert tools(found)["get_a"]["inputSchema"]["properties"] == {}
    assert (
        f"GET /a: the header `{name}` was left out: it belongs to the connection"
        in found.source.notes
    )


def test_what_a_document_loses_is_told(tmp_path: Path) -> None:
    form = {
        "schema": {"type": "object", "properties": {"tags": {"type": "array"}}},
        "encoding": {"tags": {"style": "pipeDelimited"}},
    }
    operation = {
        "operationId": "a",
        "parameters": [
            {"name": "f", "in": "query", "schema": {"type": "array"}, "explode": False,
             "allowReserved": True},
            {"name": "x", "in": "query", "content": {"application/xml": {}}},
            {"name": "c", "in": "cookie", "style": "cookie", "schema": {"type": "string"}},
        ],
        "requestBody": {"content": {"application/x-www-form-urlencoded": form}},
    }  # fmt: skip
    value = document(
        {
            "/a": {
                "get": operation,
                "trace": {},
                "additionalOperations": {"COPY": {"responses": OK}},
            }
        },
        servers=[{"url": "https://api.example/v1?tenant=1"}],
    )
    found = made(tmp_path, {**value, "openapi": "3.2.0"})
    assert [*tools(found)] == ["a", "copy_a"]
    assert found.source.notes == (
        "OpenAPI 3.2 is read as 3.1: new schema and media type features are ignored",
        "`TRACE /a` was left out",
        "the query and fragment of the server `https://api.example/v1?tenant=1` were left out",
        "GET /a: reserved characters of `f` are escaped",
        "GET /a: `x` is sent as JSON, not as application/xml",
        "GET /a: `c` is sent in the style `form`, not `cookie`",
        "GET /a: `tags` is sent as one field per item, not in its encoding",
    )


def test_a_server_without_a_host_is_a_path_that_the_address_ends_in(tmp_path: Path) -> None:
    value = document({"/a": {"get": {"operationId": "a"}}}, servers=[{"url": "/api/v3"}])
    (note,) = made(tmp_path, value).source.notes
    assert note == (
        "the document names no host: set `T_URL` to the API's address, which ends in `/api/v3`"
    )


@pytest.mark.usefixtures("starts_programs")
def test_a_document_without_a_host_makes_a_server_that_says_so(tmp_path: Path) -> None:
    found = made(tmp_path, document({"/a": {"get": {"operationId": "a", "responses": OK}}}))
    project = generate(found.path, tmp_path / "project")
    with StdioClient(project, MODERN, lambda version, message, method: []) as client:
        result = client.call("a")["result"]
    assert result["content"][0]["text"] == "T_URL is not set"


def test_names_that_collide_or_escape_are_made_safe(tmp_path: Path) -> None:
    names = ["../../etc/passwd", "a b", "a_b", "a-b", "", "x" * 200, "x" * 201, "ünïcode", "None"]
    paths: dict[str, Any] = {
        f"/p{n}": {"get": {"operationId": name, "responses": OK}} for n, name in enumerate(names)
    }
    arguments: Any = [
        {"name": name, "in": "query", "schema": {"type": "string"}}
        for name in ("a[b]", "a.b", "a b", "a_b", "$where", "__proto__", "class", "x" * 99)
    ]
    paths["/p1"]["get"]["parameters"] = arguments
    found = tools(made(tmp_path, document(paths)))
    assert len(found) == len(names)
    assert all(len(name) <= 64 and name.replace("-", "").isidentifier() for name in found)
    properties = found["a_b"]["inputSchema"]["properties"]
    assert len(properties) == len(arguments)
    assert all(len(name) <= 64 for name in properties)


def test_files_below_the_folder_are_read_and_no_others(tmp_path: Path) -> None:
    folder = tmp_path / "api"
    (folder / "parts").mkdir(parents=True)
    (tmp_path / "secret.json").write_text('{"title": "SECRET"}')
    (folder / "parts" / "link.json").symlink_to(tmp_path / "secret.json")
    (folder / "parts" / "pet.yaml").write_text(
        "Pet: {type: object, properties: {owner: {$ref: 'owner.yaml'}, back: {$ref: '../api.json"
        "#/components/schemas/Age'}}}"
    )
    (folder / "parts" / "owner.yaml").write_text("{type: string, maxLength: 7}")
    value = of_schema({"$ref": "parts/pet.yaml#/Pet"}, Age={"type": "integer"})
    arguments = tools(made(folder, value))["run"]["inputSchema"]
    assert arguments["$defs"] == {
        "Age": {"type": "integer"},
        "owner.yaml": {"type": "string", "maxLength": 7},
    }
    for outside in ("../secret.json", "parts/link.json", "parts/../../secret.json"):
        with pytest.raises(ScaffoldError) as raised:
            made(folder, of_schema({"$ref": outside}))
        assert "is outside the directory of the document" in str(raised.value.diagnostics[0].hint)


def test_more_than_forty_operations_are_chosen_by_patterns(tmp_path: Path) -> None:
    paths = {
        f"/{'users' if n % 2 else 'teams'}/{n}": {
            "get": {"operationId": f"get_{n}", "tags": ["odd" if n % 2 else "even"]}
        }
        for n in range(41)
    }
    with pytest.raises(ScaffoldError, match="41 operations are too many") as raised:
        made(tmp_path, document(paths))
    assert raised.value.diagnostics[0].id == "too-many-tools"
    for pattern, count in {
        "*": 41,
        "tag:odd": 20,
        "GET /users/**": 20,
        "/teams/**": 21,
        "get_1?": 10,
        "/teams/2": 1,
    }.items():
        (tmp_path / "spec.yaml").unlink(missing_ok=True)
        assert len(tools(made(tmp_path, document(paths), pattern))) == count
    with pytest.raises(ScaffoldError, match="nothing in the source matches `tag:old`"):
        made(tmp_path, document(paths), "tag:old")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"swagger": "2.0", "paths": {}}, "this is a Swagger 2.0 document"),
        ({"openapi": "4.0.0"}, "unknown version of OpenAPI: `4.0.0`"),
        ({"openapi": "3.1.0", "webhooks": {"x": {}}}, "the document has no operations"),
    ],
)
def test_a_document_that_cannot_be_imported_says_why(
    value: Any, message: str, tmp_path: Path
) -> None:
    with pytest.raises(ScaffoldError, match=message):
        made(tmp_path, value)


@pytest.mark.parametrize("kind", ["json", "yaml"])
def test_a_large_document_is_read_within_bounds(kind: str, tmp_path: Path) -> None:
    """Hundreds of operations with large schemas take a limited processor time."""
    large = {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(200)}}
    paths = {
        f"/p{n}": {
            "post": {
                "operationId": f"post_{n}",
                "requestBody": {"content": {"application/json": {"schema": {"$ref": f"{REF}L"}}}},
                "responses": OK,
            }
        }
        for n in range(300 if kind == "json" else 60)
    }
    source = tmp_path / f"api.{kind}"
    source.write_text(json.dumps(document(paths, components={"schemas": {"L": large}})))
    done = subprocess.run(
        [COMMAND, "import", str(source), "--include", "*", "-o", "spec.yaml"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (120, 120)),
    )
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 2), done.stderr[-500:]


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_on_a_terminal_import_asks_which_operations_are_wanted(tmp_path: Path) -> None:
    paths = {
        f"/{n}": {"get": {"tags": ["a" if n else "b"], "operationId": f"get_{n}"}}
        for n in range(41)
    }
    (tmp_path / "api.json").write_text(json.dumps(document(paths)))
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [COMMAND, "import", "api.json", "-o", "spec.yaml"],
        cwd=tmp_path,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    said = b""
    while b"Which operations?" not in said:
        said += os.read(ours, 1000)
    os.write(ours, b"tag:b, get_4\n")
    with suppress(OSError):  # Linux raises it at the end.
        while more := os.read(ours, 1000):
            said += more
    os.close(ours)
    assert process.wait(START_WITHIN) == 0
    assert b"  tag:a    40  get_1, get_2, get_3, " in said
    assert b"2 tools" in said
