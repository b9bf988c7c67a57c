"""Entries, answers and addresses of any shape: always findings, never a failure of ours."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scaffold.clients.client import read_client
from scaffold.clients.places import Machine
from scaffold.clients.trial.findings import Entry, Trial
from scaffold.clients.trial.trial import tried
from tests.trial.test_planted_faults import SERVER, SHELL

MACHINE = Machine("linux", "/tmp", SHELL)

CLIENTS = ["claude-code", "codex", "cursor", "gemini-cli", "goose", "opencode", "vscode", "zed"]

TEXT = st.sampled_from(
    ["", "/no/program", "no-program", "~", "a\0b", "\ud800", "ü", "a\nb", "${TOKEN}", "$TOKEN",
     "${env:X}", "{env:X}", "${input:x}", "${X:-${Y}}", "http://127.0.0.1:9/mcp", "http://[::1/",
     "http://127.0.0.1:99999/mcp", "http://", "https:///x", "http", "sse", "stdio", "local"]
)  # fmt: skip
VALUE: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda below: st.lists(below, max_size=3) | st.dictionaries(TEXT, below, max_size=3),
    max_leaves=6,
)
ENTRY = VALUE | st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(
        [
            "type",
            "url",
            "uri",
            "command",
            "cmd",
            "args",
            "env",
            "envs",
            "environment",
            "cwd",
            "env_vars",
            "env_keys",
            "headers",
            "bearer_token_env_var",
            "enabled",
            "disabled",
        ],
        VALUE | st.lists(TEXT, min_size=1, max_size=3) | st.dictionaries(TEXT, TEXT, max_size=2),
    ),
)


def trial(client: str, fields: Any) -> Trial:
    entry = Entry(read_client(client), Path("config"), "blog", fields, Path("/tmp"))
    return tried(entry, SERVER, ["search"], MACHINE)


@example("claude-code", {"command": "a\0b"})
@example("claude-code", {"command": "/bin/true", "args": ["a\0b"]})
@example("claude-code", {"command": "/bin/true", "args": ["\ud800"]})
@example("claude-code", {"command": "/bin/true", "env": {"A=B": "x", "": "y"}})
@example("claude-code", {"command": "/bin/true", "env": {"A": "\0"}})
@example("claude-code", {"command": "/bin/true", "env": {"PATH": "\0"}})
@example("codex", {"command": "/bin/true", "env_vars": ["A=\0"]})
@example("codex", {"command": "/bin/true", "cwd": "\0"})
@example("claude-code", {"command": "uv", "args": ["--directory", "\0"]})
@example("claude-code", {"type": "http", "url": "http://[::1/"})
@example("claude-code", {"type": "http", "url": "http://127.0.0.1:99999/mcp"})
@example("claude-code", {"type": "http", "url": "http://a b/\0"})
@example("claude-code", {"type": "sse", "url": "http:///"})
@example("claude-code", {"type": "sse", "url": "http://127.0.0.1:9/", "headers": {"A": "ü\n"}})
@example("claude-code", {"type": "http", "url": "http://127.0.0.1:9/", "headers": {"ü": "a"}})
@example("claude-code", {"type": [], "url": {}, "command": []})
@example("cursor", {"url": "http://[::1/"})
@example("opencode", {"type": "local", "command": [""]})
@settings(deadline=None, max_examples=300)
@given(st.sampled_from(CLIENTS), ENTRY)
def test_an_entry_of_any_shape_has_findings(client: str, fields: Any) -> None:
    assert not trial(client, fields).works


ANSWERS = {
    "a version that is a list": {"protocolVersion": []},
    "a name that is a number": {"protocolVersion": "2025-11-25", "serverInfo": {"name": 7}},
    "info that is a list": {"protocolVersion": "2025-11-25", "serverInfo": [], "_meta": []},
    "versions that are a number": {"supportedVersions": 7},
    "versions that are tables": {"supportedVersions": [{}], "_meta": 1},
    "the version of now, and no info": {"supportedVersions": ["2026-07-28"], "_meta": {"a": 1}},
    "a text": "hello",
    "tools that are texts": {"protocolVersion": "2025-11-25", "tools": ["search"]},
    "tools without names": {"protocolVersion": "2025-11-25", "tools": [{"name": None}]},
    "a page that is a table": {"protocolVersion": "2025-11-25", "tools": [], "nextCursor": {}},
}

ECHO = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": json.loads(sys.argv[1])}))
        sys.stdout.flush()
"""


@pytest.mark.parametrize("result", ANSWERS.values(), ids=ANSWERS.keys())
def test_an_answer_of_any_shape_has_findings(result: Any) -> None:
    found = trial(
        "claude-code", {"command": sys.executable, "args": ["-c", ECHO, json.dumps(result)]}
    )
    assert not found.works


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import sys; sys.stdout.buffer.write(b'\\xff\\xfe\\x00\\n')", "no message"),
        ("print('x' * 2**16); input()", "no message: `xxx"),
        ("print('[' * 10**5); input()", "no message: `[["),
        ("while True: print('x' * 2**20)", "more than 32 MB"),
        ("import os; os.fork(); os.fork(); raise SystemExit(3)", "exit code 3"),
        ("import signal, os; os.kill(os.getpid(), signal.SIGSEGV)", "exit code -11"),
    ],
)  # fmt: skip
def test_output_of_any_kind_has_findings(code: str, said: str) -> None:
    found = trial("claude-code", {"command": sys.executable, "args": ["-c", code]})
    assert any(said in one.message for one in found.findings), found.findings
