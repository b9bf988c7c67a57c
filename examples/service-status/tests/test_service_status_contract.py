# Copyright Acme Ltd. All rights reserved.
# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Test a running server against the spec."""

import runpy
import subprocess
import sys
from pathlib import Path

import anyio
import pytest

client = runpy.run_path(str(Path(__file__).parents[1] / "client.py"))

COMMAND = [sys.executable, "-m", "service_status"]
# Seconds that the server may take to start and to stop.
PATIENCE = 60


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_server_does_what_the_spec_says(mode: str) -> None:
    async def faults() -> dict[str, str]:
        async with client["told"](client["started"](), mode) as story:
            return {step: fault async for step, fault in story.steps() if fault}

    found = anyio.run(faults)
    to_do = [step for step, fault in found.items() if fault == client["TO_DO"]]
    assert {*found} == {*to_do}, found
    if to_do:
        pytest.skip(f"{len(to_do)} to write: {', '.join(to_do)}")


def test_the_end_of_input_ends_the_server() -> None:
    ended = subprocess.run(
        [*COMMAND, "--transport", "stdio"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        timeout=PATIENCE,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (0, b"")
