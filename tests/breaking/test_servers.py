"""The proofs of the table, given to real servers: the old one accepts, the new one says just that."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from scaffold.breaking.fields import TIMEOUT
from tests.breaking.table import pairs
from tests.generated import generate
from tests.raw_client import MODERN, StdioClient, WireCheck
from tests.teams.building import run

INVALID = "Invalid arguments"


def combined(which: str) -> dict[str, Any]:
    """One server with a tool for each pair of the table that is about arguments."""
    tools = [
        {"name": pair.name, "description": "Search.", "inputSchema": getattr(pair, which)["input"]}
        for pair in pairs()
        if "input" in pair.old and "input" in pair.new
    ]
    return {"name": "demo", "version": "1.0.0", "tools": tools}


@pytest.fixture(scope="module")
def told(
    starts_programs: None, tmp_path_factory: pytest.TempPathFactory, check: WireCheck
) -> Iterator[dict[str, Any]]:
    """What the command says of the two servers, and a client of each."""
    folder = tmp_path_factory.mktemp("servers")
    with ExitStack() as stack:
        clients = {}
        for which in ("old", "new"):
            (folder / f"{which}.json").write_text(json.dumps(combined(which)))
            project = generate(combined(which), folder / which)
            client = StdioClient(project, MODERN, check)
            clients[which] = stack.enter_context(client)
        command = ("breaking", "new.json", "--against", "old.json", "--format", "json")
        ended = run(*command, cwd=folder)
        assert ended.code == 1
        yield {**clients, "changes": json.loads(ended.out)["changes"]}


def answer(client: StdioClient, change: dict[str, Any]) -> str:
    """The text of the answer to the call that proves a change."""
    proof = change["proof"]
    message = client.call(change["subject"], **proof["instance"])
    [content] = message["result"]["content"]
    assert message["result"]["isError"] or not content["text"].startswith(INVALID)
    return str(content["text"])


def test_a_call_that_proves_a_break_is_refused_by_the_new_server_alone(
    told: dict[str, Any],
) -> None:
    proved = [one for one in told["changes"] if one["proof"] and one["level"] == "error"]
    assert len({one["subject"] for one in proved}) > 70
    for change in proved:
        assert answer(told["new"], change).startswith(INVALID), change
        assert not answer(told["old"], change).startswith(INVALID), change


def test_one_server_has_what_the_table_has_of_each_tool(told: dict[str, Any]) -> None:
    expected = {pair.name: pair.expected for pair in pairs()}
    for change in told["changes"]:
        if change["subject"] in expected:
            assert expected[change["subject"]][change["id"]] == change["level"]


@pytest.mark.parametrize("pack", ["python", "python-stdlib"])
def test_the_time_for_a_call_without_a_timeout_is_that_of_servers(
    pack: str, starts_programs: None, tmp_path: Path
) -> None:
    tool = {"name": "search", "description": "Search.", "inputSchema": {"type": "object"}}
    document = {"name": "demo", "version": "1.0.0", "tools": [tool]}
    server = generate(document, tmp_path / "demo", pack=pack)
    told = server.run("--help").stdout.decode().rpartition("call-time")[2]
    default = re.search(r"\(default: (\d+)\)", told)
    assert default
    assert int(default[1]) == TIMEOUT
