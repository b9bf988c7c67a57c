"""The server in a process of its own, with other settings."""

import os
import subprocess
import sys

import pytest
from ollama_server import ollama_server


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        check=False,
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=30,
    )


def test_the_client_script_is_content_where_ollama_is_used() -> None:
    with ollama_server() as ollama:
        call = ["client.py", "call", "search_blog", '{"query": "pulse", "top_k": 1}']
        done = run(*call, STAND_IN_OLLAMA_URL=ollama.url)
    assert "operations/health-checks.md" in done.stdout, done.stderr


@pytest.mark.parametrize(
    ("variable", "value", "complaint"),
    [
        ("BLOG_CONTENT", "/no/such/folder", "no folder of posts at /no/such/folder"),
        ("OLLAMA_URL", "127.0.0.1:11434", "begin it with http"),
    ],
)
def test_a_wrong_setting_ends_the_start_with_a_word_on_it(
    variable: str, value: str, complaint: str
) -> None:
    done = run("-m", "blog_search", **{variable: value})
    assert done.returncode == 1
    assert done.stderr.startswith(f"blog-search: {variable}: {complaint}")
    assert done.stdout == ""
