"""Entries and output of any shape: always findings, never a failure of ours."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.trial.entries import tried

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
KEYS = """type url uri command cmd args env envs environment cwd env_vars env_keys headers
bearer_token_env_var enabled disabled"""
ENTRY = VALUE | st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(
        KEYS.split(),
        VALUE | st.lists(TEXT, min_size=1, max_size=3) | st.dictionaries(TEXT, TEXT, max_size=2),
    ),
)


@example("claude-code", {"command": "/bin/true", "args": ["a\0b"]})
@example("claude-code", {"command": "/bin/true", "env": {"A=B": "x", "": "y"}})
@example("claude-code", {"command": "/bin/true", "env": {"PATH": "\0"}})
@example("claude-code", {"type": "http", "url": "http://[::1/"})
@example("claude-code", {"type": "sse", "url": "http://127.0.0.1:9/", "headers": {"A": "ü\n"}})
@example("claude-code", {"type": [], "url": {}, "command": []})
@example("opencode", {"type": "local", "command": [""]})
@settings(deadline=None, max_examples=100)
@given(st.sampled_from(CLIENTS), ENTRY)
def test_an_entry_of_any_shape_is_reported(client: str, fields: Any) -> None:
    assert not tried(client, fields).works


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import sys; sys.stdout.buffer.write(b'\\xff\\xfe\\x00\\n')", "no message"),
        ("while True: print('x' * 2**20)", "more than 32 MB"),
        ("import signal, os; os.kill(os.getpid(), signal.SIGSEGV)", "exit code -11"),
    ],
)
def test_output_of_any_kind_is_reported(code: str, message: str) -> None:
    trial = tried("claude-code", {"command": sys.executable, "args": ["-c", code]})
    assert any(message in finding.message for finding in trial.findings), trial.findings
