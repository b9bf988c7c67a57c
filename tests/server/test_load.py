"""Many calls at once, of handlers that are quick, slow, failing, printing and blocking."""

from __future__ import annotations

import json
import threading
import time
from concurrent.futures import Future

from tests.raw_client import Message, RawClient, StdioClient
from tests.server.conftest import only_modern

SLOW = 2.5
"""Seconds that slow handlers take: far more than all the others together."""


class Arrivals:
    """When the answers to the calls of a group came, in seconds from the first call."""

    def __init__(self, client: RawClient) -> None:
        client.call("nothing")  # The server has started.
        self.start = time.monotonic()
        self.times: dict[str, list[float]] = {}
        self._lock = threading.Lock()

    def note(self, group: str, future: Future[Message]) -> Future[Message]:
        def arrived(_: Future[Message]) -> None:
            with self._lock:
                self.times.setdefault(group, []).append(time.monotonic() - self.start)

        future.add_done_callback(arrived)
        return future


def text_of(future: Future[Message]) -> str:
    text: str = future.result(timeout=30)["result"]["content"][0]["text"]
    return text


def test_sixty_four_calls_in_flight_are_all_answered_right_and_none_delays_another(
    client: RawClient,
) -> None:
    arrivals = Arrivals(client)
    slow = {
        n: arrivals.note("slow", client.start_call(tool, seconds=SLOW, tag=n))
        for n, tool in enumerate(["slow", "blocking"] * 12)
    }
    rest = [
        (
            arrivals.note("rest", client.start_call("greet", name=f"n{n}")),
            arrivals.note("rest", client.start_call("fail", how="exception")),
            arrivals.note("rest", client.start_call("shout", tag=n)),
            arrivals.note("rest", client.start_call("sum", numbers=[n, 1])),
        )
        for n in range(10)
    ]
    for n, (greeting, failure, shout, total) in enumerate(rest):
        assert text_of(greeting) == f"Hello, n{n}!"
        assert text_of(failure).startswith("Internal error, reference ")
        assert text_of(shout) == f"shouted {n}"
        assert json.loads(text_of(total)) == {"sum": n + 1, "count": 2}
    for n, future in slow.items():
        assert text_of(future) == f"{'blocking' if n % 2 else 'slow'} {n}"
    assert len(arrivals.times["slow"]) + len(arrivals.times["rest"]) == 64
    assert max(arrivals.times["rest"]) < min(arrivals.times["slow"])
    assert max(arrivals.times["slow"]) < 2 * SLOW
    assert_pure(client)


@only_modern
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
