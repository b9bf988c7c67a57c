"""`dev` and `regenerate --watch` follow each save, and all that they started ends with them."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from uv import find_uv_bin

from scaffold.base.diagnostics import ScaffoldError
from scaffold.clients.server import Server
from scaffold.commands.dev.development import Child
from scaffold.commands.dev.serving import Serving, serving
from scaffold.commands.new import new
from scaffold.teams.fetching import builtin_pack
from tests.command import run
from tests.generated import free_port
from tests.terminal import terminal
from tests.waiting import WITHIN, wait_until

pytestmark = pytest.mark.usefixtures("starts_programs")


def has_ipv6() -> bool:
    with suppress(OSError), socket.create_server(("::1", 0), family=socket.AF_INET6):
        return True
    return False


HEEDING_CTRL_C = """
import signal
from scaffold.cli.main import main
signal.signal(signal.SIGINT, signal.default_int_handler)
main()
"""
"""The command; what a shell starts in the background, these tests perhaps, does not heed it."""

COMMAND = [sys.executable, "-c", HEEDING_CTRL_C]

GREET = """
import sys
from greeter._generated.contract import Context, GreetArguments

print("the handler says {}", file=sys.stderr)


def greet(arguments: GreetArguments, context: Context) -> str:
    return "Hello"
"""

HOSTS = [("127.0.0.1", socket.AF_INET), *([("::1", socket.AF_INET6)] if has_ipv6() else [])]

STUBBORN = "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])\n"

GUIDE = {"uri": "greeter://guide", "name": "guide", "description": "A.", "file": "guide.md"}

INSPECTOR = """#!/bin/sh
echo "npx $@"
sleep 1000 &
echo "inspector $$ $!"
wait
"""


def spec(**more: Any) -> dict[str, Any]:
    greet = {"name": "greet", "description": "Greet.", "inputSchema": {"type": "object"}}
    return {"name": "greeter", "version": "1", "tools": [greet], **more}


class Project:
    """A project with one handler, and an environment in which no uv is installed."""

    def __init__(self, folder: Path, pack: str = "python", **more: Any) -> None:
        path = folder / "spec.json"
        path.write_text(json.dumps(spec(**more)))
        self.root = folder / "greeter"
        chosen = builtin_pack(pack)
        new(path, self.root, chosen.packs, chosen.metadata({}))
        self.handler = self.root / "src/greeter/tools/greet.py"
        self.handler.write_text(GREET.format("Hello"))
        self.programs = folder / "bin"
        self.programs.mkdir()
        self.install("python", f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        self.env = {**os.environ, "PATH": f"{self.programs}:/usr/bin:/bin", "NO_COLOR": "1"}

    def install(self, name: str, script: str) -> None:
        (self.programs / name).write_text(script)
        (self.programs / name).chmod(0o755)

    def edit(self, **more: Any) -> None:
        (self.root / "mcp.yaml").write_text(json.dumps(spec(**more)))


class Dev:
    """The command in a process of its own, and what it has said."""

    def __init__(self, project: Project, log: Path, command: Sequence[str]) -> None:
        self.log = log
        with log.open("wb") as output:
            self.process = subprocess.Popen(
                [*command, str(project.root)],
                env=project.env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    @property
    def logged(self) -> str:
        return self.log.read_text()

    def says(self, words: str, times: int = 1) -> None:
        """Wait until these words have been said so many times."""
        self.sees(lambda: self.logged.count(words) >= times)

    def sees(self, condition: Callable[[], bool]) -> None:
        wait_until(lambda: self.process.poll() is not None or condition(), lambda: self.logged)
        assert self.process.poll() is None, self.logged

    def ends_on(self, number: signal.Signals) -> None:
        self.process.send_signal(number)
        assert self.process.wait(timeout=WITHIN) == 0, self.logged
        assert self.logged.endswith("stopped\n")
        assert "scaffold/" not in self.logged, "no traceback of ours"


Start = Callable[..., Dev]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start the command for a project; it is ended with the test."""
    running: list[Dev] = []
    # Who runs the tests may ignore the signal, as `nohup` does, and what they start inherits that.
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)

    def started(
        project: Project, *options: str, command: str = "dev", through: Sequence[str] = ()
    ) -> Dev:
        words = [*through, *COMMAND, command, *options]
        running.append(Dev(project, tmp_path / "log", words))
        return running[-1]

    yield started
    for dev in running:
        if dev.process.poll() is None:
            dev.process.terminate()
            dev.process.wait(WITHIN)
    for link in Path("/proc").glob("[0-9]*/cwd"):  # what a fault has left running
        with suppress(OSError):
            if link.readlink().is_relative_to(tmp_path):
                os.kill(int(link.parent.name), signal.SIGKILL)
    signal.signal(signal.SIGHUP, before)


