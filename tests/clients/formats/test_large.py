"""Large files are edited in the time of some readings, and hostile ones are refused as quickly."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import pytest

from scaffold.clients.formats import FormatError, format_of
from tests.clients.formats.layouts import ROOT

ENTRY = {"command": "/opt/uv", "args": ["run", "ours"]}
OTHERS = {
    f"server-{n}": {"command": "uv", "args": ["run", "x"], "env": {"URL": "http://x//y", "Q": '"'}}
    for n in range(4_000)
}
TEXT = json.dumps({"theme": "dark", ROOT: OTHERS}, indent=2)


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time that some work takes, the best of five."""
    taken = []
    for _ in range(5):
        began = time.process_time()
        work()
        taken.append(time.process_time() - began)
    return min(taken)


@pytest.mark.parametrize("kind", ["json", "jsonc"])
def test_an_edit_takes_the_time_of_some_readings(kind: str) -> None:
    form = format_of(kind)
    text = TEXT.replace("{", "{ // note", 1) if kind == "jsonc" else TEXT
    new = form.put(text, (ROOT,), "ours", ENTRY)
    reading = seconds(lambda: json.loads(TEXT))
    assert seconds(lambda: form.put(text, (ROOT,), "ours", ENTRY)) < 35 * reading
    assert seconds(lambda: form.drop(new, (ROOT,), "ours")) < 50 * reading


@pytest.mark.parametrize(
    "unit", ["/*", '"/*', '"\\', '\\"', "[,", ",", ", ", "/", "{", '{"a":', '"', "// \n", "\t"]
)
def test_a_hostile_text_is_refused_at_once(unit: str) -> None:
    began = time.process_time()
    with pytest.raises(FormatError):
        format_of("jsonc").put("[" + unit * 200_000, (ROOT,), "ours", ENTRY)
    assert time.process_time() - began < 2
