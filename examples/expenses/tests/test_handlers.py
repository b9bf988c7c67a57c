"""Handlers on their own, without a server."""

import datetime as dt
import sqlite3
from base64 import b64encode
from collections.abc import AsyncIterator, Callable
from contextlib import closing

import httpx2
import pytest
from fake_context import FakeContext, fake_context

from expenses._generated.errors import (
    NoRate,
    RatesUnavailable,
    UnknownExpense,
    WrongMediaType,
)
from expenses._generated.models import (
    AddExpenseArguments,
    AddExpenseResult,
    ApproveExpenseArguments,
    AttachReceiptArguments,
    Category,
    ConvertExpensesArguments,
    GetRateArguments,
    SummarizeExpensesArguments,
    SummarizeExpensesResult,
)
from expenses.ledger import Ledger
from expenses.lifespan import Shared
from expenses.rates import RateService
from expenses.tools.add_expense import add_expense
from expenses.tools.approve_expense import Decision, approve_expense
from expenses.tools.attach_receipt import attach_receipt
from expenses.tools.convert_expenses import convert_expenses
from expenses.tools.get_rate import get_rate
from expenses.tools.summarize_expenses import summarize_expenses

pytestmark = pytest.mark.anyio

MARCH_2 = dt.date(2026, 3, 2)

Answers = Callable[[httpx2.Request], httpx2.Response]


def half(request: httpx2.Request) -> httpx2.Response:
    """Everything is worth half a euro."""
    return httpx2.Response(200, json={"rates": {"EUR": 0.5}})


def rates(answers: Answers = half) -> RateService:
    """A rate service that asks a function instead of the network."""
    transport = httpx2.MockTransport(answers)
    return RateService(httpx2.AsyncClient(base_url="http://rates", transport=transport))


