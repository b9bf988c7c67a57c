"""The lines of a server's log about calls: who called what, how it ended, and nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.generated import Generated, generate, listening, of_the_sdk
from tests.raw_client import LEGACY, MODERN, StdioClient, WireCheck
from tests.raw_web_client import HttpClient
from tests.waiting import wait_until

pytestmark = of_the_sdk

SECRET = "hunter2"
TRACE = "0af7651916cd43dd8448eb211c80319c"
TEXT = {"type": "object", "properties": {"text": {"type": "string"}}}
TOOLS: dict[str, dict[str, Any]] = {
    "say": {},
    "miss": {"errors": ["NotThere"]},
    "fail": {},
    "guard": {"scopes": ["keys"]},
    "work": {"task": {"poll": 0.1}},
}
SPEC: dict[str, Any] = {
    "name": "told",
    "version": "1",
    "transports": ["stdio", "streamable-http"],
    "auth": {"oauth": {"issuer": "https://login.example.com", "resource": {"env": "PUBLIC_URL"}}},
    "env": [{"name": "PUBLIC_URL", "required": False}],
    "log": {"calls": True, "format": "json"},
    "errors": [{"name": "NotThere", "message": "There is no {text}."}],
    "tools": [
        {"name": name, "description": "Do it.", "inputSchema": TEXT, **more}
        for name, more in TOOLS.items()
    ],
}
OWN = """
from mcp.server.auth.provider import AccessToken


class Own:
    async def verify_token(self, token: str) -> AccessToken | None:
        return AccessToken(token=token, client_id="desktop", scopes=[], subject="ann")
"""
FILES = {
    "own.py": OWN,
    "tools/say.py": "def say(arguments, context):\n    return arguments.text\n",
    "tools/miss.py": """
from told._generated.contract import NotThere


def miss(arguments, context):
    raise NotThere(text=arguments.text)
""",
    "tools/fail.py": "def fail(arguments, context):\n    raise OSError(3, 'no')\n",
    "tools/guard.py": "def guard(arguments, context):\n    return ''\n",
    "tools/work.py": "def work(arguments, context):\n    raise OSError(3, 'no')\n",
}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    folder = tmp_path_factory.mktemp("told")
    env = {"PUBLIC_URL": "https://mcp.example.org/mcp", "TOLD_TASKS": str(folder / "tasks.sqlite3")}
    project = generate(SPEC, folder / "told", handlers=FILES, env=env)
    program = project.source / "__main__.py"
    text = program.read_text("utf-8").replace("verifier=OAUTH.verifier,", "verifier=Own,")
    program.write_text(text.replace("import argparse", "import argparse\nfrom told.own import Own"))
    return project


def lines_in(log: str) -> list[dict[str, Any]]:
    """The lines about calls, without the times in them."""
    records = [json.loads(line) for line in log.splitlines()]
    lines = [line for line in records if line["logger"].endswith(".call_log")]
    for line in lines:
        assert re.fullmatch(r"\d{4}-.*\+00:00", line.pop("time"))
        assert line.pop("ms") >= 0
        assert line.pop("level") == "info"
        del line["logger"], line["message"]
    return lines


@pytest.mark.parametrize("version", [LEGACY[-1], MODERN])
def test_each_call_is_a_line_that_says_who_called_what_and_how_it_ended(
    told: Generated, check: WireCheck, tmp_path: Path, version: str
) -> None:
    log, token = tmp_path / "log.txt", {"Authorization": f"Bearer token-{SECRET}"}
    with listening(told, "streamable-http", log, "--log-level", "error") as server:
        with HttpClient(server, version, check, token) as client:
            client.request("tools/list")
            meta = {"traceparent": f"00-{TRACE}-b7ad6b7169203331-01"}
            if version == MODERN:
                meta |= client.envelope()
            call = {"name": "say", "arguments": {"text": SECRET}, "_meta": meta}
            assert SECRET in str(
                client.start_message(
                    {"jsonrpc": "2.0", "id": "one", "method": "tools/call", "params": call}
                ).result()
            )
            for tool in ("miss", "fail"):
                client.call(tool, text=SECRET)
            client.call("say", text=[SECRET])
            client.call(f"no-{SECRET}")
            with pytest.raises(ConnectionError, match="403"):
                client.call("guard")
            failed = str(client.call("work"))
        wait_until(lambda: len(lines_in(log.read_text())) == 7, log.read_text)
    who = {"client": "desktop", "subject": "ann"}
    lines = lines_in(log.read_text())
    requests = [line.pop("request") for line in lines]
    references = [line.pop("reference", "") for line in lines]
    assert requests[0] == "one"
    assert len({*requests}) == 7
    assert lines == [
        {"tool": "say", "outcome": "ok", "trace_id": TRACE, **who},
        {"tool": "miss", "outcome": "error", "error": "NotThere", **who},
        {"tool": "fail", "outcome": "internal", **who},
        {"tool": "say", "outcome": "refused", **who},
        {"outcome": "refused", "error": "-32602", **who},
        {"tool": "guard", "outcome": "refused", "error": "-32600", **who},
        {"tool": "work", "outcome": "internal", **who},
    ]
    assert [bool(reference) for reference in references] == [
        False,
        False,
        True,
        False,
        False,
        False,
        True,
    ]
    assert references[-1] in failed
    assert f"fail failed, reference {references[2]}" in log.read_text()
    calls = [line for line in log.read_text().splitlines() if ".call_log" in line]
    assert SECRET not in "".join(calls)


def test_a_task_is_a_line_when_it_is_over(
    told: Generated, check: WireCheck, tmp_path: Path
) -> None:
    log = tmp_path / "log.txt"
    with listening(told, "streamable-http", log) as server:
        client = HttpClient(server, MODERN, check, {"Authorization": "Bearer any"})
        capabilities: dict[str, Any] = {"extensions": {"io.modelcontextprotocol/tasks": {}}}
        meta = client.envelope() | {"io.modelcontextprotocol/clientCapabilities": capabilities}
        params = {"name": "work", "arguments": {}, "_meta": meta}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        assert client.start_message(message, valid=False).result()["result"]["taskId"]
        wait_until(lambda: lines_in(log.read_text()), log.read_text)
        client.close()
    [line] = lines_in(log.read_text())
    assert (line["tool"], line["outcome"], line["subject"]) == ("work", "internal", "ann")
    assert line["reference"] in log.read_text().partition('"outcome"')[0]


def test_a_call_is_one_line_in_the_text_format_too(told: Generated, check: WireCheck) -> None:
    with StdioClient(told, MODERN, check, "--log-format", "text") as client:
        params = {"name": "say", "arguments": {}, "_meta": client.envelope()}
        message = {"jsonrpc": "2.0", "id": "a\nb", "method": "tools/call", "params": params}
        client.start_message(message).result()
    [line] = client.log.splitlines()
    assert re.search(r' call outcome="ok" tool="say" request="a\\nb" ms=\d+$', line)
