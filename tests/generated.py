"""A spec into a generated project, and that project into running servers."""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from http.client import HTTPConnection, HTTPMessage
from pathlib import Path
from typing import IO, Any

import pytest

from scaffold.teams.copying import Asked
from scaffold.teams.upgrade import new_from_pack
from scaffold.yaml.source import parse
from tests import forked
from tests.waiting import WITHIN, wait_until

PACK = os.environ.get("SERVER_PACK", "python")
"""The built-in pack of the servers that are tested: all tests run with each."""

of_the_sdk = pytest.mark.skipif(PACK != "python", reason="the test is about the SDK")
"""A mark for what a test asks of the SDK, or of what comes with it."""

REPOSITORY = Path(__file__).resolve().parent.parent

FIRST_PORT, PORTS = 10_000, 22_000
"""The ports for servers: Linux connects from 32768 up, others from 49152 up."""


@dataclass(frozen=True)
class Generated:
    """A generated project, and the variables that its server needs to start.

    Its servers are copies of a process that has imported the SDK, unless it `is_fresh`: then they
    start as those of users do, which takes ten times as long.
    """

    folder: Path
    package: str
    env: Mapping[str, str] = field(default_factory=dict)
    is_fresh: bool = PACK != "python"

    @classmethod
    def at(cls, folder: Path) -> Generated:
        """The project that lies in a folder."""
        [package] = (folder / "src").iterdir()
        return cls(folder, package.name)

    @property
    def source(self) -> Path:
        """The folder of the package."""
        return self.folder / "src" / self.package

    @property
    def environment(self) -> dict[str, str]:
        """All that a process of the project finds in its environment."""
        return {**os.environ, **self.env, "PYTHONPATH": str(self.folder / "src")}

    def command(self, *arguments: str) -> list[str]:
        """The command line of the server."""
        return [sys.executable, "-m", self.package, *arguments]

    def anew(self) -> Generated:
        """The same project, whose servers start as those of users do."""
        return replace(self, is_fresh=True)

    def spawn(self, *arguments: str, **env: str) -> subprocess.Popen[bytes]:
        """Start the server with all three standard streams as pipes."""
        if not self.is_fresh:
            return self._forked(self.package, *arguments, **env)
        return subprocess.Popen(
            self.command(*arguments),
            cwd=self.folder,
            env=self.environment | env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def spawn_to(self, output: IO[bytes], *arguments: str, **env: str) -> subprocess.Popen[bytes]:
        """Start the server with no input, and with both outputs going to a file."""
        environment = self.environment | env
        if not self.is_fresh:
            return forked.start(self.package, arguments, self.folder, environment, output)
        return subprocess.Popen(
            self.command(*arguments),
            cwd=self.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )

    def run(
        self, *arguments: str, input: bytes = b"", **env: str
    ) -> subprocess.CompletedProcess[bytes]:
        """Run the server until it ends, its whole input given."""
        process = self.spawn(*arguments, **env)
        output, errors = process.communicate(input, WITHIN)
        return subprocess.CompletedProcess(arguments, process.wait(), output, errors)

    def script(self, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
        """Run `client.py` until it ends."""
        process = self._forked("client.py", *arguments, **env)
        output, errors = process.communicate(b"", WITHIN)
        code = process.wait()
        return subprocess.CompletedProcess(arguments, code, output.decode(), errors.decode())

    def _forked(self, program: str, *arguments: str, **env: str) -> subprocess.Popen[bytes]:
        return forked.start(program, arguments, self.folder, self.environment | env)


def generate(
    spec: Path | Mapping[str, Any],
    folder: Path,
    *,
    handlers: Mapping[str, str] | None = None,
    overlay: Path | None = None,
    env: Mapping[str, str] | None = None,
    pack: str = PACK,
) -> Generated:
    """Make the project of a spec in `folder`, which must not be there yet.

    `handlers` are texts by their path in the package (`tools/greet.py`); `overlay` is a folder
    whose files are copied over the project's; `pack` is a built-in pack. Raises ScaffoldError
    where the spec is wrong.
    """
    if isinstance(spec, Mapping):
        path = folder.with_name(f"{folder.name}.json")
        path.write_text(json.dumps(spec), encoding="utf-8")
        spec = path
    elif pack == "python-stdlib" and "\nskills:" in (text := spec.read_text("utf-8")):
        spec = folder.with_name(f"{folder.name}.yaml")
        spec.write_text(re.sub(r"(?m)^skills:.*\n", "", text), encoding="utf-8")
    created = new_from_pack(spec, folder, pack, Asked({}, {}))
    package = created.generated.project.package
    generated = Generated(folder, package, env or {}, is_fresh=pack != "python")
    for path_in_package, text in (handlers or {}).items():
        (generated.source / path_in_package).write_text(text, encoding="utf-8")
    if overlay is not None:
        shutil.copytree(overlay, folder, dirs_exist_ok=True)
    if pack != "python":
        for path in generated.source.rglob("*.py"):
            if path.parent.name != "_generated":
                text = path.read_text(encoding="utf-8")
                path.write_text(moved(text, generated.package), encoding="utf-8")
    return generated


def for_stdlib(spec: Path) -> dict[str, Any]:
    """Return a spec as the pack `python-stdlib` can serve it."""
    value: Any = parse(spec.read_text(encoding="utf-8"), str(spec)).value
    written: dict[str, Any] = value
    written.pop("skills", None)
    for tool in written["tools"]:
        tool.pop("task", None)
    return written


def moved(handler: str, package: str) -> str:
    """Return the text of a handler with names of `contract.py` for those of the SDK and pydantic."""
    contract = f"from {package}._generated.contract import"
    for module in ("changes", "errors", "models"):
        handler = handler.replace(f"from {package}._generated.{module} import", contract)
    dumped = 'str(__import__("json").dumps(arguments.model_dump()))'
    for old, new in (
        ("from mcp_types import", contract),
        ("from mcp.shared.exceptions import", contract),
        ('model_dump(mode="json", exclude_unset=True)', "model_dump()"),
        ("arguments.model_dump_json(exclude_unset=True)", dumped),
    ):
        handler = handler.replace(old, new)
    return handler


@contextlib.contextmanager
def importable(source: Path, package: str) -> Iterator[None]:
    """Let the package of a project be imported from `source`; nothing of it stays behind."""
    sys.path.insert(0, str(source))
    try:
        yield
    finally:
        sys.path.remove(str(source))
        for name in [each for each in sys.modules if each.split(".")[0] == package]:
            del sys.modules[name]


@dataclass(frozen=True)
class WebServer:
    """A server that listens; all that it writes is in the file `log`."""

    process: subprocess.Popen[bytes]
    port: int
    log: Path

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def request(
        self, method: str, path: str, headers: Mapping[str, str] | None = None
    ) -> tuple[int, HTTPMessage, bytes]:
        """Status, headers and body of what it answers to a request without a body."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=WITHIN)
        with contextlib.closing(connection):
            connection.request(method, path, headers=dict(headers or {}))
            response = connection.getresponse()
            return response.status, response.headers, response.read()

    def is_up(self) -> bool:
        try:
            return self.request("GET", "/health")[0] == 200
        except OSError:
            return False


@contextlib.contextmanager
def listening(
    project: Generated, transport: str, log: Path, *arguments: str, port: str = "", **env: str
) -> Iterator[WebServer]:
    """Run the server of a project on a port of this machine, or any free one, until the block ends."""
    port = port or str(free_port())
    options = ("--transport", transport, "--port", port, *arguments)
    with log.open("wb") as output:
        process = project.spawn_to(output, *options, **env)
    server = WebServer(process, int(port), log)
    try:
        wait_until(lambda: server.is_up() or process.poll() is not None, log.read_text)
        assert process.poll() is None, f"the server ended: {log.read_text()}"
        yield server
    finally:
        stop(process)


class WebServers(contextlib.ExitStack):
    """The running servers of a project by transport, each started when it is first asked for."""

    def __init__(self, project: Generated, folders: pytest.TempPathFactory, **env: str) -> None:
        super().__init__()
        self.project, self.folders, self.env = project, folders, env
        self.running: dict[str, WebServer] = {}

    def __call__(self, transport: str) -> WebServer:
        if transport not in self.running:
            log = self.folders.mktemp(transport) / "log.txt"
            self.running[transport] = self.enter_context(
                listening(self.project, transport, log, **self.env)
            )
        return self.running[transport]


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a process, by force if it does not end when it is told to."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    try:
        process.wait(timeout=WITHIN)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def free_port() -> int:
    """A port of this machine that nobody listens on, and that no system gives to a connection.

    So that only two tests that take the same one by chance, at the same time, could meet there.
    """
    while True:
        port = FIRST_PORT + secrets.randbelow(PORTS)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
