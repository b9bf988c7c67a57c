"""A running server is read over each transport, whatever it does, and none of its tools is called."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scaffold.base.diagnostics import ScaffoldError
from scaffold.sources import server
from scaffold.sources.read import read_source
from scaffold.sources.source import Source
from tests.generated import (
    REPOSITORY,
    Generated,
    WebServers,
    generate,
)
from tests.waiting import WITHIN, wait_until
from tests.web import serving

pytestmark = pytest.mark.usefixtures("starts_programs")

BEHIND = Path(__file__).with_name("behind.py")


def odd(how: str, seconds: float = 30) -> Source:
    return server.from_command([sys.executable, str(BEHIND), f"--{how}"], seconds)


def refused(how: str, seconds: float = 30) -> str:
    with pytest.raises(ScaffoldError) as caught:
        odd(how, seconds)
    (diagnostic,) = caught.value.diagnostics
    return f"{diagnostic.message} | {diagnostic.hint}"


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    """A server that lists one of each kind, in pages, with capabilities and icons."""
    return generate(REPOSITORY / "specs/everything.yaml", tmp_path_factory.mktemp("it") / "all")


@pytest.fixture(scope="module")
def web(everything: Generated, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServers]:
    with WebServers(everything, tmp_path_factory) as servers:
        yield servers


def listed(project: Generated) -> dict[str, Any]:
    catalog = json.loads((project.source / "_generated/catalog.json").read_text("utf-8"))
    kinds = ("tools", "resources", "resourceTemplates", "prompts")
    return {kind: catalog[kind] for kind in kinds if catalog.get(kind)}


@pytest.fixture
def shell(everything: Generated, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shell in the project, with what its server needs."""
    monkeypatch.chdir(everything.folder)
    for name, value in everything.environment.items():
        monkeypatch.setenv(name, value)


@pytest.mark.usefixtures("shell")
def test_everything_that_a_command_lists_is_imported(everything: Generated) -> None:
    source = server.from_command(everything.command())
    assert source.listed == listed(everything)
    assert source.spec["name"] == "everything"


@pytest.mark.parametrize(
    ("transport", "path"), [("streamable-http", "/mcp"), ("sse", "/sse")], ids=["http", "sse"]
)
def test_everything_that_a_url_lists_is_imported(
    everything: Generated, web: WebServers, transport: str, path: str
) -> None:
    source = read_source(web(transport).url(path))
    assert source.listed == listed(everything)
    assert source.spec["capabilities"] == {"logging": {}}


@pytest.mark.parametrize("how", ["pages", "asks", "noise"])
def test_all_pages_are_read_and_invalid_answers_are_refused_or_ignored(how: str) -> None:
    assert [tool["name"] for tool in odd(how).listed["tools"]] == ["do", "count"]


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("endless", "`tools` has an endless number of pages"),
        ("repeated", "`tools` has an endless number of pages"),
        ("flood", "it sent more than 32 MB"),
        ("huge", "it sent more than 32 MB"),
        ("wrong", "its response violates the protocol: tools"),
        ("cut", "it sent a message that is not JSON"),
        ("unmarked", "its answer is not JSON-RPC"),
        ("ends", "behind: no TOKEN in the environment"),
    ],
)
def test_a_misbehaving_server_is_a_clear_error(how: str, message: str) -> None:
    assert message in refused(how)


def test_started_processes_are_stopped() -> None:
    mine = f"{BEHIND} --silent {os.getpid()}"  # other tests run such a server at the same time
    running = ["pgrep", "-f", mine]
    with pytest.raises(ScaffoldError, match="it did not respond within 1 seconds"):
        server.from_command([sys.executable, *mine.split()], 1)
    assert subprocess.run(running, capture_output=True, check=False).stdout == b""


def test_a_missing_server_is_an_error() -> None:
    with pytest.raises(ScaffoldError, match="no such file or directory"):
        server.from_command(["no-such-command"])
    with pytest.raises(ScaffoldError, match="cannot read the server"):
        read_source("http://127.0.0.1:9/mcp")


