"""`--watch`: again after each save of what the project is made from, until Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.regenerate.living import TEXT, Living, spec, tool
from tests.waiting import WITHIN, wait_until

pytestmark = pytest.mark.usefixtures("starts_programs")

HEEDING_CTRL_C = """
import signal
from scaffold.cli.main import main
signal.signal(signal.SIGINT, signal.default_int_handler)
main()
"""
"""The command; what a shell starts in the background, these tests perhaps, does not heed it."""


class Watch:
    """The command in a process of its own, and what it has said."""

    def __init__(self, living: Living, log: Path, *options: str) -> None:
        self.living, self.log = living, log
        command = [sys.executable, "-c", HEEDING_CTRL_C, "regenerate", "--watch", *options]
        with log.open("wb") as output:
            self.process = subprocess.Popen(
                [*command, str(living.root)], stdout=output, stderr=subprocess.STDOUT
            )

    def says(self, words: str, times: int = 1) -> None:
        """Wait until these words have been said so many times."""
        self.sees(lambda: self.log.read_text().count(words) >= times)

    def sees(self, condition: Callable[[], bool]) -> None:
        wait_until(lambda: self.process.poll() is not None or condition(), self.log.read_text)
        assert self.process.poll() is None, self.log.read_text()

    def ends_when_interrupted(self) -> None:
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(timeout=WITHIN) == 0, self.log.read_text()


@pytest.fixture
def living(tmp_path: Path) -> Living:
    (tmp_path / "guide.md").write_text("A guide.\n")
    guide = {"uri": "blog://guide", "name": "guide", "description": "A guide.", "file": "guide.md"}
    return Living.born(tmp_path / "blog", spec(tool("search", query=TEXT), resources=[guide]))


@pytest.fixture
def watch(living: Living, tmp_path: Path) -> Iterator[Watch]:
    watch = Watch(living, tmp_path / "log")
    watch.says(
        "watching mcp.yaml, the files it names and templates/; press Ctrl-C to stop\n"
        "already up to date\n"
    )
    yield watch
    if watch.process.poll() is None:
        watch.process.kill()
        watch.process.wait()


def test_it_follows_the_spec_what_that_names_and_templates_and_goes_on_after_errors(
    living: Living, watch: Watch
) -> None:
    living.edit(lambda spec: spec["tools"].append(tool("find", query=TEXT)))
    watch.sees((living.root / "src/blog/tools/find.py").exists)
    watch.says("files written")

    living.write("guide.md", "Another guide.\n")
    watch.sees(lambda: "Another guide." in living.read("src/blog/_generated/catalog.json"))

    good = living.read("mcp.yaml")
    living.write("mcp.yaml", good.replace('"type": "object"', '"type": "objct"', 1))
    watch.says("did you mean")
    aside = living.root / "mcp.yaml.new"  # as editors save that write another file first
    aside.write_text(good.replace("Does what find does.", "Finds it all."))
    os.replace(aside, living.root / "mcp.yaml")
    watch.sees(lambda: "Finds it all." in living.read("TOOLS.md"))

    living.write("templates/TOOLS.md.j2", "# Ours\n")
    watch.sees(lambda: living.read("TOOLS.md") == "# Ours\n")
    watch.ends_when_interrupted()
    assert "Traceback" not in watch.log.read_text()


def test_it_ends_with_the_project(living: Living, watch: Watch, tmp_path: Path) -> None:
    living.root.rename(tmp_path / "elsewhere")
    assert watch.process.wait(timeout=WITHIN) == 0
    assert "Traceback" not in watch.log.read_text()
