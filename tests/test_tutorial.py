"""The tutorial, word by word: every file is saved, every command run, every output compared.

The picture in the README is made of what the commands printed. After a change, look at what
`WRITE_CASES=1 pytest tests/test_tutorial.py` makes of it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import yaml

from tests.generated import REPOSITORY
from tests.picture import picture
from tests.server.test_project_checks import clean_environment

pytestmark = pytest.mark.usefixtures("starts_programs")

PAGE = (REPOSITORY / "docs/tutorial.md").read_text("utf-8")
ALERTS = {"features": [{"properties": {"headline": "Wind Advisory until 10 PM"}}]}


class Alerts(BaseHTTPRequestHandler):
    """A stand-in for the weather service: one state has an alert, others are unknown."""

    def do_GET(self) -> None:
        is_known = self.path == "/alerts/active/area/CA"
        body = json.dumps(ALERTS if is_known else {}).encode()
        self.send_response(200 if is_known else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def service() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Alerts)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def environment(tmp_path: Path, service: str) -> dict[str, str]:
    """Where `mcp-scaffold` is this one, and `uv run` starts what this environment has."""
    folder = tmp_path / "bin"
    folder.mkdir()
    code = "from scaffold.cli.main import main; main()"
    bodies = {
        "mcp-scaffold": f"PYTHONPATH='{REPOSITORY}' exec '{sys.executable}' -c '{code}' \"$@\"",
        "uv": f'[ "$1" = run ] || exit 0; shift; PATH="{Path(sys.executable).parent}:$PATH" '
        'PYTHONPATH=src exec "$@"',
    }
    for name, body in bodies.items():
        (folder / name).write_text(f"#!/bin/sh\n{body}\n")
        (folder / name).chmod(0o755)
    found = clean_environment()
    path = f"{folder}:{found['PATH']}"
    return {**found, "PATH": path, "WEATHER_API": service, "NO_PROXY": "127.0.0.1"}


PICTURE = REPOSITORY / "docs/tutorial.svg"
SHOWN = {
    "mcp-scaffold new weather.yaml": "",
    "uv run python client.py": "",
    "mcp-scaffold regenerate": "edit the spec: `state` is called `area` now, and there is a limit",
    "uv run mypy": "",
}
"""The commands in the picture, each with what was done before it."""


TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}")
"""When a line was logged: the picture has the same one for each run."""


def session(ran: Mapping[str, str]) -> Iterator[str]:
    """The lines of the picture."""
    for command, remark in SHOWN.items():
        if remark:
            yield f"# {remark}"
        yield f"$ {command}"
        yield from TIME.sub("2026-01-31 12:00:00,000", ran[command].rstrip()).splitlines()
        yield ""


def test_the_tutorial_works_as_it_is_written(tmp_path: Path, environment: dict[str, str]) -> None:
    folder = tmp_path
    last = subprocess.CompletedProcess[str]([], 0, "", "")
    ran: dict[str, str] = {}
    for kind, body in re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE):
        if kind in ("yaml", "python"):
            name, _, part = body.splitlines()[0].removeprefix("# ").partition(", ")
            text = body.partition("\n")[2]
            if not part:
                (folder / name).write_text(body, "utf-8")
                continue
            spec = folder / name
            old = re.search(
                r" +properties:\n +state:.*?required: \[state\]\n", spec.read_text(), re.DOTALL
            )
            assert old
            edited = spec.read_text().replace(old[0], text, 1)
            edited = edited.replace("{state: CA}", "{area: CA}").replace(
                "{state: XX}", "{area: XX}"
            )
            spec.write_text(edited, "utf-8")
            assert yaml.safe_load(edited)["tools"][0]["inputSchema"]["required"] == ["area"]
        elif kind == "console":
            for command, said in re.findall(
                r"^\$ ([^\n]*)\n((?:[^$\n][^\n]*\n)*)", body, re.MULTILINE
            ):
                if command.startswith("cd "):
                    folder /= command[3:]
                    continue
                last = subprocess.run(
                    command, shell=True, cwd=folder, env=environment, capture_output=True, text=True,
                    timeout=200, check=False,
                )  # fmt: skip
                ran[command] = output = last.stdout + last.stderr
                assert last.returncode == (1 if "error:" in said else 0), (command, output)
                assert {*said.splitlines()} <= {line.rstrip() for line in output.splitlines()}, (
                    output
                )
    assert len(ran) == 8
    drawn = picture([*session(ran)][:-1])
    if "WRITE_CASES" in os.environ:
        PICTURE.write_text(drawn, "utf-8")
    assert PICTURE.read_text("utf-8") == drawn
    for name in ("src/weather/tools/get_alerts.py", "tests/test_alerts.py"):
        text = (folder / name).read_text("utf-8")
        (folder / name).write_text(
            text.replace("arguments.state", "arguments.area").replace('"state":', '"area":'),
            "utf-8",
        )
    for command in ("uv run mypy", "uv run python client.py"):
        done = subprocess.run(
            command,
            shell=True,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
