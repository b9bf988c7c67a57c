"""Test the handlers as functions."""

import datetime as dt

import pytest
from fake_context import fake_context

from starter._generated.models import CountDaysArguments, CountDaysResult
from starter.lifespan import Shared
from starter.tools.count_days import count_days

pytestmark = pytest.mark.anyio


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
    arguments = CountDaysArguments(
        start=dt.date.fromisoformat(start), end=dt.date.fromisoformat(end)
    )
    result = await count_days(arguments, fake_context(shared=Shared()))
    assert result == CountDaysResult(days=days)
