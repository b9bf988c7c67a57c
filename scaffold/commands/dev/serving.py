"""The command that starts the server of a project, and its address."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Mapping
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException
from io import StringIO
from pathlib import Path
from urllib.parse import urlsplit

from dotenv import dotenv_values
from msgspec import Struct
from msgspec.structs import replace

from scaffold.base.diagnostics import ScaffoldError
from scaffold.clients.server import ENDPOINTS, Server
from scaffold.disk.records import LAST_SPEC
from scaffold.format.check import load
from scaffold.languages.registry import language
from scaffold.packs.traits import Traits
from scaffold.project import chosen
from scaffold.project.clients import served
from scaffold.project.generate import traits_at
from scaffold.yaml import source

_PORTS = 100


class Serving(Struct, frozen=True):
    """A way to start a server: `program` in the environment `env`.

    Over HTTP, `transport` is the better one that the server has, and `token` says what to send.
    """

    server: Server
    program: tuple[str, ...]
    env: Mapping[str, str]
    transport: str = "stdio"
    token: str = ""

    @property
    def is_web(self) -> bool:
        """Whether it runs over HTTP."""
        return self.transport != "stdio"

    @property
    def command(self) -> tuple[str, ...]:
        """The whole command line."""
        if not self.is_web:
            return self.program
        where = ("--host", self.server.host, "--port", str(self.server.port))
        return (*self.program, "--transport", self.transport, *where)

    @property
    def url(self) -> str:
        """The address for clients."""
        return self.server.url(self.transport)

    @property
    def address(self) -> str:
        """The address and the token to send, for people."""
        what_to_send = f"send {self.token}" if self.token else "no token needed"
        return f"{self.server.name}: {self.url} ({what_to_send})"

    def on_free_port(self) -> Serving:
        """Return the same on the next free port, if there is one."""
        first = self.server.port
        ports = range(first, min(first + _PORTS, 65536))
        return self._on(next(filter(self._is_free, ports), first))

    def on(self, port: int) -> Serving:
        """Return the same on this port. Raises ScaffoldError if somebody listens there."""
        if not self._is_free(port):
            message = f"port {port} is in use"
            hint = "end the program that listens there, or choose another port"
            raise ScaffoldError.of("port-in-use", message, "--port", hint)
        return self._on(port)

    def _on(self, port: int) -> Serving:
        return replace(self, server=replace(self.server, port=port))

    def _is_free(self, port: int) -> bool:
        host = self.server.host
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        with suppress(OSError), socket.create_server((host, port), family=family):
            return True
        return False

    def is_up(self) -> bool:
        """Return whether the server answers requests."""
        connection = HTTPConnection(urlsplit(self.url).netloc, timeout=2)
        with suppress(OSError, HTTPException), closing(connection):
            connection.request("GET", "/health", headers={"Connection": "close"})
            return connection.getresponse().status == 200
        return False


def serving(root: Path) -> Serving:
    """Return how to start the server that was last generated at `root`.

    That is the first way of its packs whose program is there. Variables of the shell take
    precedence over those of `.env`, as in `uv run --env-file .env`. Raises ScaffoldError if the
    record of the spec is lost, or if `.env` cannot be read.
    """
    traits = traits_at(root)
    code = language(traits.language)
    spec, _ = chosen.served(load(source.read(root / LAST_SPEC), chosen.ANY).spec, traits)
    server, package = served(spec, code.command_name(spec.name)), code.package_name(spec.name)
    program, env = _program(root, traits, server.name, package)
    env = {f"{package.upper()}_LOG_LEVEL": "debug", **env}  # shows each call
    host = env.get(f"{package.upper()}_HOST") or server.host
    port = env.get(f"{package.upper()}_PORT", "")
    server = replace(server, host=host, port=int(port) if port.isdecimal() else server.port)
    transport = next((endpoint for endpoint in ENDPOINTS if endpoint in server.transports), "stdio")
    condition = "" if spec.guarded else ", if it is set"
    token = f"the token in {server.bearer_env}{condition}" if server.bearer_env else ""
    if spec.auth and spec.auth.oauth:
        token = f"a token of {spec.auth.oauth.issuer}"
    return Serving(server, program, env, transport, token)


def _program(
    root: Path, traits: Traits, name: str, package: str
) -> tuple[tuple[str, ...], Mapping[str, str]]:
    """Return the command that starts the server over its default transport, and its environment."""
    path = root / ".env"
    env_file = ("--env-file", ".env") if path.is_file() else ()
    programs = os.pathsep.join([str((root / traits.bin).absolute()), os.environ["PATH"]])
    traits.require("`dev`", "commands.start")
    ways = traits.ways("start", name=name, package=package, env_file=env_file)
    there = (way for way in ways if shutil.which(way[0], path=programs))
    first, *others = next(there, ways[-1])
    is_unread = env_file and env_file[0] not in others
    file = dotenv_values(stream=StringIO(source.load(path, ".env").text)) if is_unread else {}
    env = {key: value for key, value in {**file, **os.environ}.items() if value is not None}
    env.pop("VIRTUAL_ENV", None)
    return (shutil.which(first, path=programs) or first, *others), env | traits.variables
