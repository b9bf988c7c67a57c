"""The fixture server: the example `conformance`, as it lies in the repository or as another pack has it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.generated import PACK, Generated, WebServer, WebServers, for_stdlib, generate

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _programs(starts_programs: None) -> None:
    """All tests here start servers."""


@pytest.fixture(scope="session")
def fixtures(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    example = REPOSITORY / "examples" / "conformance"
    if PACK == "python":
        return Generated(example, "conformance", {"CONFORMANCE_TASKS": ":memory:"})
    source = example / "src" / "conformance"
    handlers = {
        str(path.relative_to(source)): path.read_text(encoding="utf-8")
        for path in source.rglob("*.py")
        if "_generated" not in path.parts and path.name != "__main__.py"
    }
    folder = tmp_path_factory.mktemp("conformance") / "conformance"
    return generate(for_stdlib(example / "mcp.yaml"), folder, handlers=handlers)


@pytest.fixture(scope="module")
def web(
    fixtures: Generated, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], WebServer]]:
    """The running server of a transport over HTTP; its log must hold no traceback."""
    with WebServers(fixtures, tmp_path_factory) as servers:
        yield servers
    for server in servers.running.values():
        assert "Traceback" not in server.log.read_text()
