"""The page for coding agents, word by word, and the skill that is made of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.pages import environment, follow
from tests.generated import REPOSITORY

PAGE = (REPOSITORY / "docs/agents.md").read_text("utf-8")
SKILL = (REPOSITORY / "skills/mcp-scaffold/SKILL.md").read_text("utf-8")


@pytest.mark.usefixtures("starts_programs")
def test_the_instructions_of_the_page_work(tmp_path: Path) -> None:
    env = environment(tmp_path / "bin")
    _, ran = follow(PAGE, tmp_path, env)
    [tried] = (ran[command] for command in ran if command.startswith("uv run python client.py"))
    steps = {line[:4] for line in tried.splitlines()}
    assert "ok  " in steps
    assert not {"FAIL", "todo", "skip"} & steps


def test_the_page_is_short_and_the_skill_is_the_page() -> None:
    assert len(PAGE.splitlines()) <= 150
    head, _, body = SKILL.removeprefix("---\n").partition("---\n")
    assert [line.partition(":")[0] for line in head.splitlines()] == ["name", "description"]
    assert body.strip() == PAGE.replace("](spec.md)", "](../../docs/spec.md)").strip()
