"""`--watch`: again after each save of what the project is made from, until Ctrl-C."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result

from scaffold.cli.console import tell
from scaffold.cli.report import Report
from tests.regenerate.living import TEXT, Living, spec, tool

Watched = Callable[[Iterator[None]], Result]

WITHIN = 120
"""Seconds that all runs may take, on a machine that has much else to do."""


@pytest.fixture
def living(tmp_path: Path) -> Living:
    (tmp_path / "guide.md").write_text("A guide.\n")
    guide = {"uri": "blog://guide", "name": "guide", "description": "A guide.", "file": "guide.md"}
    return Living.born(tmp_path / "blog", spec(tool("search", query=TEXT), resources=[guide]))


@pytest.fixture
def watched(living: Living, monkeypatch: pytest.MonkeyPatch) -> Watched:
    """Runs the command, which a person follows: after each run they do the next of their steps."""

    def follow(steps: Iterator[None]) -> Result:
        def told(report: Report) -> None:
            tell(report)
            next(steps, None)

        monkeypatch.setattr("scaffold.cli.regenerate.tell", told)
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.alarm(WITHIN)
        ended = living.run("--watch")
        assert signal.alarm(0), "a save was not seen"
        return ended

    return follow


def test_it_follows_the_spec_what_that_names_and_templates_and_goes_on_after_errors(
    living: Living, watched: Watched
) -> None:
    def steps() -> Iterator[None]:
        living.edit(lambda spec: spec["tools"].append(tool("find", query=TEXT)))
        yield
        assert (living.root / "src/blog/tools/find.py").exists()
        living.write("guide.md", "Another guide.\n")
        yield
        assert "Another guide." in living.read("src/blog/_generated/catalog.json")
        good = living.read("mcp.yaml")
        living.write("mcp.yaml", good.replace('"type": "object"', '"type": "objct"', 1))
        yield
        aside = living.root / "mcp.yaml.new"  # as editors save that write another file first
        aside.write_text(good.replace("Does what find does.", "Finds it all."))
        os.replace(aside, living.root / "mcp.yaml")
        yield
        assert "Finds it all." in living.read("TOOLS.md")
        living.write("templates/TOOLS.md.j2", "# Ours\n")
        yield
        assert living.read("TOOLS.md") == "# Ours\n"
        raise KeyboardInterrupt

    ended = watched(steps())
    assert ended.exit_code == 0, ended.output
    assert ended.stderr.startswith(
        "watching mcp.yaml, the files it names and templates/; press Ctrl-C to stop\n"
        "already up to date\n"
    )
    assert "did you mean" in ended.stderr
    assert ended.stderr.count("files written") + ended.stderr.count("file written") == 4


def test_it_ends_with_the_project(living: Living, watched: Watched, tmp_path: Path) -> None:
    def steps() -> Iterator[None]:
        living.root.rename(tmp_path / "elsewhere")
        yield

    assert watched(steps()).exit_code == 0
