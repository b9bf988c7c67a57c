"""The story of a spec, told by `client.py` and the tests of a project."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.generated import PACK, Generated, generate, listening, of_the_sdk
from tests.project_tools import run

SHELF = Path(__file__).parent / "shelf"
STORY = """
ok   read, lost: There is no book 99. Add it.
ok   add, a novel: {"book":1}
ok   read, Emma: Emma, book 1
ok   shelf://books, all: [{"title": "Emma"}]
ok   shelf://books/{book}, first: Emma
ok   shelf://books/{book}, none: Resource not found
ok   review, of Emma: Review book 1.
"""


@pytest.fixture
def shelf(tmp_path: Path) -> Generated:
    return generate(SHELF / "mcp.yaml", tmp_path / "shelf", overlay=SHELF / "project")


def story_of(output: str) -> str:
    """Return the lines of an output that are about examples."""
    lines = [line.rstrip() for line in output.splitlines() if ", " in line and "lists" not in line]
    return "\n" + "\n".join(lines) + "\n"


def edit(project: Generated, path: str, text: str, instead: str) -> None:
    file = project.source / path
    before = file.read_text()
    assert text in before
    file.write_text(before.replace(text, instead))


def test_the_examples_run_in_order_and_leave_no_data(shelf: Generated, tmp_path: Path) -> None:
    real = tmp_path / "real.txt"
    before = {*shelf.folder.iterdir()}
    for options in ([], ["--legacy"]):
        ended = shelf.script(*options, SHELF_FILE=str(real))
        assert ended.returncode == 0, ended.stdout + ended.stderr
        assert story_of(ended.stdout) == STORY
    assert {*shelf.folder.iterdir()} == before
    assert not real.exists()
    assert shelf.script("--real", SHELF_FILE=str(real)).returncode == 0
    assert real.read_text() == "Emma"


def test_a_call_can_use_results_of_earlier_examples(shelf: Generated) -> None:
    ended = shelf.script("call", "read", '{"book": "${add.book}"}')
    assert (ended.returncode, ended.stdout) == (0, "Emma, book 1\n")
    ended = shelf.script("call", "read", '{"book": "${subtract.book}"}')
    assert ended.returncode == 2
    assert "subtract gave no book" in ended.stderr
    assert "Traceback" not in ended.stderr


IN_PLAIN_PYTHON = {
    '/0: "title" is a required property': "/0/title: it is required",
    "/book: 2 is not one of 1": "/book: 2 is not 1",
}
"""What jsonschema-rs says, and the engine of the pack python-stdlib."""


FAULTS = {
    "wrong field": ("tools/add.py", "book=len(titles)", "book=2", "add, a novel - the result differs: /book: 2 is not one of 1"),
    "missing write": ("tools/add.py", "write_text", "with_name", "read, Emma - it failed"),
    "wrong error": ("tools/read.py", "raise UnknownBook(book=arguments.book)", "raise UnknownBook(book=1)", "read, lost - the text differs"),
    "swallowed error": ("tools/read.py", "raise UnknownBook(book=arguments.book)", "return ''", "read, lost - it did not fail"),
    "wrong text": ("tools/read.py", ", book {", ": book {", "read, Emma - the text differs"),
    "wrong key": ("resources/books.py", '"title": title', '"name": title', "shelf://books, all - the result differs: /0: \"title\" is a required property"),
    "wrong resource": ("resources/book.py", "titles[int(arguments.book) - 1]", "'Ulysses'", "shelf://books/{book}, first - the text differs"),
}  # fmt: skip
"""Of handlers: file, text and another text, and what is said of it."""

TOGETHER = ("swallowed error", "wrong text", "wrong key", "wrong resource")
"""Of which each is told whatever the others are."""


def broken(shelf: Generated, *names: str) -> list[str]:
    """Break handlers, and return what is to be said of it."""
    faults = []
    for name in names:
        path, text, instead, fault = FAULTS[name]
        edit(shelf, path, text, instead)
        for line, plain in IN_PLAIN_PYTHON.items() if PACK == "python-stdlib" else ():
            fault = fault.replace(line, plain)
        faults.append(fault)
    return faults


@pytest.mark.parametrize(
    "names", [["wrong field"], ["missing write"], ["wrong error"], TOGETHER], ids=" ".join
)
def test_a_faulty_handler_fails_the_generated_tests(shelf: Generated, names: list[str]) -> None:
    faults = broken(shelf, *names)
    ended = shelf.script()
    assert ended.returncode == 1
    assert [fault for fault in faults if fault not in ended.stdout] == []


def test_the_tests_of_the_project_report_the_same_faults_once(shelf: Generated) -> None:
    faults = broken(shelf, *TOGETHER)
    tested = run(shelf.folder, "pytest", "-q", "-rN", "-p", "no:cacheprovider")
    assert tested.returncode == 1
    assert [tested.stdout.count(fault) for fault in faults] == [1] * len(faults)
    reports = re.split("(?m)^___+ .* ___+$", tested.stdout.partition("= FAILURES =")[2])[1:]
    assert len(reports) == len(faults)
    assert [report for report in reports if len(report.strip().splitlines()) > 10] == []


@of_the_sdk
def test_an_internal_failure_is_reported_with_its_cause_from_the_log(shelf: Generated) -> None:
    edit(shelf, "tools/read.py", "raise UnknownBook", "print('1')\n        raise 1 / 0  #")
    tested = run(shelf.folder, "pytest", "-q", "-rN", "-p", "no:cacheprovider", "-k", "lost")
    report = tested.stdout.partition("= FAILURES =")[2]
    assert "ZeroDivisionError: division by zero" in report
    assert "see: examples of read in mcp.yaml, lost" in report
    assert len(report.strip().splitlines()) <= 13  # With pytest's own lines.
    ended = shelf.script()
    assert "Traceback" not in ended.stderr
    [report] = re.findall(r"^FAIL (read, lost .*\n(?: +.*\n)+)", ended.stdout, re.MULTILINE)
    assert '\n     got: the error "Internal error, reference ' in report
    assert report.endswith("ZeroDivisionError: division by zero\n")
    assert len(report.splitlines()) <= 10


def test_an_example_is_skipped_if_one_that_it_needs_failed(shelf: Generated) -> None:
    edit(shelf, "tools/add.py", "titles =", "raise ValueError\n    titles =")
    ended = shelf.script()
    assert ended.returncode == 1
    assert "FAIL add, a novel - it failed inside" in ended.stdout
    assert ended.stdout.count("FAIL") == 2  # The list of all books is empty.
    for title in ("read, Emma", "shelf://books/{book}, first", "review, of Emma"):
        assert f"skip {title} - it needs add, a novel" in ended.stdout
    tested = run(shelf.folder, "pytest", "-q", "-p", "no:cacheprovider", "-k", "what_the_spec_says")
    assert "2 failed, 9 passed, 3 skipped" in tested.stdout


def test_examples_that_wait_for_a_stub_are_to_be_written(tmp_path: Path) -> None:
    project = generate(SHELF / "mcp.yaml", tmp_path / "shelf")
    ended = project.script()
    assert ended.returncode == 0, ended.stdout
    assert "todo read, Emma - it needs add, a novel" in ended.stdout


@of_the_sdk
def test_examples_that_write_run_on_a_running_server_only_on_request(
    shelf: Generated, tmp_path: Path
) -> None:
    real = tmp_path / "real.txt"
    with listening(shelf, "streamable-http", tmp_path / "log", SHELF_FILE=str(real)) as server:
        url = server.url("/mcp")
        ended = shelf.script("--url", url)
        assert ended.returncode == 0, ended.stdout
        assert "skip add, a novel - it needs --real, for some write" in ended.stdout
        assert not real.exists()
        assert story_of(shelf.script("--url", url, "--real").stdout) == STORY
