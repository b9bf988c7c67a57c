"""The client of an API: which credentials it sends where, and what it makes of statuses."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import anyio
import httpx2
import pytest

from templates.python.runtime import api, http_client
from templates.python.runtime.handlers import ToolError

SECRET = "s3cret"
BASIC = "Basic " + b64encode(SECRET.encode()).decode()
KINDS = {
    "bearer": api.Credential("bearer", SECRET, "bearer"),
    "basic": api.Credential("basic", SECRET, "basic"),
    "header": api.Credential("header", SECRET, "header", "X-Key"),
    "query": api.Credential("query", SECRET, "query", "key"),
    "cookie": api.Credential("cookie", SECRET, "cookie", "sid"),
}
OWN = "http://api.example/base"


def asked(
    *credentials: Any, path: str = "/books", answer: httpx2.Response | None = None, **options: Any
) -> tuple[httpx2.Request, bytes]:
    """The request that came, and the body that was made of the answer to it."""
    seen: list[httpx2.Request] = []

    def serve(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        return answer or httpx2.Response(200, content=b"{}")

    async def ask() -> bytes:
        transport = httpx2.MockTransport(serve)
        async with httpx2.AsyncClient(transport=transport) as client:
            reached = api.Api(http_client.HttpClient(client), OWN, "API_URL", credentials)
            body: bytes = await reached.request("GET", path, **options)
            return body

    body = anyio.run(ask)
    return seen[0], body


def sent(request: httpx2.Request) -> dict[str, str | None]:
    """What authenticates a request."""
    parts = {
        "authorization": request.headers.get("Authorization"),
        "x-key": request.headers.get("X-Key"),
        "key": dict(request.url.params).get("key"),
        "cookie": request.headers.get("Cookie"),
    }
    return {name: value for name, value in parts.items() if value}


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("bearer", {"authorization": f"Bearer {SECRET}"}),
        ("basic", {"authorization": BASIC}),
        ("header", {"x-key": SECRET}),
        ("query", {"key": SECRET}),
        ("cookie", {"cookie": f"sid={SECRET}"}),
    ],
)
def test_each_kind_of_credential_has_its_place(kind: str, expected: dict[str, str]) -> None:
    assert sent(asked(KINDS[kind])[0]) == expected
    assert sent(asked(KINDS[kind], path="http://api.example/other")[0]) == expected
    assert sent(asked(KINDS[kind], credentials=[kind])[0]) == expected
    assert sent(asked(KINDS[kind], credentials=["another"])[0]) == {}
    assert SECRET not in repr(KINDS[kind])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "path", ["http://other.example/", "https://api.example/", "http://api.example:81/"]
)
def test_credentials_are_only_sent_to_the_api(kind: str, path: str) -> None:
    assert sent(asked(KINDS[kind], path=path)[0]) == {}


@pytest.mark.parametrize("value", [SECRET, None])
def test_an_argument_never_takes_the_place_of_a_credential(value: str | None) -> None:
    credentials = [
        api.Credential("query", value, "query", "key"),
        api.Credential("cookie", value, "cookie", "sid"),
    ]
    request, _ = asked(*credentials, query={"key": "mine"}, cookies={"sid": "mine"})
    assert sent(request) == ({"key": SECRET, "cookie": f"sid={SECRET}"} if value else {})


class NoBookError(ToolError):
    def __init__(self) -> None:
        super().__init__("There is no such book")


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        (["404"], "There is no such book"),
        (["4XX"], "There is no such book"),
        (["default"], "There is no such book"),
        (["403", "5XX"], "The API answered with status 404"),
    ],
)
def test_a_status_maps_to_the_error_of_the_spec_or_is_reported(
    keys: list[str], message: str
) -> None:
    errors = dict.fromkeys(keys, NoBookError)
    with pytest.raises(ToolError, match=message):
        asked(answer=httpx2.Response(404), errors=errors)


@pytest.mark.parametrize("user", ["key", "key:", "me:word"])
def test_the_user_of_a_url_is_sent_as_basic_credentials(user: str) -> None:
    async def ask() -> str | None:
        async with api.reached("tests", f"https://{user}@api.example", "API_URL") as reached:
            return reached.credentials[0].value

    assert anyio.run(ask) == (user if ":" in user else f"{user}:")
