"""What a terminal shows while a run takes long."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.teams.building import SPEC
from tests.terminal import terminal

pytestmark = pytest.mark.usefixtures("starts_programs")

COMMAND = str(Path(sys.executable).with_name("mcp-scaffold"))
CLEAR = "\r\x1b[2K"


def spec(tools: int) -> dict[str, object]:
    """So many tools of the size that real ones have, which take longer than a second."""
    properties = {
        "query": {"type": "string", "description": "Words.", "pattern": "^[^\\n]+$"},
        "kind": {"enum": ["book", "map", "letter"], "default": "book"},
        "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
        "shelves": {"type": "array", "items": {"properties": {"row": {"type": "integer"}}}},
    }
    schema = {"type": "object", "properties": properties, "required": ["query"]}
    description = "Find on a shelf, the newest first."
    entries = [
        {"name": f"find_{n}", "description": description, "inputSchema": schema}
        for n in range(tools)
    ]
    return {"name": "shelves", "version": "1.0", "tools": entries}


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a spec that takes more than a second to generate, on the fastest machine too."""
    folder = tmp_path_factory.mktemp("large")
    (folder / "spec.json").write_text(json.dumps(spec(1500)))
    return folder


def screen(folder: Path, *arguments: str) -> str:
    """Everything that a terminal is sent by a command that succeeds."""
    with terminal([COMMAND, *arguments], folder) as shown:
        assert shown.ends() == 0, shown.screen
        return shown.screen


def test_a_long_run_counts_seconds_on_a_terminal_and_leaves_no_trace(large: Path) -> None:
    said = screen(large, "new", "spec.json", "made")
    assert said.startswith(f"{CLEAR}creating the project (1 s){CLEAR}")
    assert " s)" not in said.rpartition(CLEAR)[2]
    edited = large / "made/mcp.yaml"
    edited.write_text(edited.read_text().replace("the newest first", "the oldest first"))
    said = screen(large, "regenerate", "made", "made")
    assert said.startswith(f"{CLEAR}1 of 1 projects (1 s){CLEAR}")
    assert " s)" not in said.rpartition(CLEAR)[2]


def test_a_short_run_shows_nothing_of_the_kind(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(SPEC.format(name="hello"))
    assert screen(tmp_path, "new", "spec.yaml", "made").startswith("hello: created in made\n")


def test_only_people_at_a_terminal_see_progress(large: Path) -> None:
    assert CLEAR not in screen(large, "new", "spec.json", "for-programs", "--format=json")
    command = [COMMAND, "new", "spec.json", "piped"]
    piped = subprocess.run(command, cwd=large, stderr=subprocess.PIPE, check=True)
    assert CLEAR.encode() not in piped.stderr
