"""A thread that outlives its call keeps its place: calls without one are refused, in words."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from tests.generated import Generated, of_the_sdk
from tests.raw_client import LEGACY, StdioClient, WireCheck

THREADS = 128
CALLS = 500
SLOW = "wait took longer than 0.2 seconds"
BUSY = "The server is busy, try again later"


def threads_of(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("Threads:")[2].split()[0])


def test_the_limit_of_threads_is_a_setting(crashing: Generated, check: WireCheck) -> None:
    with StdioClient(crashing, LEGACY[-1], check, CRASHING_LIMIT_THREADS="2") as client:
        calls = [client.start_call("wait") for _ in range(8)]
        texts = Counter(call.result()["result"]["content"][0]["text"] for call in calls)
        assert texts == {SLOW: 2, BUSY: 6}
        assert "wait: all 2 threads are busy" in client.log


def test_calls_that_time_out_do_not_pile_up_threads(crashing: Generated, check: WireCheck) -> None:
    with StdioClient(crashing, LEGACY[-1], check) as client:
        calls = [client.start_call("wait") for _ in range(CALLS)]
        most = 0
        while not all(call.done() for call in calls):
            most = max(most, threads_of(client.process.pid))
            assert client.call("greet")["result"]["content"][0]["text"] == "Hello!"
        texts = Counter(call.result()["result"]["content"][0]["text"] for call in calls)
        most = max(most, threads_of(client.process.pid))
        assert set(texts) == {SLOW, BUSY}, texts
        assert 50 < most < THREADS + 20
        assert "wait: all 128 threads are busy" in client.log

        deadline = time.monotonic() + 20  # They end, and others get their place.
        while client.call("wait")["result"]["content"][0]["text"] != SLOW:
            assert time.monotonic() < deadline
        assert client.garbage == []


GIVEN_UP = """
import time
import anyio, anyio.to_thread
from crashing._generated.threads import run_in_thread

real, ran = anyio.to_thread.run_sync, []

async def late(work, **options):
    return await real(lambda: (time.sleep(0.5), work()), **options)

async def main():
    anyio.to_thread.run_sync = late
    with anyio.move_on_after(0.1):
        await run_in_thread(ran.append, "it")
    await anyio.sleep(1)
    print(ran)

anyio.run(main)
"""


@of_the_sdk
def test_a_call_that_was_given_up_before_its_thread_began_does_not_run(crashing: Generated) -> None:
    command = [sys.executable, "-c", GIVEN_UP]
    environment = crashing.environment
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")
