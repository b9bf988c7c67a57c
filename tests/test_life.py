"""One project from its beginning on, as a person has it, with nothing but Python on the machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command import run
from tests.project_tools import run as tool

SPEC = """\
name: counting
version: "1.0.0"
tools:
  - name: double
    description: Double a number.
    inputSchema: {type: object, properties: {number: {type: integer}}, required: [number]}
    examples: [{name: two, arguments: {number: 2}}]
"""
EDITED = (
    SPEC.replace("number", "value")
    + """\
  - name: half
    description: Halve a number.
    inputSchema: {type: object, properties: {value: {type: integer}}, required: [value]}
    examples: [{name: four, arguments: {value: 4}}]
"""
)


def output_of(*arguments: object, cwd: Path | None = None) -> str:
    """What `mcp-scaffold` prints; it must succeed."""
    ended = run(*arguments, cwd=cwd)
    assert ended.code == 0, ended.out + ended.err
    return ended.out


def implement(project: Path, tool: str, result: str) -> None:
    """Write the handler of a tool into what was generated for it."""
    handler = project / f"src/counting/tools/{tool}.py"
    text = handler.read_text("utf-8")
    assert text.count("raise NotWritten") == 1
    handler.write_text(text.replace("raise NotWritten", f"return {result}"))


def own_tests(project: Path) -> tuple[int, str]:
    """Run the tests that the project has; the exit code, and what pytest prints."""
    ended = tool(project, "pytest", "-q", "-p", "no:cacheprovider")
    return ended.returncode, ended.stdout


@pytest.mark.life
@pytest.mark.usefixtures("starts_programs")
def test_a_project_is_made_tested_edited_and_shown_to_a_client(tmp_path: Path) -> None:
    spec, project = tmp_path / "counting.yaml", tmp_path / "counting"
    spec.write_text(SPEC)
    output_of("new", spec, project)
    code, output = own_tests(project)
    assert (code, "double" in output) == (0, True), "the tool that is to be written is not named"
    implement(project, "double", "str(arguments.number * 2)")
    code, output = own_tests(project)
    assert (code, "to write" in output) == (0, False), output

    (project / "mcp.yaml").write_text(EDITED)
    output_of("regenerate", cwd=project)
    code, output = own_tests(project)
    assert code == 1, "the handler reads what the spec does not have any more"
    handler = project / "src/counting/tools/double.py"
    handler.write_text(handler.read_text("utf-8").replace("arguments.number", "arguments.value"))
    implement(project, "half", "str(arguments.value // 2)")
    code, output = own_tests(project)
    assert (code, "to write" in output) == (0, False), output
    output_of("regenerate", "--check", cwd=project)

    shown = output_of("clients", "show", "--client", "cursor", cwd=project)
    assert '"mcpServers"' in shown
    assert str(project) in shown
