"""Many calls at once, of handlers that are quick, slow, failing, printing and blocking."""

from __future__ import annotations

import json
from concurrent.futures import Future
from pathlib import Path

from tests.generated import Generated
from tests.raw_client import Message, RawClient, StdioClient
from tests.waiting import WITHIN, wait_until


def text_of(future: Future[Message]) -> str:
    text: str = future.result(WITHIN)["result"]["content"][0]["text"]
    return text


def test_sixty_four_calls_in_flight_are_all_answered_and_do_not_delay_each_other(
    client: RawClient, workshop: Generated, tmp_path: Path
) -> None:
    def begun() -> int:
        return Path(workshop.env["WORKSHOP_DIARY"]).read_text().count("begins")

    client.call("nothing")  # The server has started.
    before, end = begun(), tmp_path / "end"
    slow = [
        client.start_call(tool, seconds=0, tag=n, until=str(end))
        for n, tool in enumerate(["slow", "blocking"] * 12)
    ]
    rest = [
        (
            client.start_call("greet", name=f"n{n}"),
            client.start_call("fail", how="exception"),
            client.start_call("shout", tag=n),
            client.start_call("sum", numbers=[n, 1]),
        )
        for n in range(10)
    ]
    for n, (greeting, failure, shout, total) in enumerate(rest):
        assert text_of(greeting) == f"Hello, n{n}!"
        assert text_of(failure).startswith("Internal error, reference ")
        assert text_of(shout) == f"shouted {n}"
        assert json.loads(text_of(total)) == {"sum": n + 1, "count": 2}
    wait_until(lambda: begun() == before + len(slow))
    assert not any(future.done() for future in slow)
    end.touch()
    for n, future in enumerate(slow):
        assert text_of(future) == f"{'blocking' if n % 2 else 'slow'} {n}"
    assert_pure(client)


def test_a_handler_that_reads_the_input_finds_its_end(client: RawClient) -> None:
    assert client.call("listen")["result"]["content"][0]["text"] == "heard ''"


def assert_pure(client: RawClient) -> None:
    """Nothing but messages came, and what was printed is in the log."""
    assert client.unclaimed.empty()
    if isinstance(client, StdioClient):
        assert client.garbage == []
        for way in ("print", "sys.stdout", "os.write", "echo"):
            assert f"{way} at import time" in client.log
            assert f"{way} in a handler" in client.log
