"""Test the tool as a client calls it."""

import pytest
from mcp import Client

from starter._generated.server import create_server


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("start", "end", "days"),
    [
        ("2028-01-01", "2029-01-01", 366),
        ("2026-03-02", "2026-03-02", 0),
        ("2026-03-09", "2026-03-02", -7),
    ],
    ids=["a leap year", "the same day", "backwards"],
)
async def test_days_are_counted(start: str, end: str, days: int) -> None:
    async with Client(create_server()) as client:
        result = await client.call_tool("count_days", {"start": start, "end": end})
    assert result.structured_content == {"days": days}
