"""`client.py` tells the story of the spec, and leaves nothing behind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.generated import Generated, generate

TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
SPEC = {
    "name": "notes",
    "version": "1",
    "env": [{"name": "NOTES_FILE", "type": "path", "default": "notes.txt"}],
    "tools": [
        {
            "name": "read",
            "inputSchema": {"type": "object"},
            "outputSchema": TEXT,
            "examples": [{"name": "all", "after": "one", "result": {"text": "…milk"}}],
        },
        {
            "name": "write",
            "inputSchema": TEXT,
            "outputSchema": TEXT,
            "examples": [
                {
                    "name": "one",
                    "arguments": {"text": "milk"},
                    "result": {"text": {"$pattern": "^mi"}},
                },
                {"name": "again", "arguments": {"text": "${one.text}"}},
            ],
        },
    ],
}
READ = """def read(arguments, context):
    return {"text": context.shared.settings.notes_file.read_text()}
"""
WRITE = """def write(arguments, context):
    context.shared.settings.notes_file.write_text(arguments.text)
    return {"text": arguments.text}
"""


def told(folder: Path, read: str = READ, write: str = WRITE) -> tuple[int, list[str]]:
    """Return the exit code of `client.py` and the steps that are not fine."""
    handlers = {"tools/read.py": read, "tools/write.py": write}
    project: Generated = generate(SPEC, folder / "made", handlers=handlers, pack="python-stdlib")
    ended = subprocess.run(
        [sys.executable, str(project.folder / "client.py")],
        cwd=folder,
        env=project.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = ended.stdout.splitlines()
    return ended.returncode, [line for line in lines if not line.startswith("ok")]


def test_a_story_is_told_in_its_order_with_temporary_files(tmp_path: Path) -> None:
    assert told(tmp_path) == (0, [])
    assert not [*tmp_path.rglob("notes.txt"), *tmp_path.rglob("notes_file")]


@pytest.mark.parametrize(
    ("old", "new", "faults"),
    [
        ('"text": arguments.text', '"text": "butter"', ["FAIL write, one", "skip read, all"]),
        ("write_text(arguments.text)", 'write_text("tea")', ["FAIL read, all"]),
        (".write_text(arguments.text)", "", ["FAIL read, all"]),
    ],
)
def test_a_fault_of_a_handler_is_a_failed_step(
    tmp_path: Path, old: str, new: str, faults: list[str]
) -> None:
    code, steps = told(tmp_path, write=WRITE.replace(old, new))
    assert code == 1
    for fault in faults:
        assert any(step.startswith(fault) for step in steps), steps
