"""A generated server that asks for OAuth: how it starts, and what its owner can replace."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scaffold.commands.regenerate import regenerate
from tests.generated import PACK, Generated, generate, listening
from tests.raw_client import LEGACY, MODERN, StdioClient, WireCheck
from tests.raw_web_client import HttpClient

pytestmark = pytest.mark.skipif(PACK != "python", reason="the pack serves stdio only")

URL = "https://mcp.example.org/mcp"
UNLOCK: dict[str, Any] = {
    "name": "unlock",
    "description": "Open the door.",
    "inputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": True},
}
SPEC: dict[str, Any] = {
    "name": "locked",
    "version": "1",
    "transports": ["stdio", "streamable-http"],
    "auth": {
        "oauth": {
            "issuer": "https://login.example.com",
            "resource": {"env": "PUBLIC_URL"},
            "listsAllowed": True,
        }
    },
    "cache": {"tools/list": {"ttlMs": 60000, "cacheScope": "public"}},
    "env": [{"name": "PUBLIC_URL", "required": False}],
    "tools": [UNLOCK, {**UNLOCK, "name": "vault", "scopes": ["vault"]}],
}
OWN = """
from mcp.server.auth.provider import AccessToken


class Own:
    async def verify_token(self, token: str) -> AccessToken | None:
        word, *scopes = token.split()
        return AccessToken(token=token, client_id="own", scopes=scopes) if word == "mine" else None
"""
HANDLER = """
from locked._generated.contract import Context, UnlockArguments, UnlockResult


def unlock(arguments: UnlockArguments, context: Context) -> UnlockResult:
    return context.client.id if context.client else "nobody"
"""


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    """A server whose owner has written a verifier, and changed one line to use it."""
    folder = tmp_path_factory.mktemp("locked") / "locked"
    files = {"own.py": OWN, "tools/unlock.py": HANDLER}
    project = generate(SPEC, folder, handlers=files, env={"PUBLIC_URL": URL})
    program = project.source / "__main__.py"
    text = program.read_text("utf-8")
    assert text.count("verifier=OAUTH.verifier,") == 1
    text = text.replace("verifier=OAUTH.verifier,", "verifier=Own,")
    program.write_text(
        text.replace("import argparse", "import argparse\nfrom locked.own import Own")
    )
    return project


def test_the_url_is_needed_over_http_alone(locked: Generated, check: WireCheck) -> None:
    without = Generated(locked.folder, locked.package)
    ran = without.run("--transport", "streamable-http", "--port", "0")
    assert ran.returncode == 1
    assert ran.stderr == (
        b"locked: PUBLIC_URL must be the server's URL, such as https://mcp.example.org/mcp\n"
    )
    with StdioClient(without, MODERN, check) as client:
        assert client.call("unlock")["result"]["content"][0]["text"] == "nobody"


@pytest.mark.parametrize("version", [LEGACY[-1], MODERN])
def test_a_custom_verifier_decides_who_is_served(
    locked: Generated, version: str, check: WireCheck, tmp_path: Path
) -> None:
    with listening(locked, "streamable-http", tmp_path / "log.txt", "--host", "0.0.0.0") as server:
        with HttpClient(server, version, check, {"Authorization": "Bearer mine"}) as client:
            assert client.call("unlock")["result"]["content"][0]["text"] == "own"
        assert client.faults == []
        status, headers, _ = server.request("GET", "/mcp", {"Authorization": "Bearer yours"})
        assert status == 401
        assert "https://mcp.example.org/.well-known" in headers["WWW-Authenticate"]


@pytest.mark.parametrize("version", [LEGACY[-1], MODERN])
def test_a_list_has_the_allowed_tools_and_another_call_is_refused_with_its_scopes(
    locked: Generated, version: str, check: WireCheck, tmp_path: Path
) -> None:
    listed = dict[str, list[str]]()
    with listening(locked, "streamable-http", tmp_path / "log.txt") as server:
        for token in ("mine", "mine vault"):
            with HttpClient(server, version, check, {"Authorization": f"Bearer {token}"}) as client:
                result = client.request("tools/list")["result"]
                listed[token] = [tool["name"] for tool in result["tools"]]
                assert result.get("cacheScope") == ("private" if version == MODERN else None)
                if token == "mine":
                    with pytest.raises(ConnectionError, match="HTTP 403"):
                        client.call("vault")
            assert client.faults == []
    assert listed == {"mine": ["unlock"], "mine vault": ["unlock", "vault"]}


def test_scopes_of_a_tool_change_no_file_that_people_own(locked: Generated) -> None:
    spec = locked.folder / "mcp.yaml"
    text = spec.read_text("utf-8")
    spec.write_text(text.replace('"name": "unlock"', '"name": "unlock", "scopes": ["door"]'))
    applied = regenerate(locked.folder, [], False).applied
    assert applied
    changed = {str(step.path) for step in applied}
    assert changed == {"TOOLS.md", "src/locked/_generated/auth.py"}
