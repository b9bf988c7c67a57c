"""An API that answers off its document: what it did reaches the model, and the fault the log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.generated import Generated, generate
from tests.raw_client import MODERN, StdioClient, WireCheck
from tests.web import Call, serving

pytestmark = pytest.mark.usefixtures("starts_programs")


ERRORS = ["Refused", "NotFound"]


def tool(name: str, errors: Mapping[str, str] | None = None, **response: Any) -> dict[str, Any]:
    http = {"method": "POST", "path": f"/{name}", "errors": errors or {}, "response": response}
    return {
        "name": name,
        "description": "Order something to eat.",
        "inputSchema": {"type": "object"},
        "outputSchema": {
            "type": "object",
            "properties": {
                "id": {"type": "integer"},
                "state": {"enum": ["open", "done"]},
                "paid": {"type": "string", "format": "date-time"},
                "code": {"type": "string", "pattern": "^[A-Z]+$"},
            },
            "required": ["id"],
        },
        "handler": {"http": http},
    }


SPEC: dict[str, Any] = {
    "name": "orders",
    "version": "1.0.0",
    "env": [
        {"name": "API_URL", "type": "url", "required": False},
        {"name": "API_TOKEN", "secret": True, "required": False},
    ],
    "api": {
        "url": {"env": "API_URL"},
        "credentials": [{"type": "bearer", "env": "API_TOKEN"}],
    },
    "tools": [
        tool("order"),
        tool("strict", strict=True),
        tool("listed", property="id"),
        tool("broken"),
        tool("loose"),
        tool("pattern"),
        tool("refused"),
        {**tool("quoted", errors={"4XX": "Refused", "404": "NotFound"}), "errors": ERRORS},
    ],
    "errors": [
        {"name": "Refused", "message": "The kitchen says: {body}"},
        {"name": "NotFound", "message": "There is no such dish"},
    ],
}

BODIES = {
    "/order": b'{"id": "seven", "state": "eaten"}',
    "/strict": b'{"id": "seven"}',
    "/listed": b'"seven"',
    "/broken": b"Ordered.",
    "/loose": b'{"id": 7, "paid": "yesterday"}',
    "/pattern": b'{"id": 7, "code": "x"}',
}
SECRET = "s3cret+token"
NOT_DOCUMENTED = "The API has done what it was asked, so do not repeat the call."


@pytest.fixture(scope="module", params=["python", "python-stdlib"])
def client(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, check: WireCheck
) -> Iterator[StdioClient]:
    folder = tmp_path_factory.mktemp("orders") / "project"
    project: Generated = generate(SPEC, folder, pack=request.param)

    def answer(call: Call) -> None:
        if call.path in BODIES:
            call.reply(200, BODIES[call.path])
        else:
            words = f'{{"detail": "{call.headers["Authorization"]} may not order"}}' + 600 * " "
            call.reply(422, words.encode())

    with (
        serving(answer) as url,
        StdioClient(project, MODERN, check, API_URL=url, API_TOKEN=SECRET) as client,
    ):
        yield client


def called(client: StdioClient, name: str) -> tuple[str, bool]:
    result = client.call(name)["result"]
    return result["content"][0]["text"], result.get("isError", False)


def test_an_undocumented_answer_is_returned_as_text(client: StdioClient) -> None:
    text, is_error = called(client, "order")
    assert is_error  # Clients would refuse it, as it has no structured content.
    assert text.startswith(NOT_DOCUMENTED)
    assert text.endswith(BODIES["/order"].decode())
    assert "The API's answer is not as documented: " in client.log
    assert "eaten" not in client.log  # It may be large, and is private.
    assert "Traceback" not in client.log


def test_an_undocumented_answer_is_text_even_if_the_body_is_a_property_of_the_result(
    client: StdioClient,
) -> None:
    text, _ = called(client, "listed")
    assert text.startswith(NOT_DOCUMENTED)
    assert text.endswith('"seven"')


def test_a_body_that_is_not_json_is_described_as_such(client: StdioClient) -> None:
    text, _ = called(client, "broken")
    assert text.endswith("(it is not JSON): Ordered.")


def test_a_strict_tool_hides_an_undocumented_answer(client: StdioClient) -> None:
    text, is_error = called(client, "strict")
    assert (text, is_error) == ("The API's response is not what it should be", True)


def test_the_log_has_the_text_of_a_refusal_without_credentials(client: StdioClient) -> None:
    text, is_error = called(client, "refused")
    assert (text, is_error) == ("The API answered with status 422", True)
    assert '/refused: status 422: {"detail": "Bearer … may not order"}' in client.log
    assert SECRET not in client.log


def test_formats_of_text_are_not_checked(client: StdioClient) -> None:
    result = client.call("loose")["result"]
    assert result["structuredContent"] == {"id": 7, "paid": "yesterday"}
    assert not result.get("isError")


def test_other_keywords_of_the_schema_are_checked(client: StdioClient) -> None:
    text, is_error = called(client, "pattern")
    assert is_error
    assert text.startswith(NOT_DOCUMENTED)
    assert "/code" in text
    assert text.endswith('{"id": 7, "code": "x"}')


def test_an_error_of_the_spec_can_quote_the_api(client: StdioClient) -> None:
    text, is_error = called(client, "quoted")
    assert is_error
    assert text.startswith('The kitchen says: {"detail": "Bearer … may not order"}')
    assert len(text) == len("The kitchen says: ") + 500
