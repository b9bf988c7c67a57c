"""Servers explain faults with the module that the tool uses: the template is that, and a header."""

from __future__ import annotations

from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
HEADER = """{% include "header.j2" %}
# Generated from {{ project.spec }} by mcp-scaffold: edit the spec, not this file.
"""


def test_servers_explain_faults_as_the_tool_does() -> None:
    template = REPOSITORY / "templates/python/src/package/_generated/faults.py.j2"
    module = REPOSITORY / "scaffold/jsonschema/faults.py"
    assert template.read_text("utf-8") == HEADER + module.read_text("utf-8")
