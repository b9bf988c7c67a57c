"""Test the server as a process, over each transport."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

TOKEN = "a-token-for-the-tests"


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        check=False,
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )


@contextmanager
def serving(transport: str) -> Generator[str]:
    """Yield the address of a running server that requires the token."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    options = ["--transport", transport, "--port", str(port), "--log-level", "error"]
    server = subprocess.Popen(
        [sys.executable, "-m", "everything", *options],
        env=os.environ | {"EVERYTHING_TOKEN": TOKEN},
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


def test_the_client_script_accepts_the_server_over_stdio() -> None:
    done = run("client.py")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("transport", "path"), [("streamable-http", "/mcp"), ("sse", "/sse")]
)
def test_the_client_script_accepts_the_server_over_http_with_the_token(
    transport: str, path: str
) -> None:
    with serving(transport) as address:
        done = run("client.py", "--url", address + path, EVERYTHING_TOKEN=TOKEN)
        assert done.returncode == 0, done.stdout + done.stderr
        with pytest.raises(HTTPError, match="401"):
            urlopen(address + path)


@pytest.mark.parametrize("size", ["0", "513", "large"])
def test_an_invalid_size_stops_the_server_with_a_message(size: str) -> None:
    done = run("-m", "everything", SWATCH_SIZE=size)
    assert done.returncode == 1
    assert done.stderr.startswith("everything: SWATCH_SIZE: ")
    assert done.stdout == ""


@pytest.mark.parametrize("palette", ["[]", '{"ink": "dark"}', '{"ink": 7}', "{"])
def test_an_invalid_palette_stops_the_server_with_a_message(
    tmp_path: Path, palette: str
) -> None:
    file = tmp_path / "colours.json"
    file.write_text(palette)
    done = run("-m", "everything", PALETTE_FILE=str(file))
    assert done.returncode == 1
    assert done.stderr.startswith("everything: PALETTE_FILE: ")
