"""Whatever people do to the files of a project, nothing of theirs is lost and nothing is broken."""

from __future__ import annotations

import re
from pathlib import Path

from tests.regenerate.living import NUMBER, TEXT, Living, spec, tool


def test_an_edit_of_one_tool_changes_only_its_lines(tmp_path: Path) -> None:
    names = [f"{verb}_{noun}" for verb in ("get", "set", "add") for noun in "abc"]
    tools = [tool(name, "query", query={**TEXT, "description": f"{name}?"}) for name in names]
    blog = Living.born(tmp_path / "blog", spec(*tools))
    before = blog.files()
    marked = tool("add_c", "marked", marked={**NUMBER, "minimum": 7})
    blog.edit(lambda spec: spec["tools"][-1].update(marked, description="Marked."))
    shown = blog.regenerate("--diff").stdout
    blog.regenerate()
    after = blog.files()
    assert {path for path in after if after[path] != before[path]} == {
        "mcp.yaml",
        "TOOLS.md",
        "src/blog/_generated/catalog.json",
        "src/blog/_generated/contract.py",
        "src/blog/tools/add_c.py",
    }
    lines = [line for line in shown.splitlines() if re.match(r"[+-](?!\+\+|--)", line)]
    assert 0 < len(lines) < 40
    for name in {*names} - {"add_c"}:
        camel = "".join(part.title() for part in name.split("_"))
        assert not [line for line in lines if name in line or camel in line]
