"""Real clients in empty homes: install, try, let the client connect, remove.

npm fetches the clients at the first use; `programs.yaml` has what each is run with. With the variable
REAL_CLIENTS, all are run over all transports, which takes some minutes and 2 GB of disk. No account is
needed: models are asked of a provider on this machine that refuses everything.
"""

from __future__ import annotations

import json
import os
import platform
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml
from msgspec import Struct, convert

from scaffold.clients.client import read_client
from tests import npm
from tests.clients.real.conftest import KEY, TOKEN, UV, Blog
from tests.web import Call, serving

CACHE = Path(__file__).resolve().parents[3] / ".cache"

WITHIN = 90.0
ANSWERED_WITHIN = 15.0
REFUSAL = b'{"error": {"code": 400, "message": "refused", "status": "INVALID_ARGUMENT"}}'

MACHINE = platform.machine().lower().replace("x86_64", "x64").replace("aarch64", "arm64")


class Real(Struct, frozen=True):
    """A client as `programs.yaml` has it."""

    id: str
    name: str
    program: str
    arguments: tuple[str, ...]
    transports: tuple[str, ...]
    quick: tuple[str, ...]
    env: Mapping[str, str] = {}
    settings: Mapping[str, str] = {}
    seen: str = ""

    def command(self) -> list[str]:
        """Return the command that starts it, installed at the first use."""
        client = read_client(self.id)
        assert client.package
        assert client.version
        program = self.program.replace("{system}", f"{sys.platform}-{MACHINE}")
        path = npm.installed(client.package, client.version, program, CACHE)
        return [str(npm.NODE), str(path)] if path.suffix == ".js" else [str(path)]


PROGRAMS = yaml.safe_load(Path(__file__).with_name("programs.yaml").read_text("utf-8"))
REAL = [convert({"id": id, **program}, Real) for id, program in PROGRAMS.items()]
CASES = [
    pytest.param(real, transport, id=f"{real.id}-{transport}")
    for real in REAL
    for transport in real.transports
    if "REAL_CLIENTS" in os.environ or transport in real.quick
]


@dataclass(frozen=True)
class Home:
    """A home of one client, with nothing in it but the settings that lead it to the provider."""

    folder: Path
    environment: Mapping[str, str]
    project: Path

    def scaffold(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run `mcp-scaffold clients` in this home."""
        command = [str(Path(sys.executable).with_name("mcp-scaffold")), "clients", *arguments]
        return self.run([*command, str(self.project)])

    def run(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        """Run a command in this home."""
        return subprocess.run(
            command,
            cwd=self.folder / "work",
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=WITHIN,
            check=False,
        )

    def files(self) -> dict[str, bytes]:
        """Return the files of the home by name, but for what caches hold."""
        return {
            name: path.read_bytes()
            for path in sorted(self.folder.rglob("*"))
            if path.is_file()
            and not (name := path.relative_to(self.folder).as_posix()).startswith(
                (".cache/", ".local/share/uv")
            )
        }


@dataclass
class Provider:
    """A provider of models that refuses every request; `bodies` are what it was sent.

    It answers when `ready` says so: clients that start their servers in the background end with
    the answer.
    """

    url: str = ""
    bodies: list[str] = field(default_factory=list)
    ready: Callable[[], bool] = bool

    def answer(self, call: Call) -> None:
        self.bodies.append(call.read().decode(errors="replace"))
        deadline = time.monotonic() + ANSWERED_WITHIN
        while not self.ready() and time.monotonic() < deadline:
            time.sleep(0.05)
        call.reply(400, REFUSAL)


@pytest.fixture
def model() -> Iterator[Provider]:
    provider = Provider()
    with serving(provider.answer) as provider.url:
        yield provider


@pytest.fixture
def home(request: pytest.FixtureRequest, tmp_path: Path, blog: Blog, model: Provider) -> Home:
    real: Real = request.getfixturevalue("real")
    folder, programs = tmp_path / "home", tmp_path / "programs"
    (folder / "work").mkdir(parents=True)
    programs.mkdir()
    for name, text in real.settings.items():
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text(text.replace("{model}", model.url))
    environment = {
        "HOME": str(folder),
        "PATH": f"{programs}:{npm.BIN}:{UV.parent}:/usr/bin:/bin",
        "TERM": "dumb",
        "LANG": "C.UTF-8",
        "BLOG_KEY": KEY,
        "BLOG_TOKEN": TOKEN,
    }
    environment |= {name: text.replace("{model}", model.url) for name, text in real.env.items()}
    program = programs / real.name
    program.write_text(f'#!/bin/sh\nexec {shlex.join(real.command())} "$@"\n')
    program.chmod(0o755)
    return Home(folder, environment, blog.project.folder)


@pytest.mark.parametrize(("real", "transport"), CASES)
def test_a_client_lists_the_tools_of_an_installed_server(
    real: Real, transport: str, home: Home, blog: Blog, tmp_path: Path, model: Provider
) -> None:
    before = home.files()
    chosen = ("--client", real.id, "--scope", "user", "--transport", transport)
    installed = home.scaffold("install", *chosen)
    assert installed.returncode == 0, installed.stderr

    with blog.listening(transport, tmp_path / "log.txt"):
        tested = home.scaffold("test", "--client", real.id, "--format", "json")
        assert tested.returncode == 0, tested.stdout + tested.stderr
        (row,) = json.loads(tested.stdout)["clients"]
        assert (row["transport"], row["tools"], row["diagnostics"]) == (transport, 1, [])

        blog.asked()
        model.ready = lambda: blog.listed(transport)
        program = Path(home.environment["PATH"].split(":")[0])
        (command,) = program.iterdir()
        ran = home.run([str(command), *real.arguments])
    assert f"{transport} tools/list {KEY}" in blog.asked(), ran.stdout + ran.stderr
    assert real.seen in "".join(model.bodies)

    removed = home.scaffold("remove", "--client", real.id)
    assert removed.returncode == 0, removed.stderr
    after = home.files()
    assert b'"blog"' not in b"".join(after.values())
    assert {name: after[name] for name in before} == before
