"""Credentials that no variable holds: the caller's own, and tokens that the server gets."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

import pytest

from tests.generated import Generated, generate, listening, of_the_sdk
from tests.raw_client import LEGACY, MODERN, StdioClient, WireCheck
from tests.raw_web_client import HttpClient
from tests.waiting import wait_until
from tests.web import Call, serving

pytestmark = pytest.mark.usefixtures("starts_programs")

CALLER = "t0ken-of-the-caller"
SECRET = "s3cret: of the server"


def spec(*credentials: dict[str, Any], **more: Any) -> dict[str, Any]:
    def tool(name: str, **request: Any) -> dict[str, Any]:
        http = {"method": "GET", "path": f"/{name}", "response": {}, **request}
        about = {"description": f"Look at the wares, {name}.", "inputSchema": {"type": "object"}}
        return {"name": name, **about, "handler": {"http": http}}

    return {
        "name": "shop",
        "version": "1.0.0",
        "env": [
            {"name": "API_URL", "type": "url"},
            {"name": "OTHER_URL", "type": "url", "default": "http://other.invalid"},
            {"name": "TOKEN_URL", "type": "url", "required": False},
            {"name": "CLIENT_ID", "required": False},
            {"name": "CLIENT_SECRET", "secret": True, "required": False},
        ],
        "api": {"url": {"env": "API_URL"}, "credentials": [*credentials]},
        "tools": [
            tool("wares"),
            tool("public", credentials=[]),
            tool("elsewhere", url={"env": "OTHER_URL"}),
            tool("refused"),
        ],
        **more,
    }


@dataclass
class Shop:
    """An API, what it saw of callers, and the tokens that it has given."""

    url: str = ""
    lifetime: float = 3600
    seen: list[tuple[str, str | None, str | None]] = field(default_factory=list)
    asked: list[tuple[str, dict[str, list[str]]]] = field(default_factory=list)

    def answer(self, call: Call) -> None:
        authorization = call.headers["Authorization"]
        if call.path == "/token":
            login = b64decode((authorization or "").removeprefix("Basic ")).decode()
            self.asked.append((login, parse_qs(call.read().decode())))
            if "wrong" in login:
                call.reply(401, json.dumps({"error": "invalid_client"}).encode())
                return
            token = {"access_token": f"token-{len(self.asked)}", "expires_in": self.lifetime}
            call.reply(200, json.dumps(token).encode())
            return
        self.seen.append((call.path, authorization, call.headers["X-User-Token"]))
        if call.path == "/refused":
            words = f"{authorization} {call.headers['X-User-Token']} may not"
            call.reply(403, words.encode(), "text/plain")
        else:
            call.reply(200, b"[]")


@contextmanager
def shop() -> Iterator[Shop]:
    found = Shop()
    with serving(found.answer) as url:
        found.url = url
        yield found


@pytest.fixture(scope="module")
def forwarding(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    forward = [{"type": "forward", "header": name} for name in ("Authorization", "X-User-Token")]
    made = spec(*forward, transports=["streamable-http"])
    return generate(made, tmp_path_factory.mktemp("forwarding") / "project")


@of_the_sdk
@pytest.mark.parametrize("version", [MODERN, *LEGACY[-1:]])
def test_the_headers_of_a_caller_are_only_sent_to_the_api_and_not_logged(
    forwarding: Generated,
    tmp_path_factory: pytest.TempPathFactory,
    check: WireCheck,
    version: str,
) -> None:
    log = tmp_path_factory.mktemp("log") / "log.txt"
    headers = {"authorization": f"Bearer {CALLER}", "X-User-Token": CALLER, "X-Other": CALLER}
    with (
        shop() as api,
        shop() as other,
        listening(
            forwarding,
            "streamable-http",
            log,
            *("--log-level", "debug"),
            API_URL=api.url,
            OTHER_URL=other.url,
        ) as server,
    ):
        with HttpClient(server, version, check, headers=headers) as client:
            for name in ("wares", "public", "elsewhere", "refused"):
                client.call(name)
        with HttpClient(server, version, check) as client:  # Nothing of a caller is kept.
            client.call("wares")
    assert api.seen == [
        ("/wares", f"Bearer {CALLER}", CALLER),
        ("/public", None, None),
        ("/refused", f"Bearer {CALLER}", CALLER),
        ("/wares", None, None),
    ]
    assert other.seen == [("/elsewhere", None, None)]
    assert "/refused: status 403" in log.read_text()
    assert CALLER not in log.read_text()


@pytest.fixture(scope="module")
def granted(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    keys = {"tokenUrl": "TOKEN_URL", "clientId": "CLIENT_ID", "clientSecret": "CLIENT_SECRET"}
    grant = {key: {"env": variable} for key, variable in keys.items()}
    made = spec({"type": "oauth2", **grant, "scope": "read wares"})
    return generate(made, tmp_path_factory.mktemp("granted") / "project")


@contextmanager
def server_of(
    project: Generated, api: Shop, check: WireCheck, secret: str = SECRET, **env: str
) -> Iterator[StdioClient]:
    more = {"TOKEN_URL": f"{api.url}/token", "CLIENT_ID": "me", "CLIENT_SECRET": secret, **env}
    with StdioClient(project, MODERN, check, API_URL=api.url, **more) as client:
        yield client
    assert secret not in client.log
    assert "token-" not in client.log


def test_calls_share_a_token_that_is_only_sent_to_the_api(
    granted: Generated, check: WireCheck
) -> None:
    with (
        shop() as api,
        shop() as other,
        server_of(granted, api, check, OTHER_URL=other.url) as client,
    ):
        with ThreadPoolExecutor() as threads:
            [*threads.map(client.call, 8 * ["wares"])]
        for name in ("public", "elsewhere", "refused"):
            client.call(name)
    assert api.asked == [
        (
            "me:s3cret%3A%20of%20the%20server",
            {"grant_type": ["client_credentials"], "scope": ["read wares"]},
        )
    ]
    wares = ("/wares", "Bearer token-1", None)
    assert api.seen == [*8 * [wares], ("/public", None, None), ("/refused", *wares[1:])]
    assert other.seen == [("/elsewhere", None, None)]


def test_a_token_is_renewed_before_it_expires(granted: Generated, check: WireCheck) -> None:
    with shop() as api, server_of(granted, api, check) as client:
        api.lifetime = 0.1

        def has_another_token() -> bool:
            client.call("wares")
            return api.seen[-1][1] == "Bearer token-2"

        wait_until(has_another_token)
    assert api.seen[0][1] == "Bearer token-1"


def test_without_a_token_a_call_fails_and_the_log_has_the_reason(
    granted: Generated, check: WireCheck
) -> None:
    with shop() as api, server_of(granted, api, check, secret="wrong one") as client:
        result = client.call("wares")["result"]
        assert result["isError"]
        assert result["content"][0]["text"] == "The API's authorization server gives no token"
    assert "/token: status 401: invalid_client" in client.log
    assert api.seen == []