@pytest.fixture
async def ledger() -> AsyncIterator[Ledger]:
    """An empty ledger, opened in the thread that uses it."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        ledger = Ledger(connection)
        ledger.create_tables()
        yield ledger


def context_of(
    ledger: Ledger, answers: Answers = half, *, says: Decision | str | None = None
) -> FakeContext:
    """A context whose user says one thing when asked."""
    shared = Shared(ledger, rates(answers))
    return fake_context(shared=shared, answers=[] if says is None else [says])


async def test_the_rate_is_that_of_the_day_that_is_asked_for(ledger: Ledger) -> None:
    def answers(request: httpx2.Request) -> httpx2.Response:
        assert str(request.url) == "http://rates/2026-03-02?base=USD&symbols=EUR"
        return half(request)

    arguments = GetRateArguments(currency="USD", day=MARCH_2)
    text = await get_rate(arguments, context_of(ledger, answers))
    assert text == "1 USD was 0.5 EUR on 2026-03-02."


async def test_a_currency_that_the_service_does_not_know_has_no_rate(
    ledger: Ledger,
) -> None:
    context = context_of(ledger, lambda request: httpx2.Response(404))
    with pytest.raises(NoRate, match="from XXX to EUR on 2026-03-02"):
        await get_rate(GetRateArguments(currency="XXX", day=MARCH_2), context)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (httpx2.Response(503), "status 503"),
        (httpx2.Response(302, headers={"Location": "http://elsewhere"}), "status 302"),
        (httpx2.Response(200, text="<html>"), "cannot be read"),
        (httpx2.Response(200, json={"rates": {"EUR": 0}}), "cannot be read"),
    ],
    ids=["down", "moved", "no JSON", "a rate of nothing"],
)
async def test_an_unusable_answer_makes_the_rates_unavailable(
    ledger: Ledger, answer: httpx2.Response, reason: str
) -> None:
    context = context_of(ledger, lambda request: answer)
    with pytest.raises(RatesUnavailable, match=reason):
        await get_rate(GetRateArguments(currency="USD", day=MARCH_2), context)


async def test_a_service_that_cannot_be_reached_makes_them_unavailable_too(
    ledger: Ledger,
) -> None:
    def answers(request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("no route to host")

    with pytest.raises(RatesUnavailable, match="cannot be reached"):
        await get_rate(
            GetRateArguments(currency="USD", day=MARCH_2), context_of(ledger, answers)
        )


async def test_an_expense_is_recorded_to_the_cent(ledger: Ledger) -> None:
    arguments = AddExpenseArguments(
        person="Ann", day=MARCH_2, amount=19.99, currency="USD", category="meals"
    )
    result = await add_expense(arguments, context_of(ledger))
    assert result == AddExpenseResult(expense=1)
    assert ledger.get(1) == (1, "Ann", "2026-03-02", 1999, "USD", "meals", "")


async def test_a_receipt_is_stored_and_replaced(ledger: Ledger) -> None:
    number = ledger.add("Ann", MARCH_2, 1250, "USD", "meals")
    for content in (b"%PDF-1.7 first", b"%PDF-1.7 second"):
        arguments = AttachReceiptArguments(
            expense=number,
            media_type="application/pdf",
            data=b64encode(content).decode(),
        )
        text = await attach_receipt(arguments, context_of(ledger))
        assert text == f"Stored {len(content)} bytes as the receipt of expense 1."
    receipts = ledger.connection.execute("SELECT * FROM receipts").fetchall()
    assert receipts == [(1, "application/pdf", b"%PDF-1.7 second")]


async def test_a_receipt_of_another_type_is_not_stored(ledger: Ledger) -> None:
    number = ledger.add("Ann", MARCH_2, 1250, "USD", "meals")
    arguments = AttachReceiptArguments(
        expense=number, media_type="image/png", data=b64encode(b"%PDF-1.7").decode()
    )
    with pytest.raises(WrongMediaType, match="not of type image/png"):
        await attach_receipt(arguments, context_of(ledger))
    assert not ledger.connection.execute("SELECT * FROM receipts").fetchall()


@pytest.mark.parametrize(
    ("says", "text", "decided"),
    [
        (Decision(approve=True), "The user approved expense 1.", (1, "")),
        (
            Decision(approve=False, reason="Too much."),
            "The user rejected expense 1. Too much.",
            (0, "Too much."),
        ),
        ("decline", "The user has not decided.", (None, None)),
    ],
    ids=["approved", "rejected", "declined"],
)
async def test_the_user_decides(
    ledger: Ledger,
    says: Decision | str,
    text: str,
    decided: tuple[int | None, str | None],
) -> None:
    number = ledger.add("Ann", MARCH_2, 1250, "USD", "meals", "with a customer")
    arguments = ApproveExpenseArguments(expense=number)
    assert await approve_expense(arguments, context_of(ledger, says=says)) == text
    query = "SELECT approved, reason FROM expenses"
    assert ledger.connection.execute(query).fetchone() == decided


async def test_nobody_is_asked_about_an_expense_that_does_not_exist(
    ledger: Ledger,
) -> None:
    with pytest.raises(UnknownExpense, match="no expense 7"):
        await approve_expense(ApproveExpenseArguments(expense=7), context_of(ledger))


async def test_the_expenses_of_a_month_are_converted_one_by_one(
    ledger: Ledger,
) -> None:
    ledger.add("Ann", MARCH_2, 1000, "USD", "meals")
    ledger.add("Ben", dt.date(2026, 4, 1), 1000, "USD", "meals")
    ledger.add("Ben", MARCH_2, 4800, "EUR", "travel")
    context = context_of(ledger)
    arguments = ConvertExpensesArguments(month="2026-03")
    assert await convert_expenses(arguments, context) == "Expenses converted: 2."
    assert context.progressed == [(1, 2, "Expense 1"), (2, 2, "Expense 3")]
    assert ledger.totals("2026-03") == [("travel", 4800, 1), ("meals", 500, 1)]
    assert [expense.number for expense in ledger.unconverted("2026-04")] == [2]


async def test_what_was_converted_before_a_failure_stays_converted(
    ledger: Ledger,
) -> None:
    ledger.add("Ann", MARCH_2, 1000, "EUR", "meals")
    ledger.add("Ben", MARCH_2, 1000, "USD", "meals")
    context = context_of(ledger, lambda request: httpx2.Response(503))
    with pytest.raises(RatesUnavailable):
        await convert_expenses(ConvertExpensesArguments(month="2026-03"), context)
    assert [expense.number for expense in ledger.unconverted("2026-03")] == [2]


async def test_a_summary_has_categories_and_says_what_it_leaves_out(
    ledger: Ledger,
) -> None:
    ledger.convert(ledger.add("Ann", MARCH_2, 1050, "USD", "meals"), 1000)
    ledger.convert(ledger.add("Ann", MARCH_2, 4800, "EUR", "travel"), 4800)
    ledger.convert(ledger.add("Ann", MARCH_2, 250, "EUR", "meals"), 250)
    ledger.add("Ann", MARCH_2, 1000, "USD", "meals")
    ledger.decide(3, approved=False, reason="")
    arguments = SummarizeExpensesArguments(month="2026-03")
    result = await summarize_expenses(arguments, context_of(ledger))
    assert result == SummarizeExpensesResult(
        total=58,
        categories=[
            Category(category="travel", total=48, expenses=1),
            Category(category="meals", total=10, expenses=1),
        ],
        unconverted=1,
    )
