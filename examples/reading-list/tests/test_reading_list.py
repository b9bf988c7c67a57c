"""Tests of your own: mcp-scaffold wrote this file once. Examples are tested without it."""

import asyncio

import pytest

from reading_list._generated.client import connected
from reading_list._generated.runtime.trial import trial
from reading_list._generated.server import create_server


def test_the_server_can_be_used_in_this_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def version() -> str:
        async with connected(create_server()) as server:
            return server.version

    with trial() as tried:
        for name, text in tried.variables.items():
            monkeypatch.setenv(name, text)
        assert asyncio.run(version()) == "2026-07-28"
