"""What a URI leads to: static content, a handler, or nothing."""

from __future__ import annotations

from collections.abc import Callable
from posixpath import normpath
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.server import Server
from mcp_types import ErrorData

from templates.python.runtime.handlers import BaseContext, Calls, Model
from templates.python.runtime.resources import (
    Resource,
    ResourceNotFound,
    Resources,
    ResourceTemplate,
)

pytestmark = pytest.mark.anyio


async def tell(arguments: Model, context: object) -> str:
    """Give back the variables of the URI."""
    return arguments.model_dump_json()


def served(
    resources: dict[str, Resource] | None = None,
    templates: dict[str, ResourceTemplate[Any]] | None = None,
) -> Server[Any]:
    """Return a server with resources and templates, by their URI."""
    contents = {"config://one": {"uri": "config://one", "mimeType": "text/plain", "text": "1"}}
    every = Resources(contents, resources or {}, templates or {}, BaseContext, Calls())
    return Server(
        "served",
        version="1",
        on_list_resources=every.list,
        on_list_resource_templates=every.list_templates,
        on_read_resource=every.read,
    )


async def read(server: Server[Any], uri: str, mode: str = "auto") -> Any:
    """Return the one content of a resource, or the error."""
    async with Client(server, mode=mode) as client:
        try:
            [content] = (await client.read_resource(uri)).contents
        except MCPError as error:
            return error.error
        return content


TEMPLATES = {
    "simple:///{a}": "simple:///{}",
    "reserved:///{+a}": "reserved:///{}",
    "fragment://x{#a}": "fragment://x#{}",
    "label://x{.a*}": "label://x.{}",
    "path://x{/a*}": "path://x/{}",
    "query://x{?a}": "query://x?a={}",
}
HOSTILE = [
    "../../etc/passwd",
    "..",
    "a/../../b",
    "/etc/passwd",
    "..\\secret",
    "C:\\Windows",
    "a\0.png",
]
WAYS: dict[str, Callable[[str], str]] = {
    "as it is": lambda value: value.replace("\0", "%00"),
    "percent": lambda value: "".join(f"%{byte:02x}" for byte in value.encode()),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("template", TEMPLATES)
async def test_no_variable_leads_out_of_a_folder(template: str, way: str) -> None:
    server = served(templates={template: ResourceTemplate(Model, tell)})
    assert "secret" in (await read(server, TEMPLATES[template].format("secret"))).text
    for value in HOSTILE:
        answer = await read(server, TEMPLATES[template].format(WAYS[way](value)))
        if isinstance(answer, ErrorData):
            assert answer.message == "Resource not found"
        else:
            assert_inside(answer.text)


async def test_a_handler_can_report_a_missing_resource() -> None:
    async def handle(_: Any, __: Any) -> str:
        raise ResourceNotFound("No appointment 7")

    answer = await read(
        served(templates={"path://x/{a}": ResourceTemplate(Model, handle)}), "path://x/7"
    )
    assert isinstance(answer, ErrorData)
    assert answer.message == "No appointment 7"


def assert_inside(text: str) -> None:
    """Assert that none of the variables which a handler was given leads out of a folder."""
    variables = (Model.model_validate_json(text).model_extra or {}).get("a", "")
    for value in variables if isinstance(variables, list) else [variables]:
        path = value.replace("\\", "/")
        assert not path.startswith("/")
        assert "\0" not in path
        assert normpath(path).split("/")[0] != ".."


async def test_a_template_can_opt_in_to_every_value() -> None:
    server = served(templates={"unsafe:///{+a}": ResourceTemplate(Model, tell, unsafe=True)})
    content = await read(server, "unsafe:///../../etc/passwd")
    assert content.text == '{"a":"../../etc/passwd"}'
