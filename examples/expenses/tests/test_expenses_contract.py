# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Test a running server against the spec, on each of its transports."""

import asyncio
import hashlib
import json
import os
import runpy
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain
from pathlib import Path
from typing import Any

import httpx2
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm
from mcp import MCPError

from expenses._generated.auth import OAUTH

PROJECT = Path(__file__).parents[1]
client = runpy.run_path(str(PROJECT / "client.py"))

# The command, with the verifier of OAuth and an issuer of these tests.
TRUSTING = """
import sys
from dataclasses import replace
from expenses.__main__ import main
from expenses._generated.auth import OAUTH
from expenses._generated.runtime.http import Http
trusting, app = replace(OAUTH, issuer=sys.argv.pop(), jwks=""), Http.app
Http.app = lambda http, options, _: app(http, options, trusting.verifier())
main()
"""
os.environ.setdefault("EXPENSES_TASKS", ":memory:")
# Seconds that the server may take to start and to stop.
PATIENCE = 60


class Issuer(BaseHTTPRequestHandler):
    """An issuer that has all its documents in one, at each address."""

    key = ec.generate_private_key(ec.SECP256R1())

    def do_GET(self) -> None:
        key = ECAlgorithm.to_jwk(self.key.public_key(), as_dict=True) | {"kid": "1"}
        about = {"issuer": issuer(), "jwks_uri": issuer(), "keys": [key]}
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(about).encode())


@cache
def issuer() -> str:
    """Start the issuer, which lasts as long as the tests, and return its URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Issuer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def token(address: str, **claims: object) -> str:
    """Return a token with all scopes for the server at an address."""
    usual = {
        "iss": issuer(),
        "aud": OAUTH.audience or f"{address}/mcp",
        "exp": time.time() + 600,
        "sub": "tests",
        "scope": " ".join(chain(OAUTH.scopes, *OAUTH.tools.values())),
    }
    return jwt.encode(usual | claims, Issuer.key, "ES256", {"kid": "1"})


@contextmanager
def listening(environment: Mapping[str, str]) -> Generator[str]:
    """Start a server over HTTP, yield its address, and stop it."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    options = ["--transport", "streamable-http", "--host", "127.0.0.1"]
    address, latest = f"http://127.0.0.1:{port}", time.monotonic() + PATIENCE
    server = subprocess.Popen(
        [sys.executable, "-c", TRUSTING, *options, "--port", str(port), issuer()],
        env={**environment, "PUBLIC_URL": f"{address}/mcp"},
    )
    try:
        while server.poll() is None and time.monotonic() < latest:
            time.sleep(0.1)
            with suppress(httpx2.TransportError):
                if httpx2.get(f"{address}/health").is_success:
                    break
        else:
            pytest.fail("the server did not start")
        yield address
    finally:
        server.terminate()
        assert server.wait(PATIENCE) == 0


@contextmanager
def reached(transport: str, environment: Mapping[str, str]) -> Generator[Any]:
    """Yield a way to a new server."""
    if transport == "stdio":
        yield client["started"](environment)
        return
    with listening(environment) as address:
        yield client["running"](f"{address}{transport}", token(address))


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("transport", ["stdio", "/mcp"])
def test_the_server_does_what_the_spec_says(
    transport: str, mode: str, tmp_path: Path
) -> None:
    async def check_all() -> list[tuple[str, str]]:
        with reached(transport, client["stand_ins"](tmp_path)) as server:
            async with client["connected"](server, mode) as checks:
                return [check async for check in checks.all()]

    made = asyncio.run(check_all())
    assert [text for word, text in made if word == "FAIL"] == []
    if to_do := [text for word, text in made if word == "todo"]:
        pytest.skip(f"{len(to_do)} to write: {', '.join(to_do)}")


def test_the_generated_files_are_as_they_were_generated() -> None:
    lock = json.loads((PROJECT / ".scaffold/lock.json").read_bytes())
    changed = [
        path
        for path, file in lock["files"].items()
        if file["owner"] == "generated" and digest(PROJECT / path) != file["sha256"]
    ]
    assert changed == [], "edit the spec or a template, then regenerate"


def digest(path: Path) -> str:
    """Return the hash of a file with the line ends of Linux."""
    return hashlib.sha256(path.read_bytes().replace(b"\r\n", b"\n")).hexdigest()


def test_the_end_of_input_ends_the_server(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "expenses", "--transport", "stdio"],
        env=client["stand_ins"](tmp_path),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        timeout=PATIENCE,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (0, b"")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    tmp_path = tmp_path_factory.mktemp("server")
    with listening(client["stand_ins"](tmp_path)) as address:
        yield address


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Authorization": ""}, 401),
        ({"Authorization": "Bearer another"}, 401),
        ({"Host": "evil.example"}, 421),
        ({"Origin": "https://evil.example"}, 403),
    ],
    ids=str,
)
@pytest.mark.parametrize("path", ["/mcp"])
def test_strangers_are_refused(
    address: str, path: str, headers: dict[str, str], status: int
) -> None:
    ours = {"Accept": "application/json, text/event-stream"}
    ours["Authorization"] = f"Bearer {token(address)}"
    answer = httpx2.request(
        "POST",
        f"{address}{path}",
        headers=ours | headers,
        json={"jsonrpc": "2.0", "id": 1, "method": "ping"},
    )
    assert answer.status_code == status


@pytest.mark.parametrize(
    "claims", [{"iss": "another"}, {"aud": "another"}, {"exp": 1}], ids=str
)
def test_tokens_for_others_are_refused(address: str, claims: dict[str, Any]) -> None:
    headers = {"Authorization": f"Bearer {token(address, **claims)}"}
    answer = httpx2.post(f"{address}/mcp", headers=headers, json={})
    assert answer.status_code == 401
    metadata = f"{address}/.well-known/oauth-protected-resource/mcp"
    assert f'resource_metadata="{metadata}"' in answer.headers["WWW-Authenticate"]
    assert httpx2.get(metadata).json()["resource"] == f"{address}/mcp"


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("tool", OAUTH.tools)
def test_a_call_needs_the_scopes_of_its_tool(
    address: str, tool: str, mode: str
) -> None:
    async def call() -> None:
        weak = token(address, scope=" ".join(OAUTH.scopes))
        server = client["running"](f"{address}/mcp", weak)
        async with client["connected"](server, mode) as checks:
            with pytest.raises(MCPError):
                await checks.call(tool, {})

    asyncio.run(call())
