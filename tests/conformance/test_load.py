"""A server with five hundred open streams and thirty-two busy clients, beside a hand-written one.

`LOAD_SECONDS` says how long the clients are busy. How fast they are served is a row of the
benchmarks: here, other tests run at the same time.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.conformance.load import by_hand, load
from tests.generated import Generated, listening

SECONDS = float(os.environ.get("LOAD_SECONDS", "3"))


@pytest.mark.slow
@pytest.mark.parametrize("transport", ["streamable-http", "sse"])
def test_all_clients_are_answered_right_beside_many_streams_that_take_little_memory(
    fixtures: Generated, transport: str, tmp_path: Path
) -> None:
    with (
        listening(fixtures, transport, tmp_path / "generated.txt") as generated,
        by_hand(transport, tmp_path / "plain.txt") as floor,
        ExitStack() as stack,
    ):
        ours, theirs = (load(server, transport, stack) for server in (generated, floor))
        assert ours.kib_per_stream / theirs.kib_per_stream < 1.3
        assert ours.busy(SECONDS) > 1
    assert "Traceback" not in (tmp_path / "generated.txt").read_text()
