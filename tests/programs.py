"""Tests that start programs have the fixture `starts_programs`; one that has not fails when it starts any."""

from __future__ import annotations

import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.nursery import NURSERY

STARTS = ("subprocess.Popen", "os.posix_spawn", "os.system", "os.forkpty", "nursery.start")
"""The audit events (PEP 578) of a program that starts; the last one is of `tests.nursery`."""

FREE = ("ruff", "mcp-scaffold", "sh")
"""Programs that every test may start: the command, by `tests.command`, what it cannot do without, and the
shell of sessions (`tests.cases`), which are marked if they start more."""

REFUSED = "without the fixture `starts_programs`, no test starts "

_running: list[pytest.Item] = []


@pytest.fixture(scope="session")
def starts_programs() -> None:
    """For tests, fixtures and folders of tests that start a server, mypy, uv, git or the like."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark what has the fixture, by another one or itself, for `-m "not starts_programs"`."""
    if "starts_programs" in getattr(item, "fixturenames", ()):
        item.add_marker("starts_programs")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Know which test runs."""
    _running.append(item)
    try:
        return (yield)
    finally:
        _running.pop()


def may_start_any() -> bool:
    """Return whether the test that runs may start any program."""
    return not _running or _running[-1].get_closest_marker("starts_programs") is not None


def _refuse(event: str, details: tuple[object, ...]) -> None:
    if event not in STARTS or may_start_any():
        return
    program, arguments = details[:2] if len(details) > 1 else (event, ())
    is_nursery = isinstance(arguments, list) and NURSERY in arguments
    if Path(str(program)).name not in FREE and not is_nursery:
        pytest.fail(f"{REFUSED}{program}")


sys.addaudithook(_refuse)
