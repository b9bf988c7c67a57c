"""How the server of a project is started, and where it then listens."""

from __future__ import annotations

import os
import shutil
import socket
import sys
from collections.abc import Mapping
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from scaffold.base.diagnostics import ScaffoldError
from scaffold.disk.records import LAST_SPEC
from scaffold.languages.python.names import command_name, package_name
from scaffold.project import chosen
from scaffold.spec.check import load
from scaffold.spec.format import Transport
from scaffold.yaml.source import read

_PATHS = {Transport.STREAMABLE_HTTP: "/mcp", Transport.SSE: "/sse"}
"""The transports over HTTP, the better one first, with the path of each."""

_ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - to be replaced, not listened on

_PORTS = 100


class Serving(Struct, frozen=True):
    """A way to start a server: `program` in the environment `env`.

    Over HTTP it listens on `host` and `port`; over stdio they are empty. `token` is the variable
    with the bearer token, if there is one, and `issuer` the address of the OAuth issuer.
    """

    name: str
    program: tuple[str, ...]
    env: Mapping[str, str]
    transport: Transport = Transport.STDIO
    host: str = ""
    port: int = 0
    token: str = ""
    issuer: str = ""

    @property
    def command(self) -> tuple[str, ...]:
        """The whole command line."""
        if not self.host:
            return self.program
        where = ("--host", self.host, "--port", str(self.port))
        return (*self.program, "--transport", self.transport.value, *where)

    @property
    def url(self) -> str:
        """The address for clients."""
        host = f"[{self._near}]" if ":" in self._near else self._near
        return f"http://{host}:{self.port}{_PATHS[self.transport]}"

    @property
    def address(self) -> str:
        """The address and the token to send, for people."""
        token = f"the token in {self.token}, if it is set" if self.token else ""
        token = f"a token of {self.issuer}" if self.issuer else token
        return f"{self.name}: {self.url} ({f'send {token}' if token else 'no token needed'})"

    @property
    def _near(self) -> str:
        """The host by which this machine reaches it."""
        return _ANYWHERE.get(self.host, self.host)

    def on_free_port(self) -> Serving:
        """Return the same on the next port that nobody listens on, if there is one."""
        ports = range(self.port, min(self.port + _PORTS, 65536))
        return replace(self, port=next(filter(self._is_free, ports), self.port))

    def on(self, port: int) -> Serving:
        """Return the same on this port. Raises ScaffoldError if somebody listens there."""
        if not self._is_free(port):
            message, hint = f"port {port} is in use", "choose another one"
            raise ScaffoldError.of("port-in-use", message, "--port", hint)
        return replace(self, port=port)

    def _is_free(self, port: int) -> bool:
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        with suppress(OSError), socket.create_server((self.host, port), family=family):
            return True
        return False

    def is_up(self) -> bool:
        """Return whether it answers."""
        connection = HTTPConnection(self._near, self.port, timeout=2)
        with suppress(OSError, HTTPException), closing(connection):
            connection.request("GET", "/health", headers={"Connection": "close"})
            return connection.getresponse().status == 200
        return False


def serving(root: Path) -> Serving:
    """Return how to start the server that was last generated at `root`.

    uv runs it if it is installed, or else the Python of the project's own environment, or that of
    the shell. Raises ScaffoldError if the record of the spec is lost.
    """
    spec = load(read(root / LAST_SPEC), chosen.rule()).spec
    name, package = command_name(spec.name), package_name(spec.name)
    program, env = _program(root, name, package)
    env = {f"{package.upper()}_LOG_LEVEL": "debug", **env}  # shows each call
    found = Serving(name, program, env)
    web = next((transport for transport in _PATHS if transport in spec.transports), None)
    if web is None:
        return found
    host = env.get(f"{package.upper()}_HOST") or spec.http.host
    port = env.get(f"{package.upper()}_PORT", "")
    token = (spec.auth.token if spec.auth else None) or ""
    number = int(port) if port.isdecimal() else spec.http.port
    issuer = spec.auth.oauth.issuer if spec.auth and spec.auth.oauth else ""
    return replace(found, transport=web, host=host, port=number, token=token, issuer=issuer)


def _program(root: Path, name: str, package: str) -> tuple[tuple[str, ...], Mapping[str, str]]:
    """Return the command that starts the server over its default transport, and its environment."""
    if uv := shutil.which("uv"):
        env = {key: value for key, value in os.environ.items() if key != "VIRTUAL_ENV"}
        file = ("--env-file", ".env") if (root / ".env").is_file() else ()
        return (uv, "run", *file, name), env
    programs = root / ".venv" / ("Scripts" if sys.platform == "win32" else "bin")
    python = shutil.which("python", path=str(programs.absolute())) or shutil.which("python")
    source = str((root / "src").absolute())
    return (python or sys.executable, "-m", package), {**os.environ, "PYTHONPATH": source}
