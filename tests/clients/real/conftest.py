"""A server that notes what it is asked, started by the real uv or listening over HTTP."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.generated import Generated, free_port, generate, listening

UV = Path(sys.executable).with_name("uv")

TOKEN = "a-token-for-the-server"
KEY = "a-key-that-it-needs"

SPEC = {
    "name": "blog",
    "version": "1.0.0",
    "transports": ["stdio", "streamable-http", "sse"],
    "auth": {"bearer": {"env": "BLOG_TOKEN"}},
    "env": [
        {"name": "BLOG_KEY", "description": "Key of the blog.", "secret": True, "required": True},
        {"name": "BLOG_TOKEN", "description": "Token.", "secret": True, "required": False},
    ],
    "tools": [
        {
            "name": "search",
            "description": "Find posts.",
            "inputSchema": {"type": "object", "properties": {"query": {"type": "string"}}},
        }
    ],
}

NOTING = '''"""Note what the server is asked, with the key that it got."""

import os
import sys
from pathlib import Path

from blog._generated.runtime.catalog import Catalog

answer = Catalog.verbatim


async def noting(self, ctx, call_next):
    way = sys.argv[sys.argv.index("--transport") + 1] if "--transport" in sys.argv else "stdio"
    with Path(__file__).parents[2].joinpath("asked.txt").open("a") as file:
        print(way, ctx.method, os.environ.get("BLOG_KEY"), file=file)
    return await answer(self, ctx, call_next)


Catalog.verbatim = noting
'''


@dataclass(frozen=True)
class Blog:
    """The project, whose servers over HTTP listen on `port`."""

    project: Generated
    port: int

    @contextmanager
    def listening(self, transport: str, log: Path) -> Iterator[None]:
        """Run its server over HTTP until the block ends; over stdio, clients start it."""
        if transport == "stdio":
            yield
            return
        with listening(self.project, transport, log, port=str(self.port)):
            yield

    def listed(self, transport: str) -> bool:
        """Return whether its tools were listed."""
        file = self.project.folder / "asked.txt"
        return file.exists() and f"{transport} tools/list" in file.read_text()

    def asked(self) -> list[str]:
        """Return what was asked since the last time: transport, method and key."""
        file = self.project.folder / "asked.txt"
        lines = file.read_text().splitlines() if file.exists() else []
        file.unlink(missing_ok=True)
        return lines


@pytest.fixture(autouse=True)
def _programs(starts_programs: None) -> None:
    """All tests here start clients."""


@pytest.fixture(scope="session")
def blog(tmp_path_factory: pytest.TempPathFactory) -> Blog:
    port = free_port()
    project = generate(
        {**SPEC, "http": {"port": port}},
        tmp_path_factory.mktemp("real") / "blog",
        handlers={"__init__.py": NOTING},
        env={"BLOG_KEY": KEY, "BLOG_TOKEN": TOKEN},
        pack="python",
    )
    env = {key: value for key, value in os.environ.items() if key != "VIRTUAL_ENV"}
    subprocess.run([UV, "sync", "--quiet"], cwd=project.folder, env=env, check=True, timeout=240)
    return Blog(project, port)
