"""The tutorial, word by word: every file is saved, every command run, every output compared.

The picture in the README is made of what the commands printed. After a change, look at what
`WRITE_CASES=1 pytest tests/test_tutorial.py` makes of it.
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import yaml

from tests.generated import REPOSITORY
from tests.pages import environment, follow, run
from tests.picture import picture

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


def edited(spec: Path, part: str) -> None:
    """Put a part of the spec in place of the arguments, and rename them in its examples."""
    text = spec.read_text("utf-8")
    old = re.search(r" +properties:\n +state:.*?required: \[state\]\n", text, re.DOTALL)
    assert old
    text = text.replace(old[0], part, 1).replace("{state: ", "{area: ")
    spec.write_text(text, "utf-8")
    assert yaml.safe_load(text)["tools"][0]["inputSchema"]["required"] == ["area"]


def test_the_tutorial_works_as_it_is_written(tmp_path: Path, service: str) -> None:
    env = environment(tmp_path / "bin") | {"WEATHER_API": service}
    folder, ran = follow(PAGE, tmp_path, env, edited)
    assert len(ran) == 8
    drawn = picture([*session(ran)][:-1])
    if "WRITE_CASES" in os.environ:
        PICTURE.write_text(drawn, "utf-8")
    assert PICTURE.read_text("utf-8") == drawn
    for name in ("src/weather/tools/get_alerts.py", "tests/test_alerts.py"):
        text = (folder / name).read_text("utf-8")
        text = text.replace("arguments.state", "arguments.area").replace('"state":', '"area":')
        (folder / name).write_text(text, "utf-8")
    for command in ("mcp-scaffold check", "uv run python client.py"):
        assert run(command, folder, env)[0] == 0
