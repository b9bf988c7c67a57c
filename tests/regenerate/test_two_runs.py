"""Two runs at once on one project: the second waits, and finds nothing left to do."""

from __future__ import annotations

import os
from unittest import mock

from scaffold.commands.regenerate import regenerate
from tests.disk.processes import ended, killed, started
from tests.regenerate.living import Living

TIMES = int(os.environ.get("MCP_SCAFFOLD_RACES", "40"))


def test_two_runs_at_once_make_what_one_makes(blog: Living) -> None:
    """Each of them brings in the edit, or sees that it has been brought in; people's files stay."""
    mine = blog.read("src/blog/tools/search.py") + "# mine\n"
    blog.write("src/blog/tools/search.py", mine)

    def run() -> int:
        made = regenerate(blog.root, [], False)
        return 1 if made.applied and made.applied.steps else 0

    with mock.patch("os.fsync"):
        for number in range(TIMES):
            text = f"Edit {number}."
            blog.edit(lambda spec, text=text: spec["tools"][1].update(description=text))  # type: ignore[misc]
            rivals = [started(run), started(run)]
            assert sorted(map(ended, rivals)) == [0, 1]
            assert text in blog.read("TOOLS.md")
            assert blog.read("src/blog/tools/search.py") == mine
            assert not list((blog.root / ".scaffold").glob("*stage*"))
    stamps = blog.stamps()
    assert blog.regenerate().stderr == "already up to date\n"
    assert blog.stamps() == stamps


def test_a_run_that_was_cut_short_is_told_of_and_then_finished(blog: Living) -> None:
    """A run that only looks leaves it alone: what it would show is neither here nor there."""
    blog.edit(lambda spec: spec["tools"][1].update(description="Reads."))
    assert killed(
        lambda: regenerate(blog.root, [], False), ("os.rename", "_generated/catalog.json")
    )
    before = blog.everything()
    for option in ("--check", "--dry-run", "--diff"):
        result = blog.run(option)
        assert result.exit_code == 1
        assert "error[unfinished]" in result.stderr
        assert "hint: run `mcp-scaffold regenerate` to finish it" in result.stderr
    assert blog.everything() == before
    said = blog.regenerate().stderr
    assert said.startswith("an interrupted run was undone first\n")
    assert blog.regenerate("--check").stderr == "already up to date\n"
    assert "Reads." in blog.read("TOOLS.md")
    assert "Reads." in blog.read("src/blog/_generated/catalog.json")
