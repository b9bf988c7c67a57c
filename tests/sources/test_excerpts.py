"""Large answers of an API: a part of them is the result, and the text says what is cut off."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.generated import generate, of_the_sdk
from tests.raw_client import MODERN, StdioClient, WireCheck
from tests.web import serving

pytestmark = [pytest.mark.usefixtures("starts_programs"), of_the_sdk]

ORDER = {
    "id": 7,
    "note": None,
    "customer": {"name": "Ada", "address": "long " * 1000},
    "items": [{"name": f"dish {n}", "tags": ["hot", "new", "old"]} for n in range(5)],
}
ORDERS = {"type": "array", "items": {"type": "object", "required": ["id"]}}


def tool(name: str, properties: dict[str, Any] | None, **response: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {
        "name": name,
        "description": f"Read the orders of today, {name}.",
        "inputSchema": {"type": "object"},
        **({"outputSchema": schema} if properties else {}),
        "handler": {"http": {"method": "GET", "path": f"/{name}", "response": response}},
    }


SPEC: dict[str, Any] = {
    "name": "orders",
    "version": "1.0.0",
    "env": [{"name": "API_URL", "type": "url", "required": False}],
    "api": {"url": {"env": "API_URL"}},
    "tools": [
        tool(
            "one",
            {"id": {}, "note": {}, "gone": {"type": "string"}, "customer": {}, "count": {}},
            select=["id", "note", "gone", "customer.name", "{count: length(items)}"],
        ),
        tool(
            "list",
            {"result": ORDERS},
            property="result",
            select=["id", "items[].{name: name, tags: tags}"],
            limit=2,
        ),
        tool("text", None, select=["items[].name"], limit=3),
        tool("whole", {"result": {}}, property="result", limit=5),
    ],
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory, check: WireCheck) -> Iterator[StdioClient]:
    project = generate(SPEC, tmp_path_factory.mktemp("orders") / "project")
    bodies = {"/one": ORDER, "/list": 3 * [ORDER], "/text": ORDER, "/whole": ["a"]}
    with (
        serving(lambda call: call.reply(200, json.dumps(bodies[call.path]).encode())) as url,
        StdioClient(project, MODERN, check, API_URL=url) as client,
    ):
        yield client


def called(client: StdioClient, name: str) -> tuple[Any, list[str]]:
    result = client.call(name)["result"]
    assert not result.get("isError"), result
    return result.get("structuredContent"), [block["text"] for block in result["content"]]


def test_the_selected_part_is_the_result_and_null_stays_null(client: StdioClient) -> None:
    data, texts = called(client, "one")
    assert data == {"id": 7, "note": None, "customer": "Ada", "count": 5}
    assert [json.loads(text) for text in texts] == [data]


def test_a_part_is_selected_from_each_item_and_a_sentence_reports_the_cut(
    client: StdioClient,
) -> None:
    data, (text, sentence) = called(client, "list")
    item = {"name": "dish 0", "tags": ["hot", "new"]}
    assert data["result"][1] == {"id": 7, "items": [item, {**item, "name": "dish 1"}]}
    assert len(data["result"]) == 2
    assert json.loads(text) == data
    assert sentence == (
        "Only the first 2 items of each list are shown: `result` has 3, `result[].items` has 5, "
        "`result[].items[].tags` has 3."
    )


def test_a_tool_without_an_output_schema_returns_text(client: StdioClient) -> None:
    data, (text,) = called(client, "text")
    assert data is None
    part, sentence = text.split("\n\n")
    assert json.loads(part) == {"items": ["dish 0", "dish 1", "dish 2"]}
    assert sentence == "Only the first 3 items of each list are shown: `items` has 5."


def test_a_complete_list_has_no_note(client: StdioClient) -> None:
    assert called(client, "whole") == ({"result": ["a"]}, ['{"result":["a"]}'])
