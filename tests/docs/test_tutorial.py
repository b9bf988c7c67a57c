"""The tutorial, word by word: every file is saved, every command run, every output compared.

The picture in the README is made of what the commands printed. After a change, look at what
`WRITE_CASES=1 pytest tests/docs/test_tutorial.py` makes of it.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
import yaml

from tests.docs.pages import environment, follow
from tests.docs.picture import picture
from tests.generated import REPOSITORY
from tests.shell import bash
from tests.web import Call, serving

pytestmark = pytest.mark.usefixtures("starts_programs")

PAGE = (REPOSITORY / "docs/tutorial.md").read_text("utf-8")
ALERTS = {"features": [{"properties": {"headline": "Wind Advisory until 10 PM"}}]}


@pytest.fixture
def service() -> Iterator[str]:
    """The address of a stand-in for the weather service: one state has an alert, others are unknown."""

    def answer(call: Call) -> None:
        is_known = call.path == "/alerts/active/area/CA"
        call.reply(200 if is_known else 404, json.dumps(ALERTS if is_known else {}).encode())

    with serving(answer) as url:
        yield url


PICTURE = REPOSITORY / "docs/tutorial.svg"
SCENES = (
    {"mcp-scaffold new weather.yaml": "", "uv run python client.py": ""},
    {
        "mcp-scaffold regenerate": "edit the spec: `state` is called `area` now, and there is a limit",
        "uv run mypy": "",
    },
    {"mcp-scaffold breaking --against ../weather.yaml": "what does that break for callers?"},
    {
        "mcp-scaffold clients install --client cursor": "finish the handler, and use it in a client",
        "mcp-scaffold clients test": "",
    },
)
"""The commands in the picture, each with a remark above it."""

TIMES = {
    r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}": "2026-01-31 12:00:00,000",
    r"after \d+\.\d s": "after 0.5 s",
}
"""Times that differ from run to run, and what the picture has for them."""


def parts(scene: Mapping[str, str], ran: Mapping[str, str]) -> Iterator[list[str]]:
    """The parts of a scene: each command, then its output."""
    for command, remark in scene.items():
        yield [*([f"# {remark}"] if remark else []), f"$ {command}"]
        output = ran[command].rstrip()
        for time, fixed in TIMES.items():
            output = re.sub(time, fixed, output)
        yield [*output.splitlines(), ""]


def edited(spec: Path, part: str) -> None:
    """Put a part of the spec in place of the arguments, and rename them in its examples."""
    text = spec.read_text("utf-8")
    old = re.search(r" +properties:\n +state:.*?required: \[state\]\n", text, re.DOTALL)
    assert old
    text = text.replace(old[0], part, 1).replace("{state: ", "{area: ")
    spec.write_text(text, "utf-8")
    assert yaml.safe_load(text)["tools"][0]["inputSchema"]["required"] == ["area"]


def shown(command: str, folder: Path, env: Mapping[str, str]) -> str:
    """Run a command, and return what it prints."""
    completed = bash(command, folder, env)
    return (completed.stdout + completed.stderr).replace(str(folder), "~/weather")


def test_the_instructions_of_the_tutorial_work(tmp_path: Path, service: str) -> None:
    env = environment(tmp_path / "bin") | {"WEATHER_API": service}
    folder, ran = follow(PAGE, tmp_path, env, edited)
    assert len(ran) == 8
    [breaking], clients = SCENES[2:]
    ran[breaking] = shown(breaking, folder, env)
    for name in ("src/weather/tools/get_alerts.py", "tests/test_alerts.py"):
        text = (folder / name).read_text("utf-8")
        text = text.replace("arguments.state", "arguments.area").replace('"state":', '"area":')
        (folder / name).write_text(text, "utf-8")
    assert bash("mcp-scaffold check; uv run python client.py", folder, env).returncode == 0
    for command in clients:
        ran[command] = shown(command, folder, env | {"HOME": str(tmp_path / "home")})
    drawn = picture([[*parts(scene, ran)] for scene in SCENES])
    if "WRITE_CASES" in os.environ:
        PICTURE.write_text(drawn, "utf-8")
    assert PICTURE.read_text("utf-8") == drawn
