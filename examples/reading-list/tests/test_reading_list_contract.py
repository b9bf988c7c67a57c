# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Test a running server against the spec."""

import asyncio
import hashlib
import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
client = runpy.run_path(str(PROJECT / "client.py"))

# Seconds that the server may take to start and to stop.
PATIENCE = 60


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_server_does_what_the_spec_says(mode: str) -> None:
    async def check_all() -> list[tuple[str, str]]:
        server = client["started"]()
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


def test_the_end_of_input_ends_the_server() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "reading_list", "--transport", "stdio"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        timeout=PATIENCE,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (0, b"")