def on_the_web(folder: Path, **more: Any) -> tuple[Project, int]:
    port = free_port()
    transports = ["stdio", "streamable-http"]
    return Project(folder, transports=transports, http={"port": port}, **more), port


def test_a_server_whose_pack_leaves_out_http_is_started_over_stdio(
    tmp_path: Path, start: Start
) -> None:
    dev = start(Project(tmp_path, "python-stdlib", transports=["stdio", "streamable-http"]))
    dev.says("greeter: starts, and lists greet\n")
    assert "http:" not in dev.logged


def is_open(port: int) -> bool:
    """Whether somebody listens on a port."""
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def is_running(process: int) -> bool:
    """Whether a process runs, zombies aside."""
    with suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    return False


def test_a_chosen_port_that_is_in_use_ends_the_command(tmp_path: Path) -> None:
    project, _ = on_the_web(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ended = run("dev", project.root, "--port", taken.getsockname()[1])
    assert ended.code == 2
    assert "is in use" in ended.err


def test_a_server_over_http_follows_its_handlers_and_its_spec(tmp_path: Path, start: Start) -> None:
    project, port = on_the_web(tmp_path)
    dev = start(project)
    address = f"greeter: http://127.0.0.1:{port}/mcp (no token needed)\n"
    dev.says(address)
    assert dev.logged.startswith(
        f"watching {project.root}; press Ctrl-C to stop\nalready up to date\n"
    )
    assert "the handler says Hello" in dev.logged

    async def call() -> None:
        async with Client(f"http://127.0.0.1:{port}/mcp") as client:
            await client.call_tool("greet", {})

    anyio.run(call)
    dev.says("greet: done in ")

    project.handler.write_text(GREET.format("Good morning"))
    dev.says(address, times=2)
    assert "the handler says Good morning" in dev.logged
    assert "restarting: src/greeter/tools/greet.py changed\n" in dev.logged

    project.handler.write_text("def (\n")
    dev.says("greeter: ended with exit code 1; waiting for a change")
    assert 'tools/greet.py", line 1' in dev.logged
    assert "SyntaxError" in dev.logged
    project.handler.write_text(GREET.format("Good evening"))
    dev.says(address, times=3)

    tools = [*spec()["tools"], {**spec()["tools"][0], "name": "part"}]
    transports = ["stdio", "streamable-http"]
    project.edit(transports=transports, http={"port": port}, tools=tools)
    dev.says("create    src/greeter/tools/part.py")
    dev.says(address, times=4)

    tools[0]["description"] = "Greet someone."
    project.edit(transports=transports, http={"port": port}, tools=tools)
    dev.says(address, times=5)

    (project.root / "mcp.yaml").write_text("name: [\n")
    dev.says("error[")
    assert is_open(port)
    assert dev.logged.count(address) == 5
    assert dev.logged.count("Shutting down") == 4, "one restart for each edit"
    dev.ends_on(signal.SIGINT)
    assert dev.logged.count("Shutting down") == 5, "the server is told to end too"
    assert not is_open(port)


@pytest.mark.parametrize(
    ("number", "handler"),
    [(signal.SIGTERM, ""), (signal.SIGHUP, ""), (signal.SIGINT, STUBBORN)],
    ids=["told", "hung up", "a server that does not stop"],
)
def test_whatever_ends_the_command_ends_the_server(
    tmp_path: Path, start: Start, number: signal.Signals, handler: str
) -> None:
    project, _ = on_the_web(tmp_path)
    project.handler.write_text(handler + GREET.format("Hello"))
    dev = start(project, "--port", str(port := free_port()))
    dev.says(f":{port}/mcp")
    dev.ends_on(number)
    assert not is_open(port)


def test_with_nohup_the_command_survives_a_closed_terminal(tmp_path: Path, start: Start) -> None:
    project = Project(tmp_path)
    dev = start(project, through=["nohup"])
    dev.says("greeter: starts")
    dev.process.send_signal(signal.SIGHUP)
    project.handler.write_text(GREET.format("Good morning"))
    dev.says("greeter: starts", times=2)


def test_a_server_gets_time_to_exit_by_itself(tmp_path: Path) -> None:
    script = "trap 'sleep 0.2; touch ended; exit' TERM; touch begun; while :; do sleep 0.1; done"
    child = Child(["sh", "-c", script], tmp_path, os.environ)
    wait_until((tmp_path / "begun").exists)
    child.stop()
    assert (tmp_path / "ended").exists()


def on_http(transport: str, host: str, port: int) -> Serving:
    """A server called `a` over HTTP."""
    server = Server("a", None, (transport,), host, port, (), None)
    return Serving(server, (), {}, transport)


@pytest.mark.parametrize(("host", "family"), HOSTS)
def test_the_requested_port_or_the_next_free_one_is_used(
    host: str, family: socket.AddressFamily
) -> None:
    port = free_port()
    server = on_http("streamable-http", host, port)
    assert server.on(port) == server == server.on_free_port()
    with socket.create_server((host, port), family=family):
        assert server.on_free_port().server.port > port
        with pytest.raises(ScaffoldError, match=f"port {port} is in use"):
            server.on(port)


TOKEN = {"name": "TOKEN", "secret": True, "required": False}
BEARER = {"auth": {"bearer": {"env": "TOKEN"}}}
OAUTH = {"oauth": {"issuer": "https://a.b", "resource": {"env": "ADDRESS"}}}


@pytest.mark.parametrize(
    ("more", "headers"),
    [
        ({}, "(no token needed)"),
        ({"env": [TOKEN], **BEARER}, "(send the token in TOKEN, if it is set)"),
        ({"env": [{**TOKEN, "required": True}], **BEARER}, "(send the token in TOKEN)"),
        ({"env": [{"name": "ADDRESS"}], "auth": OAUTH}, "(send a token of https://a.b)"),
    ],
    ids=["nothing", "optional", "required", "issuer"],
)
def test_the_address_is_printed_with_the_token_to_send(
    tmp_path: Path, more: dict[str, Any], headers: str
) -> None:
    project = Project(tmp_path, transports=["streamable-http"], http={"host": "0.0.0.0"}, **more)
    address = serving(project.root).address
    assert address == f"greeter: http://127.0.0.1:8000/mcp {headers}"


def test_a_server_over_stdio_is_started_and_asked_after_each_change(
    tmp_path: Path, start: Start
) -> None:
    project = Project(tmp_path)
    project.env["PATH"] = str(project.programs)  # without npx
    dev = start(project, "--inspector")
    dev.says("the Inspector needs Node.js: install it from https://nodejs.org\n")
    dev.says("greeter: starts, and lists greet\n")
    project.handler.write_text("raise ValueError('a mistake')\n")
    dev.says("; waiting for a change")
    assert "ValueError: a mistake" in dev.logged
    project.handler.write_text(GREET.format("Hello"))
    dev.says("greeter: starts, and lists greet\n", times=2)
    (project.root / ".env").write_text("A=b\n")
    dev.says("greeter: starts, and lists greet\n", times=3)
    dev.ends_on(signal.SIGINT)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_the_inspector_is_opened_once_and_ends_with_the_command(
    tmp_path: Path, start: Start, number: signal.Signals
) -> None:
    project, port = on_the_web(tmp_path)
    project.install("npx", INSPECTOR)
    dev = start(project, "--inspector")
    url = f"http://127.0.0.1:{port}/mcp"
    dev.says(f"inspector@latest --transport http --server-url {url}\n")
    dev.says(f"greeter: {url}")
    project.handler.write_text(GREET.format("Good morning"))
    dev.says(f"greeter: {url}", times=2)
    dev.says("\ninspector ")
    line = next(line for line in dev.logged.splitlines() if line.startswith("inspector "))
    processes = [int(number) for number in line.split()[1:]]
    assert all(map(is_running, processes))
    dev.process.send_signal(number)
    dev.process.wait(timeout=WITHIN)
    wait_until(lambda: not (any(map(is_running, processes)) or is_open(port)))
    assert dev.logged.count("npx ") == 1


def test_uv_is_preferred_to_the_environment_of_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = Project(tmp_path)
    monkeypatch.setenv("PATH", str(project.programs))
    assert serving(project.root).program == (f"{project.programs}/python", "-m", "greeter")
    inside = project.root / ".venv/bin"
    inside.mkdir(parents=True)
    (inside / "python").symlink_to(sys.executable)
    assert serving(project.root).program == (f"{inside}/python", "-m", "greeter")
    project.install("uv", "")
    assert serving(project.root).program == (f"{project.programs}/uv", "run", "greeter")
    (project.root / ".env").write_text("A=b\n")
    assert serving(project.root).program[1:] == ("run", "--env-file", ".env", "greeter")


ENV_FILE = """\
# A comment
export PLAIN=1
SPACED = "two words"   # another
SINGLE='a $PLAIN "quoted" text'
ESCAPED="line 1\\nline 2"
FOLLOWED=x#y
REFERS=${PLAIN}-${SINGLE}
EMPTY=
SHELL_WINS=file
"""


def test_without_uv_the_env_file_is_read_as_uv_would(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = Project(tmp_path)
    names = re.findall(r"(\w+) ?=", ENV_FILE)
    script = f"import json, os; print(json.dumps([os.environ.get(name) for name in {names}]))"
    (project.root / ".env").write_text(ENV_FILE)
    monkeypatch.setenv("SHELL_WINS", "shell")
    command = [find_uv_bin(), "run", "--no-project", "--env-file", ".env", "python", "-c", script]
    by_uv = json.loads(subprocess.check_output(command, cwd=project.root))
    monkeypatch.setenv("PATH", str(project.programs))
    assert [serving(project.root).env.get(name) for name in names] == by_uv
    assert by_uv[-1] == "shell"
    (project.root / ".env").write_bytes(b"A=\xff\n")
    with pytest.raises(ScaffoldError, match="0xFF is not valid UTF-8"):
        serving(project.root)


def test_ctrl_c_stops_the_command_and_restores_the_terminal(tmp_path: Path) -> None:
    project, port = on_the_web(tmp_path)
    script = 'trap "" INT; before=$(stty -g); "$@"; echo "code $?"; [ "$(stty -g)" = "$before" ] && echo same'
    command = ["sh", "-c", script, "sh", *COMMAND, "dev", str(project.root)]
    with terminal(command, tmp_path, project.env) as screen:
        screen.shows(f":{port}/mcp (no token needed)", WITHIN)
        screen.types("\x03")
        screen.shows("stopped\n")
        screen.shows("code 0\nsame\n")
        assert screen.ends() == 0
    assert not is_open(port)


@pytest.fixture
def watch(tmp_path: Path, start: Start) -> tuple[Project, Dev]:
    """A project with a file of its own, and `regenerate --watch` of it."""
    folder = tmp_path / ".venv"  # in a project, such a folder is not watched
    folder.mkdir()
    (folder / "guide.md").write_text("A guide.\n")
    project = Project(folder, resources=[GUIDE])
    watch = start(project, "--watch", command="regenerate")
    watch.says(f"watching {project.root}; press Ctrl-C to stop\nalready up to date\n")
    return project, watch


def test_watch_follows_the_spec_its_files_and_templates_and_continues_after_errors(
    watch: tuple[Project, Dev],
) -> None:
    project, dev = watch
    catalog, page = project.root / "src/greeter/_generated/catalog.json", project.root / "TOOLS.md"
    (project.root / "guide.md").write_text("Another guide.\n")
    dev.sees(lambda: "Another guide." in catalog.read_text())

    (project.root / "mcp.yaml").write_text("name: [\n")
    dev.says("error[yaml-syntax]")
    aside = project.root / "mcp.yaml.new"  # as editors save that write another file first
    aside.write_text(json.dumps(spec(resources=[GUIDE], title="A greeter")))
    os.replace(aside, project.root / "mcp.yaml")
    dev.sees(lambda: "A greeter" in (project.root / "README.md").read_text())

    (project.root / "templates").mkdir()
    (project.root / "templates/TOOLS.md.j2").write_text("# Ours\n")
    dev.sees(lambda: page.read_text() == "# Ours\n")
    dev.process.send_signal(signal.SIGINT)
    assert dev.process.wait(timeout=WITHIN) == 0
    assert dev.logged.count("error[yaml-syntax]") == 1, "what is known is not said again"
    assert "Traceback" not in dev.logged


def test_watch_ends_when_the_project_is_deleted(watch: tuple[Project, Dev], tmp_path: Path) -> None:
    project, dev = watch
    project.root.rename(tmp_path / "elsewhere")
    assert dev.process.wait(timeout=WITHIN) == 0
    assert "Traceback" not in dev.logged
