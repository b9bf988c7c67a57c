"""A secret is in no file, no message and no log, from the spec to the running server."""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.generated import Generated, generate, importable, listening
from tests.hostile.files import written
from tests.raw_client import LEGACY, WireCheck
from tests.raw_web_client import HttpClient

SECRET = "hunter2-Zq83xKc"
SPEC: dict[str, Any] = {
    "name": "keeper",
    "version": "1.0",
    "transports": ["stdio", "streamable-http", "sse"],
    "auth": {"bearer": {"env": "KEEPER_TOKEN"}},
    "env": [
        {"name": "KEEPER_TOKEN", "secret": True, "required": False, "description": "Bearer token"},
        {"name": "KEEPER_KEY", "secret": True, "description": "Key of the service behind"},
        {"name": "KEEPER_MODE", "default": "fast"},
    ],
    "tools": [{"name": "fail", "inputSchema": {"type": "object"}}],
}
SECRETS = {"KEEPER_TOKEN": SECRET, "KEEPER_KEY": SECRET}
FAILS = """\
from keeper._generated.contract import Context, FailArguments, ToolResult


async def fail(arguments: FailArguments, context: Context) -> ToolResult:
    raise RuntimeError(f"with {context.shared}")
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generated:
    """A project made where the secrets are at hand."""
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    return generate(SPEC, tmp_path / "keeper", handlers={"tools/fail.py": FAILS}, env=SECRETS)


def test_no_file_holds_what_is_in_the_environment(project: Generated) -> None:
    for path in written(project.folder):
        assert SECRET.encode() not in path.read_bytes(), path


def test_no_snippet_asks_to_write_a_secret_where_the_client_can_keep_it(
    project: Generated,
) -> None:
    for path in (project.folder / "clients").glob("*.json"):
        for text in strings(json.loads(path.read_bytes())):
            if "TOKEN" in text or "KEY" in text:
                refers = re.search(r"PASTE_|\$\{?\w|\{env:", text)
                assert refers or text in SECRETS or " " in text, path


def strings(value: object) -> list[str]:
    match value:
        case dict():
            return [*value, *(text for item in value.values() for text in strings(item))]
        case list():
            return [text for item in value for text in strings(item)]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize("pack", ["python", "python-stdlib"])
def test_settings_do_not_show_the_secret(tmp_path: Path, pack: str) -> None:
    project = generate(SPEC, tmp_path / "keeper", pack=pack)
    with importable(project.source.parent, project.package):
        settings = import_module("keeper._generated.settings").Settings.from_environment(SECRETS)
    assert settings.keeper_key == SECRET
    assert SECRET not in repr(settings)
    assert "fast" in repr(settings)


def test_logs_and_answers_do_not_show_the_secret(
    project: Generated, tmp_path: Path, check: WireCheck
) -> None:
    headers = {"Authorization": f"Bearer {SECRET}"}
    log = tmp_path / "log"
    with listening(project, "streamable-http", log, "--log-level", "debug") as server:
        with HttpClient(server, LEGACY[-1], check, headers) as client:
            answer = client.call("fail")
        assert answer["result"]["isError"]
        status, *_ = server.request("GET", "/mcp", {"Authorization": f"Bearer {SECRET}x"})
        assert status == 401
    assert SECRET not in json.dumps(answer)
    assert "Traceback" in log.read_text()
    assert SECRET not in log.read_text()


def test_the_client_script_does_not_print_the_secret(project: Generated) -> None:
    ran = project.script()
    assert "speaks " in ran.stdout
    assert SECRET not in ran.stdout + ran.stderr
