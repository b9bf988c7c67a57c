"""What the tools do, called as a client calls them."""

import subprocess
import sys
from base64 import b64encode
from collections.abc import Generator
from pathlib import Path

import pytest
from mcp import Client
from mcp_types import CallToolResult

from expenses._generated.runtime.trial import trial
from expenses._generated.server import create_server
from expenses._generated.settings import SettingsError
from expenses.lifespan import lifespan

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def made_up(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    with trial() as tried:
        for name, text in tried.variables.items():
            monkeypatch.setenv(name, text)
        yield


PROJECT = Path(__file__).parent.parent

LUNCH = {
    "person": "Ann",
    "day": "2026-03-02",
    "amount": 16.08,
    "currency": "USD",
    "category": "meals",
}


async def call(tool: str, **arguments: object) -> CallToolResult:
    async with Client(create_server()) as client:
        return await client.call_tool(tool, arguments)


def text_of(result: CallToolResult) -> str:
    return "\n".join(getattr(block, "text", "") for block in result.content)


async def test_expenses_in_a_file_outlive_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EXPENSES_DATABASE", str(tmp_path / "expenses.db"))
    first = await call("add_expense", **LUNCH)
    second = await call("add_expense", **LUNCH)
    assert first.structured_content == {"expense": 1}
    assert second.structured_content == {"expense": 2}


async def test_a_month_is_summed_up_in_euros_at_the_rates_of_the_days(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EXPENSES_DATABASE", str(tmp_path / "expenses.db"))
    await call("add_expense", **LUNCH)
    await call("add_expense", **{**LUNCH, "amount": 40.12, "currency": "EUR"})
    await call("convert_expenses", month="2026-03")
    summary = await call("summarize_expenses", month="2026-03")
    total = round(0.95 * 16.08 + 40.12, 2)
    meals = {"category": "meals", "total": total, "expenses": 2}
    assert summary.structured_content == {
        "total": total,
        "categories": [meals],
        "unconverted": 0,
    }


async def test_a_file_that_is_no_database_is_a_wrong_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "expenses.db"
    file.write_text("date;amount\n2026-03-02;12.50\n")
    monkeypatch.setenv("EXPENSES_DATABASE", str(file))
    with pytest.raises(SettingsError, match="^EXPENSES_DATABASE: .*not a database"):
        async with lifespan():
            pass


def test_client_py_is_content_with_the_server_that_it_starts() -> None:
    command = [sys.executable, "client.py"]
    tour = subprocess.run(
        command, cwd=PROJECT, capture_output=True, text=True, timeout=60, check=False
    )
    assert tour.returncode == 0, tour.stdout
    assert "The user approved expense 1." in tour.stdout


@pytest.mark.parametrize(
    ("size", "text"),
    [(2 * 2**20, "There is no expense 1."), (2 * 2**20 + 2, "Invalid arguments:")],
)
async def test_a_receipt_has_at_most_2_mib(size: int, text: str) -> None:
    data = b64encode(bytes(size)).decode()
    result = await call("attach_receipt", expense=1, media_type="image/png", data=data)
    assert result.is_error
    assert text_of(result).startswith(text)
