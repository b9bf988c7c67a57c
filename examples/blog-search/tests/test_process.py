"""The server in a process of its own, over each transport."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from ollama_server import ollama_server

TOKEN = "a-token-for-the-tests"


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


@contextmanager
def serving(transport: str) -> Generator[str]:
    """The address of a server that listens, and asks for the token."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    options = ["--transport", transport, "--port", str(port), "--log-level", "error"]
    server = subprocess.Popen(
        [sys.executable, "-m", "blog_search", *options],
        env=os.environ | {"BLOG_SEARCH_TOKEN": TOKEN},
    )
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(100):
            try:
                urlopen(address + "/health").close()
                break
            except OSError:
                time.sleep(0.1)
        yield address
    finally:
        server.terminate()
        server.wait(timeout=10)


def test_the_client_script_is_content_over_stdio() -> None:
    done = run("client.py")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_client_script_is_content_where_ollama_is_used() -> None:
    with ollama_server() as ollama:
        call = ["client.py", "call", "search_blog", '{"query": "pulse", "top_k": 1}']
        done = run(*call, OLLAMA_URL=ollama.url)
    assert "operations/health-checks.md" in done.stdout, done.stderr


@pytest.mark.parametrize(
    ("transport", "path"), [("streamable-http", "/mcp"), ("sse", "/sse")]
)
def test_the_client_script_is_content_over_http_with_the_token(
    transport: str, path: str
) -> None:
    with serving(transport) as address:
        done = run("client.py", "--url", address + path, BLOG_SEARCH_TOKEN=TOKEN)
        assert done.returncode == 0, done.stdout + done.stderr
        with pytest.raises(HTTPError, match="401"):
            urlopen(address + path)


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
