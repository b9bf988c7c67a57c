"""Handlers called by the tests of their project, without a server: `fake_context`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.generated import PACK, Generated, generate
from tests.pyright import WHOLE, errors
from tests.server.test_project_checks import clean_environment

SPEC: dict[str, Any] = {
    "name": "booking",
    "version": "1",
    "tools": [
        {
            "name": "book",
            "description": "Book seats.",
            "inputSchema": {"type": "object", "properties": {"row": {"type": "integer"}}},
            "examples": [{"name": "one", "arguments": {"row": 1}}],
        }
    ],
    "resources": [{"uri": "seats://free", "name": "free"}],
    "prompts": [{"name": "greet", "arguments": [{"name": "guest", "required": True}]}],
    "capabilities": {"logging": {}},
    "clientCapabilities": {"elicitation": {}, "sampling": {}, "roots": {}},
}
HANDLERS = {
    "tools/book.py": '''"""Book seats."""

import datetime as dt
from dataclasses import dataclass, field

from booking._generated.contract import Context, ToolResult
from booking._generated.models import BookArguments


@dataclass(frozen=True)
class Booking:
    day: dt.date
    seats: int = field(default=1, metadata={"minimum": 1})


async def book(arguments: BookArguments, context: Context) -> ToolResult:
    await context.progress(1, 2, "asking")
    answer = await context.elicit("Which day?", Booking)
    if not isinstance(answer, Booking):
        await context.log.warning({"answer": answer})
        return answer
    title = await context.sample("A title, please")
    [root] = await context.roots()
    assert context.can("sampling")
    await context.progress(2, 2)
    return f"{title}: {answer.seats} on {answer.day:%A}, {root.name}"
''',
    "resources/free.py": '''"""Free seats."""

from booking._generated.contract import Context, ResourceResult


async def free(context: Context) -> ResourceResult:
    return "12"
''',
    "prompts/greet.py": '''"""Greet."""

from booking._generated.contract import Context, PromptResult
from booking._generated.models import GreetArguments


async def greet(arguments: GreetArguments, context: Context) -> PromptResult:
    return f"Greet {arguments.guest}."
''',
}
WITH_PYDANTIC = HANDLERS["tools/book.py"]
for dataclass, model in (
    ("from dataclasses import dataclass, field\n", "\nfrom pydantic import BaseModel, Field\n"),
    ("@dataclass(frozen=True)\nclass Booking:", "class Booking(BaseModel):"),
    ('field(default=1, metadata={"minimum": 1})', "Field(default=1, ge=1)"),
):
    WITH_PYDANTIC = WITH_PYDANTIC.replace(dataclass, model)
TESTS = '''"""What the tools do."""

import datetime as dt

import pytest
from fake_context import fake_context
from mcp_types import ListRootsResult, Root
from pydantic import FileUrl

from booking._generated.models import BookArguments
from booking.lifespan import Shared
from booking.tools.book import Booking, book

pytestmark = pytest.mark.anyio
MONDAY = Booking(day=dt.date(2026, 8, 3), seats=2)
HOME = ListRootsResult(roots=[Root(uri=FileUrl("file:///home"), name="home")])


async def test_a_booking() -> None:
    context = fake_context(shared=Shared(), answers=[MONDAY, "Title", HOME])
    assert await book(BookArguments(), context) == "Title: 2 on Monday, home"
    assert context.progressed == [(1, 2, "asking"), (2, 2, None)]
    assert list(context.asked) == ["Booking", "sample", "roots"]
    assert context.logged == []


@pytest.mark.parametrize("choice", ["decline", "cancel"])
async def test_no_booking(choice: str) -> None:
    context = fake_context(shared=Shared(), answers=[choice])
    assert await book(BookArguments(), context) == choice
    assert context.logged == [("warning", {"answer": choice})]


async def test_too_few_answers() -> None:
    with pytest.raises(AssertionError, match="sample needs an answer"):
        await book(BookArguments(), fake_context(shared=Shared(), answers=[MONDAY]))


async def test_an_answer_to_another_question() -> None:
    with pytest.raises(AssertionError, match="is no answer to sample"):
        answers = [MONDAY, MONDAY]
        await book(BookArguments(), fake_context(shared=Shared(), answers=answers))
    with pytest.raises(AssertionError, match="is no answer to Booking"):
        await book(BookArguments(), fake_context(shared=Shared(), answers=["Title"]))
'''


def run(project: Generated, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=project.folder,
        env=clean_environment(PYTHONPATH="src"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    folder = tmp_path_factory.mktemp("booking") / "booking"
    project = generate(SPEC, folder, handlers=HANDLERS)
    tests = TESTS
    if PACK != "python":
        tests = tests.replace("from mcp_types", "from booking._generated.content")
        tests = tests.replace("from pydantic import FileUrl\n", "").replace("FileUrl(", "str(")
    (folder / "tests" / "test_booking.py").write_text(tests)
    return project


def test_a_form_can_be_a_model_of_pydantic_too(written: Generated) -> None:
    handler = written.source / "tools" / "book.py"
    dataclass = handler.read_text()
    try:
        handler.write_text(WITH_PYDANTIC)
        test_a_handler_is_called_with_answers_and_what_it_tells_is_kept(written)
    finally:
        handler.write_text(dataclass)


def test_a_handler_is_called_with_answers_and_what_it_tells_is_kept(written: Generated) -> None:
    ran = run(written, "pytest", "-q", "-p", "no:cacheprovider", "tests/test_booking.py")
    assert "5 passed" in ran.stdout, ran.stdout


def test_the_example_of_a_test_calls_the_first_handler_of_each_kind(tmp_path: Path) -> None:
    project = generate(SPEC, tmp_path / "booking")
    tests = ("pytest", "-q", "-rs", "-p", "no:cacheprovider", "tests/test_handlers.py")
    fresh = run(project, *tests)
    assert "3 skipped" in fresh.stdout, fresh.stdout
    assert "to be written" in fresh.stdout
    for path in ("resources/free.py", "prompts/greet.py"):
        (project.source / path).write_text(HANDLERS[path])
    assert "2 passed, 1 skipped" in run(project, *tests).stdout
    (project.source / "resources" / "free.py").write_text(
        HANDLERS["resources/free.py"].replace('"12"', '""')
    )
    assert "1 failed" in run(project, *tests).stdout


def test_both_type_checkers_are_content_with_it(
    written: Generated, pytestconfig: pytest.Config
) -> None:
    checked = run(written, "mypy")
    assert "Success" in checked.stdout, checked.stdout
    cache = pytestconfig.cache.mkdir("pyright")
    assert errors(cache, written.folder, *WHOLE) == {}
    handler = written.source / "tools" / "book.py"
    right = handler.read_text()
    try:
        handler.write_text(right.replace("{answer.seats}", "{answer.places}"))
        assert '"places"' in run(written, "mypy").stdout
        assert errors(cache, written.folder, "src/booking/tools")
    finally:
        handler.write_text(right)
