"""Fixtures: servers under test ask a stand-in on this machine, not api.weather.gov."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from upstream import RECORDED, Answer, Upstream, serving


@pytest.fixture(scope="session", autouse=True)
def upstream() -> Iterator[Upstream]:
    with serving(RECORDED) as upstream, pytest.MonkeyPatch.context() as patch:
        for name in ("WEATHER_API", "STAND_IN_WEATHER_API"):
            patch.setenv(name, upstream.address)
        patch.setenv("NO_PROXY", "127.0.0.1")
        yield upstream


@pytest.fixture
def serve() -> Iterator[Callable[[dict[str, Answer]], Upstream]]:
    """Start a stand-in with other answers than the recorded ones."""
    with ExitStack() as stack:
        yield lambda answers: stack.enter_context(serving(answers))


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
