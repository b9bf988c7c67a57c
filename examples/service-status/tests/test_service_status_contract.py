# Copyright Acme Ltd. All rights reserved.
# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Test the server against the spec, as it is started."""

import asyncio
import gc
import hashlib
import json
import re
import subprocess
import sys
import tomllib
from concurrent.futures import Future, ThreadPoolExecutor
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest

from service_status._generated.client import CHECKS, Check, started

PROJECT = Path(__file__).parents[1]
ABOUT = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
MODULE, _, FUNCTION = ABOUT["scripts"]["service-status"].partition(":")
# The command that the project installs.
COMMAND = f"import {MODULE}; {MODULE}.{FUNCTION}()"
# Each transport, with a client of today and one from before 2026-07-28.
WAYS = [("stdio", "auto"), ("stdio", "legacy")]


async def story(way: str, era: str) -> list[Check]:
    """Make all checks of a new server."""
    try:
        async with started(era) as server:
            return [await server.check(number) for number in range(len(CHECKS))]
    except ConnectionError as error:
        return [("FAIL", str(error)), *[("skip", "there was no server")] * len(CHECKS)]


@pytest.fixture(scope="module", autouse=True)
def stories() -> Future[dict[str, list[Check]]]:
    """What is checked of servers that run at once, beside other tests."""

    async def all_at_once() -> dict[str, list[Check]]:
        checks = await asyncio.gather(*(story(*way) for way in WAYS))
        return dict(zip(map(" ".join, WAYS), checks, strict=True))

    gc.freeze()  # At its end, Python would look through all that is left.
    return ThreadPoolExecutor(1).submit(asyncio.run, all_at_once())


def test_the_generated_files_are_as_they_were_generated() -> None:
    lock = json.loads((PROJECT / ".scaffold/lock.json").read_bytes())
    files = {p: f for p, f in lock["files"].items() if f["owner"] == "generated"}
    for path, file in files.items():
        data = (PROJECT / path).read_bytes()
        if "exact" not in file:  # Git may have given it the line ends of Windows.
            data = data.replace(b"\r\n", b"\n")
        hint = f"{path}: edit the spec or a template, then regenerate"
        assert hashlib.sha256(data).hexdigest() == file["sha256"], hint


def test_the_project_declares_what_it_imports() -> None:
    def name(text: str) -> str:
        return re.split(r"[^\w-]", text.lower().replace("_", "-"))[0]

    extras: list[list[str]] = [*ABOUT.get("optional-dependencies", {}).values()]
    declared = {*map(name, [ABOUT["name"], *ABOUT["dependencies"], *chain(*extras)])}
    modules = PROJECT.glob("src/*/_generated/**/*.py")
    code = "\n".join(path.read_text("utf-8") for path in modules)
    imported = re.findall(r"(?m)^ *(?:from|import) (\w+)", code)
    for module, packages in packages_distributions().items():
        is_declared = module not in imported or declared & {*map(name, packages)}
        assert is_declared, f"add {module} to pyproject.toml"


def test_the_command_ends_with_its_input_and_prints_nothing() -> None:
    command = [sys.executable, "-c", COMMAND, "--transport", "stdio"]
    printed = subprocess.check_output(command, stdin=subprocess.DEVNULL, timeout=60)
    assert printed == b""


@pytest.mark.parametrize("number", range(len(CHECKS)), ids=[c["name"] for c in CHECKS])
def test_the_server_does_what_the_spec_says(
    number: int, stories: Future[dict[str, list[Check]]]
) -> None:
    ends = {way: checks[number] for way, checks in stories.result().items()}
    if failed := {way: text for way, (end, text) in ends.items() if end == "FAIL"}:
        report = f"{next(iter(failed.values()))}\n     over {', '.join(failed)}"
        pytest.fail(report, pytrace=False)
    for end, text in ends.values():
        if end != "ok":
            pytest.skip(f"to write: {text}" if end == "todo" else text)
