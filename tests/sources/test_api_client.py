"""The client of an API: what it makes of responses, of lost connections, and of its environment."""

from __future__ import annotations

import gzip
import socket
from base64 import b64encode
from collections.abc import Iterator
from typing import Any

import pytest

from tests.generated import Generated, generate
from tests.raw_client import MODERN, StdioClient, WireCheck
from tests.sources.documented_api import BASE, Api, serving

pytestmark = pytest.mark.usefixtures("starts_programs")

SECRET = "s3cret+token"
SPEC: dict[str, Any] = {
    "name": "caller",
    "version": "1.0.0",
    "env": [
        {"name": "API_URL", "type": "url", "required": False},
        {"name": "API_TOKEN", "secret": True, "required": False},
        {"name": "API_KEY", "secret": True, "required": False},
    ],
    "api": {
        "url": {"env": "API_URL"},
        "credentials": [
            {"type": "bearer", "env": "API_TOKEN"},
            {"type": "query", "name": "key", "env": "API_KEY"},
        ],
    },
    "tools": [
        {
            "name": "fetch",
            "description": "Fetch.",
            "inputSchema": {
                "type": "object",
                "properties": {"what": {"type": "string"}},
                "required": ["what"],
            },
            "handler": {
                "http": {
                    "method": "GET",
                    "path": "/{what}",
                    "response": {"mediaType": "text/plain"},
                }
            },
        }
    ],
}
TOO_LARGE = "The API's response is too large"
UNREACHABLE = "The API cannot be reached"


def whole(body: bytes, *headers: bytes) -> bytes:
    lines = [b"HTTP/1.1 200 OK", b"Content-Length: %d" % len(body), *headers, b"", body]
    return b"\r\n".join(lines)


CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
ANSWERS: dict[str, tuple[bytes, str]] = {
    "bomb": (whole(gzip.compress(bytes(9 << 20)), b"Content-Encoding: gzip"), TOO_LARGE),
    "endless": (CHUNKED + b"900000\r\n" + bytes(0x900000), TOO_LARGE),
    "cut": (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ncut", UNREACHABLE),
    "not HTTP": (b"hello\r\n\r\n", UNREACHABLE),
    "nothing": (b"", UNREACHABLE),
    "not compressed": (whole(b"no", b"Content-Encoding: gzip"), UNREACHABLE),
}
"""Responses, and what a caller is told."""
SLOW = {
    b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n": b"x",
    b"HTTP/1.1 200 OK\r\nX-Slow: ": b"x",
    CHUNKED: b"1\r\nx\r\n",
}
"""The beginnings of responses, and what comes after each again and again."""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    """A server whose API may take as many seconds as the variable `SECONDS` says."""
    made = generate(SPEC, tmp_path_factory.mktemp("caller") / "project")
    path = made.source / "lifespan.py"
    text = path.read_text()
    assert "Shared(settings, api)" in text
    limited = 'Shared(settings, replace(api, seconds=int(os.environ.get("SECONDS", "600"))))'
    text = text.replace("Shared(settings, api)", limited)
    path.write_text(text.replace("import dataclass", "import dataclass, replace\nimport os"))
    return made


@pytest.fixture(scope="module")
def api() -> Iterator[Api]:
    with serving() as api:
        yield api


@pytest.fixture(scope="module")
def client(project: Generated, api: Api, check: WireCheck) -> Iterator[StdioClient]:
    secrets = {"API_TOKEN": SECRET, "API_KEY": SECRET}
    with StdioClient(project, MODERN, check, API_URL=api.url, **secrets) as client:
        yield client
        assert "Traceback" not in client.log
        assert SECRET not in client.log


def fetched(client: StdioClient) -> str:
    (content,) = client.call("fetch", what="plain")["result"]["content"]
    text: str = content["text"]
    return text


@pytest.mark.parametrize("what", ANSWERS)
def test_an_incomplete_or_endless_response_is_a_clear_error(
    client: StdioClient, api: Api, what: str
) -> None:
    api.raw, message = ANSWERS[what]
    assert fetched(client) == message


def test_a_slow_response_times_out(project: Generated, api: Api, check: WireCheck) -> None:
    with StdioClient(project, MODERN, check, API_URL=api.url, SECONDS="1") as client:
        for api.raw, api.drip in SLOW.items():
            assert fetched(client) == "The API took longer than 1 seconds"
    api.drip = b""


def test_credentials_are_sent_and_cookies_are_not_shared_between_callers(
    client: StdioClient, api: Api
) -> None:
    for headers in ([b"Set-Cookie: a=b"], []):
        api.raw = whole(b"plain", *headers)
        assert fetched(client) == "plain"
    seen = api.seen[-1]
    assert (seen.path, seen.raw_query) == (f"{BASE}/plain", "key=s3cret%2Btoken")
    assert "cookie" not in seen.headers
    assert seen.headers["authorization"] == f"Bearer {SECRET}"
    assert seen.headers["user-agent"].lower() == "caller (an mcp server)"
    assert seen.headers["accept"] == "application/json, */*;q=0.5"


def test_user_and_password_in_the_address_are_sent_as_credentials(
    project: Generated, api: Api, check: WireCheck
) -> None:
    url = api.url.replace("//", "//us%40er:pass@")
    with StdioClient(project, MODERN, check, API_URL=url) as client:
        api.raw = whole(b"plain")
        assert fetched(client) == "plain"
    seen = api.seen[-1]
    assert seen.headers["authorization"] == f"Basic {b64encode(b'us@er:pass').decode()}"
    assert "pass@" not in str(seen)


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("", "API_URL is not set"),
        ("http://127.0.0.1:9", UNREACHABLE),
        ("http://a..b/ü", UNREACHABLE),
    ],
)
def test_an_unreachable_address_is_a_clear_error(
    project: Generated, check: WireCheck, url: str, message: str
) -> None:
    with StdioClient(project, MODERN, check, API_URL=url) as client:
        assert fetched(client) == message
        assert "Traceback" not in client.log


def test_a_server_ends_while_its_api_is_silent(project: Generated, check: WireCheck) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        with StdioClient(project, MODERN, check, API_URL=url) as client:
            client.start_call("fetch", what="plain")
            connection, _ = listener.accept()
        assert client.process.returncode == 0
        connection.close()
