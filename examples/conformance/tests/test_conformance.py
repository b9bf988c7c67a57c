"""Tests of your own: mcp-scaffold wrote this file once. Examples are tested without it."""

import asyncio

from conformance._generated.client import connected
from conformance._generated.server import create_server


def test_the_server_can_be_used_in_this_process() -> None:
    async def version() -> str:
        async with connected(create_server()) as server:
            return server.version

    assert asyncio.run(version()) == "2026-07-28"
