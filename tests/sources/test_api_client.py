"""The client of an API: what it makes of responses, of lost connections, and of its environment."""

from __future__ import annotations

import gzip
import socket
import time
from base64 import b64encode
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import takewhile
from threading import Thread
from typing import Any

import pytest

from tests.generated import Generated, generate
from tests.raw_client import MODERN, StdioClient, WireCheck

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
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
UNREACHABLE = "The API cannot be reached"


def whole(body: bytes, *headers: bytes) -> bytes:
    lines = [b"HTTP/1.1 200 OK", b"Content-Length: %d" % len(body), *headers, b"", body]
    return b"\r\n".join(lines)


ANSWERS = {
    "plain": whole(b"plain"),
    "cookie": whole(b"set", b"Set-Cookie: a=b"),
    "bomb": whole(gzip.compress(bytes(9 * 1024 * 1024)), b"Content-Encoding: gzip"),
    "endless": CHUNKED + b"900000\r\n" + bytes(0x900000),
    "cut": b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ncut",
    "not HTTP": b"hello\r\n\r\n",
    "not compressed": whole(b"no", b"Content-Encoding: gzip"),
    "nothing": b"",
}
CLOSING = {"cut", "not HTTP", "nothing"}
SLOW = {
    "slow end": b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n",
    "slow head": b"HTTP/1.1 200 OK\r\nX-Slow: ",
    "slow body": CHUNKED,
}


@dataclass
class Api:
    """An API that answers as the path says."""

    url: str = ""
    last: str = ""
    """The head of the last request."""

    def serve(self, connection: socket.socket) -> None:
        with suppress(OSError), connection, connection.makefile("rb") as file:
            while lines := list(takewhile(bytes.strip, iter(file.readline, b""))):
                self.last = b"".join(lines).decode()
                path = self.last.split()[1].rpartition("/")[2].partition("?")[0]
                name = path.replace("%20", " ")
                if name in SLOW:
                    connection.sendall(SLOW[name])
                    for _ in range(2000):
                        connection.sendall(b"1\r\nx\r\n" if name == "slow body" else b"x")
                        time.sleep(0.05)
                    return
                connection.sendall(ANSWERS[name])
                if name in CLOSING:
                    return


@contextmanager
def serving() -> Generator[Api]:
    api = Api()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        api.url = f"http://127.0.0.1:{listener.getsockname()[1]}/base"

        def accept() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = listener.accept()
                    Thread(target=api.serve, args=[connection], daemon=True).start()

        Thread(target=accept, daemon=True).start()
        yield api
        listener.shutdown(socket.SHUT_RDWR)


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


def fetched(client: StdioClient, what: str) -> str:
    (content,) = client.call("fetch", what=what)["result"]["content"]
    text: str = content["text"]
    return text


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("bomb", "The API's response is too large"),
        ("endless", "The API's response is too large"),
        *((what, UNREACHABLE) for what in ("cut", "not HTTP", "nothing")),
        ("not compressed", UNREACHABLE),
    ],
)
def test_a_response_that_is_not_whole_or_has_no_end_is_an_error_in_words(
    client: StdioClient, what: str, told: str
) -> None:
    assert fetched(client, what) == told


def test_a_response_that_takes_its_time_is_given_up(
    project: Generated, api: Api, check: WireCheck
) -> None:
    with StdioClient(project, MODERN, check, API_URL=api.url, SECONDS="1") as client:
        assert {fetched(client, what) for what in SLOW} == {"The API took longer than 1 seconds"}


def test_what_the_api_sets_for_one_caller_is_no_other_s(client: StdioClient, api: Api) -> None:
    fetched(client, "cookie")
    fetched(client, "plain")
    assert "cookie:" not in api.last.lower()


def test_credentials_are_sent_and_the_client_tells_who_it_is(client: StdioClient, api: Api) -> None:
    fetched(client, "plain")
    assert "/base/plain?key=s3cret%2Btoken HTTP/1.1" in api.last
    lines = {line.lower() for line in api.last.splitlines()}
    assert f"authorization: bearer {SECRET}" in lines
    assert {"user-agent: caller (an mcp server)", "accept: application/json, */*;q=0.5"} <= lines


def test_user_and_password_in_the_address_are_sent_as_credentials(
    project: Generated, api: Api, check: WireCheck
) -> None:
    url = api.url.replace("//", "//us%40er:pass@")
    with StdioClient(project, MODERN, check, API_URL=url) as client:
        assert fetched(client, "plain") == "plain"
    assert f"Basic {b64encode(b'us@er:pass').decode()}" in api.last
    assert "pass@" not in api.last


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("", "API_URL is not set"),
        ("http://127.0.0.1:9", UNREACHABLE),
        ("http://a..b/ü", UNREACHABLE),
    ],
)
def test_an_address_that_leads_nowhere_is_an_error_in_words(
    project: Generated, check: WireCheck, url: str, told: str
) -> None:
    with StdioClient(project, MODERN, check, API_URL=url) as client:
        assert fetched(client, "plain") == told
        assert "Traceback" not in client.log


def test_a_server_ends_while_its_api_is_silent(project: Generated, check: WireCheck) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        with StdioClient(project, MODERN, check, API_URL=url) as client:
            client.start_call("fetch", what="plain")
            connection, _ = listener.accept()
        assert client.process.returncode == 0
        connection.close()
