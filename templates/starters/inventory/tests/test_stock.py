"""Test what the story cannot show: calls at the same time, and a call that is cancelled."""

import anyio
import pytest
from mcp import Client

from starter._generated.server import create_server

pytestmark = pytest.mark.anyio

TEAPOT = {"sku": "TP-001", "name": "Teapot", "quantity": 10}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_of_orders_at_the_same_time_none_takes_what_another_took() -> None:
    async with Client(create_server()) as client:
        await client.call_tool("add_item", TEAPOT)
        refused = []

        async def order() -> None:
            items = [{"sku": "TP-001", "quantity": 3}]
            result = await client.call_tool("take_items", {"items": items})
            refused.append(result.is_error)

        async with anyio.create_task_group() as tasks:
            for _ in range(8):
                tasks.start_soon(order)
        assert sorted(refused) == [False] * 3 + [True] * 5


async def test_a_cancelled_count_changes_nothing() -> None:
    async with Client(create_server()) as client:
        await client.call_tool("add_item", TEAPOT)
        with anyio.CancelScope() as scope:

            async def cancel(progress: float, total: float | None, message: str | None) -> None:
                scope.cancel()

            counted = {"counted": [{"sku": "TP-001", "quantity": 1}] * 50_000}
            await client.call_tool("take_stock", counted, progress_callback=cancel)
        assert scope.cancelled_caught
        found = await client.call_tool("find_items")
        assert found.structured_content == {"items": [TEAPOT]}