@pytest.mark.parametrize("file", ["mcp", "api.json"])
def test_a_secret_in_a_url_is_in_no_message(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHER", "hush")
    with serving(lambda call: call.reply(404)) as url:
        at = url.replace("//", "//me:hush@") + f"/{file}?api_key=hush&x=${{OTHER}}"
        with pytest.raises(ScaffoldError) as caught:
            read_source(at)
    (diagnostic,) = caught.value.diagnostics
    assert "api_key=${API_KEY}" in str(diagnostic.place)
    assert "hush" not in str(diagnostic)


@pytest.fixture
def cursor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The configuration of Cursor for all projects, which is not there yet."""
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".cursor").mkdir()
    return tmp_path / ".cursor/mcp.json"


def test_a_secret_in_the_entry_of_a_client_becomes_a_variable(
    web: WebServers, cursor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTHER", "other")
    url = web("streamable-http").url("/mcp?apiKey=hush&x=${env:OTHER}")
    entry = {"url": url, "headers": {"X-Own": "hush", "Authorization": "Bearer ${env:OTHER}"}}
    cursor.write_text(json.dumps({"mcpServers": {"it": entry}}))
    assert read_source("client:cursor/it").upstream == {
        "url": url.replace("hush", "${API_KEY}").replace("env:", ""),
        "headers": {"X-Own": "${X_OWN}", "Authorization": "Bearer ${OTHER}"},
    }
    cursor.write_text(cursor.read_text().replace("env:OTHER", "env:MISSING"))
    with pytest.raises(ScaffoldError, match="`MISSING` of the header `Authorization` is not set"):
        read_source("client:cursor/it")


@pytest.mark.usefixtures("shell")
def test_the_entry_of_a_client_can_be_imported(
    everything: Generated, cursor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, option, package = everything.command()
    monkeypatch.setenv("PACKAGE", package)
    monkeypatch.setenv("SOURCES", os.environ["PYTHONPATH"])
    monkeypatch.delenv("PYTHONPATH")
    entry = {
        "command": program,
        "args": [option, "${env:PACKAGE}"],
        "env": {"PYTHONPATH": "${env:SOURCES}"},
    }
    text = json.dumps({"mcpServers": {"it": entry, "url": {"url": "http://x"}}})
    cursor.write_text(f"// mine, with // in it\n{text[:-1]},}}")
    source = read_source("client:cursor/it")
    assert source.listed == listed(everything)
    assert (source.upstream or {})["args"] == [option, "${PACKAGE}"]
    for wrong, near in {"cursor/at": "it has `it` and `url`", "cursr/it": "`cursor`"}.items():
        with pytest.raises(ScaffoldError) as caught:
            read_source(f"client:{wrong}")
        assert near in str(caught.value.diagnostics[0].hint)


OBJECT = """
from contextlib import asynccontextmanager
from mcp.server.mcpserver import Context, MCPServer
from starlette.responses import PlainTextResponse

async def deny(context, call_next):
    return await call_next(context)

@asynccontextmanager
async def opened(server):
    yield {}

server = MCPServer('Sums', version='2.0', middleware=[deny], lifespan=opened)

@server.custom_route('/status', methods=['GET'])
async def status(request):
    return PlainTextResponse('fine')

@server.tool()
def add(a: int, b: int = 2) -> int:
    return a + b

@server.tool()
def ask(context: Context) -> str:
    return ''
"""


def test_unsupported_parts_of_a_python_object_are_reported_with_security_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sums.py").write_text(OBJECT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    source = read_source("python:sums:server")
    add, ask = source.spec["tools"]
    assert (source.spec["name"], add["handler"]) == ("sums", {"python": ".sums:add"})
    assert "handler" not in ask
    assert source.next == "cp sums.py sums/src/sums/"
    assert source.notes == (
        "the middleware `deny` does not run: calls that it denies reach the functions",
        "its lifespan does not run: open what the functions share in `lifespan.py`",
        "the route `/status` was left out",
        "the server's name is `sums`, and `Sums` its title",
        "`ask` takes `context`, which clients do not send: write its handler",
    )
    with pytest.raises(ScaffoldError, match="does not name an object"):
        read_source("python:sums:__import__('os').system('true')")


def test_a_server_does_not_hide_the_installed_package_whose_functions_it_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "installed").mkdir()
    (tmp_path / "installed/sums.py").write_text(OBJECT)
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "installed"))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    source = read_source("python:sums:server")
    assert source.spec["tools"][0]["handler"] == {"python": "sums:add"}
    assert [*source.spec.items()][:3] == [
        ("name", "sums-server"),
        ("version", "2.0"),
        ("title", "Sums"),
    ]
    assert source.next == ""
    assert "the server is called `sums-server`: `sums` is that of the functions" in source.notes


def test_an_interrupted_import_also_ends_the_command(tmp_path: Path) -> None:
    command = Path(sys.executable).with_name("mcp-scaffold")
    started = [str(command), "import", "--", sys.executable, str(BEHIND), "--silent", str(tmp_path)]
    process = subprocess.Popen(started, cwd=tmp_path, stderr=subprocess.PIPE)

    def left() -> bytes:
        words = ["pgrep", "-f", f"python[^ ]* {BEHIND} --silent {tmp_path}"]
        return subprocess.run(words, capture_output=True, check=False).stdout

    wait_until(lambda: len(left().split()) == 2)  # the import names it too
    process.terminate()
    _, errors = process.communicate(timeout=WITHIN)
    assert b"Traceback" not in errors
    assert left() == b""
    assert [*tmp_path.iterdir()] == []
