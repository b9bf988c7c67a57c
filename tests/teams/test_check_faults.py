"""Faults planted in a sound pack, one at a time: `pack check` finds each, at its place."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from scaffold.cli.main import main

SOUND = Path(__file__).with_name("sound")


class Fault(NamedTuple):
    """An edit of one file, in which `old` occurs once, and what is reported of it.

    Without `old`, `new` is a file of its own.
    """

    file: str
    old: str
    new: str
    found: str


TABLE = "pack/pack.toml"
NOTES = "pack/NOTES.md.j2"
DOCKER = "pack/Dockerfile.j2"
QUESTIONS = "copier.yml"
LABELS = "pack/labels.toml.j2.copier"
MORE = "pack/src/package/more.py.j2"

TEMPLATES = {
    "free text without quotes": Fault(
        NOTES, "project.title | md", "project.title", f"{NOTES}:1: error[template-unquoted]"
    ),
    "an attribute with a typo": Fault(
        NOTES, "project.title", "project.titel", f"{NOTES}:1: error[template-undefined]"
    ),
    "a name that is not defined": Fault(
        "pack/docs/tool.md.j2", "# {{ tool.name", "# {{ tol.name",
        "pack/docs/tool.md.j2:1: error[template-undefined]",
    ),
    "a condition without end": Fault(
        NOTES, "{% endif %}\n", "", f"{NOTES}:4: error[template-syntax]"
    ),
    "an unknown filter": Fault(
        NOTES, "title | md", "title | markdown", f"{NOTES}:1: error[template-syntax]"
    ),
    "an inside of Python": Fault(
        NOTES, "project.http.port", "project.__class__", f"{NOTES}:4: error[template-unsafe]"
    ),
    "a list that is printed": Fault(
        NOTES, "project.http.port", "project.tools", f"{NOTES}:4: error[template-failed]"
    ),
    "a template that extends itself": Fault(
        DOCKER, "@python/", "", f"{DOCKER}:1: error[template-failed]"
    ),
    "an original with a typo": Fault(
        DOCKER, "@python/Dockerfile", "@python/Dockerfil", f"{DOCKER}:1: error[template-missing]"
    ),
    "an include of nothing": Fault(
        MORE, '"header.j2"', '"heading.j2"', f"{MORE}:1: error[template-missing]"
    ),
    "a block with a typo": Fault(
        DOCKER, "block runtime", "block runtme", f"{DOCKER}:2: error[template-block]"
    ),
    "text outside of blocks": Fault(
        DOCKER, "{% endblock %}\n", "{% endblock %}\nUSER root\n",
        f"{DOCKER}:5: error[template-text]",
    ),
    "an end of a block that joins two lines": Fault(
        DOCKER, "sound\n{% endblock %}", "sound{% endblock %}",
        f"{DOCKER}:2: warning[template-joined]",
    ),
    "markers of a conflict": Fault(
        NOTES, "{% endif %}\n", "{% endif %}\n<<<<<<< ours\n", f"{NOTES}:6: error[pack-template]"
    ),
    "a header that is no comment": Fault(
        "pack/header.j2", "# Sound", "Sound", "pack/header.j2:1: error[template-header]"
    ),
    "a template that nothing uses": Fault(
        "pack/other.j2", "", "x\n", "pack/other.j2: warning[template-unused]"
    ),
    "a file that is no template": Fault(
        "pack/labels.txt", "", "x\n", "pack/labels.txt: warning[template-ignored]"
    ),
}  # fmt: skip

OUTPUTS = {
    "TOML": Fault(
        "pack/labels.toml.j2", '"platform"', "platform", "pack/labels.toml.j2: error[pack-output]"
    ),
    "YAML": Fault(
        "pack/config.yaml.j2", "title: ", "title: [", "pack/config.yaml.j2: error[pack-output]"
    ),
    "YAML that only odd texts break": Fault(
        "pack/config.yaml.j2", "{{ project.title | yaml }}", '"{{ project.title | md }}"',
        "pack/config.yaml.j2: error[pack-output]",
    ),
    "YAML with a key twice": Fault(
        "pack/config.yaml.j2", "tools:\n", "title: again\ntools:\n",
        "pack/config.yaml.j2: error[pack-output]",
    ),
    "JSON": Fault(
        "pack/links.json.j2", "| json }},", "| json }}", "pack/links.json.j2: error[pack-output]"
    ),
    "JSON with the quotes of Python": Fault(
        "pack/links.json.j2", "| json", "| py", "pack/links.json.j2: error[pack-output]"
    ),
    "Python": Fault(MORE, "def size()", "def size(", "error[template-python] `@sound/src/package"),
}  # fmt: skip

ROWS = {
    "an unknown key": Fault(
        TABLE, 'when = "project.tools"', 'wehn = "project.tools"', f"{TABLE}:17:1: error[pack-key]"
    ),
    "an unknown owner": Fault(
        TABLE, '.yaml.j2"\nowner = "generated"', '.yaml.j2"\nowner = "ours"',
        f"{TABLE}:16:1: error[pack-value]",
    ),
    "no template": Fault(
        TABLE, '"config.yaml.j2"', '"config.yml.j2"', f"{TABLE}:15:1: error[template-missing]"
    ),
    "an unknown collection": Fault(
        TABLE, 'each = "tool"', 'each = "command"', f"{TABLE}:25:1: error[template-undefined]"
    ),
    "an unknown condition": Fault(
        TABLE, "project.tools", "project.tols", f"{TABLE}:15:1: error[template-undefined]"
    ),
    "a path of an unknown attribute": Fault(
        TABLE, "tool.function", "tool.funktion", f"{TABLE}:25:1: error[template-undefined]"
    ),
    "one path for all tools": Fault(
        TABLE, "docs/{{ tool.function }}.md", "docs/tools.md", f"{TABLE}:25:1: error[path-claimed]"
    ),
    "the path of another row": Fault(
        TABLE, 'template = "NOTES.md.j2"', 'template = "NOTES.md.j2"\npath = "readme.md"',
        f"{TABLE}:8:1: error[path-claimed]",
    ),
    "a path outside": Fault(
        TABLE, '"docs/{{ tool', '"../{{ tool', f"{TABLE}:25:1: error[pack-path]"
    ),
    "a path of ours": Fault(
        TABLE, '"docs/{{ tool', '".scaffold/{{ tool', f"{TABLE}:25:1: error[pack-path]"
    ),
    "a name in `without` that is none": Fault(
        TABLE, "workflows/ci.yml", "workflows/test.yml", f"{TABLE}: warning[template-unused]"
    ),
    "no TOML": Fault(TABLE, "contract = 3", "contract 2", f"{TABLE}:2:10: error[pack-syntax]"),
    "a later contract": Fault(
        TABLE, "contract = 3", "contract = 99", f"{TABLE}:2:1: error[pack-requires]"
    ),
    "no contract": Fault(TABLE, "contract = 3\n", "", f"{TABLE}: error[pack-key]"),
    "a later mcp-scaffold": Fault(
        TABLE, "contract = 3", 'contract = 3\nrequires = ">=99"',
        f"{TABLE}:3:1: error[pack-requires]",
    ),
    "an unknown pack beneath": Fault(
        TABLE, '"python"', '"pyhton"', f"{TABLE}:3:1: error[pack-extends]"
    ),
    "a name that no pack can have": Fault(
        TABLE, '"sound"', '"Sound"', f"{TABLE}:1:1: error[pack-value]"
    ),
}  # fmt: skip

ANSWERS = {
    "no YAML": Fault(
        QUESTIONS, "  default: platform", "  default: {", f"{QUESTIONS}:4:12: error[yaml-syntax]"
    ),
    "a question that is repeated": Fault(
        QUESTIONS, "_subdirectory: pack", "team: {}\n_subdirectory: pack",
        "error[duplicate-key] duplicate key `team`",
    ),
    "choices that YAML reads as booleans": Fault(
        QUESTIONS, "_subdirectory: pack", "x: {choices: [yes, no]}\n_subdirectory: pack",
        f"{QUESTIONS}: error[pack-questions] a choice of `x` is true or false",
    ),
    "a question that nothing uses": Fault(
        QUESTIONS, "_subdirectory: pack", "more: us\n_subdirectory: pack",
        f"{QUESTIONS}: warning[question-unused] no file uses the answer to `more`",
    ),
    "a placeholder in a file that is not rendered": Fault(
        NOTES, "{% endif %}\n", "{% endif %}\n<< team >>\n", f"{NOTES}:6: warning[pack-suffix]"
    ),
    "a question with a typo": Fault(
        LABELS, "<< team", "<< taem", f"{LABELS}:1: error[pack-render]"
    ),
    "a fault behind a choice": Fault(
        LABELS, "project.name", "project.nmae", f"{LABELS}:2: error[template-undefined]"
    ),
    "delimiters that are ours": Fault(
        QUESTIONS, 'variable_start_string: "<<"', 'variable_start_string: "{{"',
        f"{LABELS}: error[pack-delimiters]",
    ),
    "a secret": Fault(
        QUESTIONS, "  default: platform", "  default: platform\n  secret: true",
        "error[pack-secret]",
    ),
    "a program": Fault(
        QUESTIONS, "_subdirectory: pack", '_subdirectory: pack\n_tasks: ["true"]',
        f"{QUESTIONS}: error[pack-untrusted]",
    ),
    "a default that its validator refuses": Fault(
        QUESTIONS, "  default: platform",
        "  default: platform\n  validator: \"<% if team != 'x' %>no<% endif %>\"",
        "error[pack-answer] Validation error for question 'team': no",
    ),
    "no pack in the folder": Fault(
        QUESTIONS, "_subdirectory: pack", "_subdirectory: packs", f"{QUESTIONS}: error[pack-missing]"
    ),
}  # fmt: skip

PLAIN = {**TEMPLATES, **OUTPUTS, **ROWS}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the sound pack."""
    shutil.copytree(SOUND, tmp_path / "sound")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "sound"


@pytest.fixture
def plain(folder: Path) -> Path:
    """The same without questions, which is checked sooner."""
    (folder / QUESTIONS).unlink()
    (folder / LABELS).unlink()
    (folder / "pack/labels.toml.j2").write_text('team = "platform"\n')
    return folder


def checked(*options: str) -> tuple[int, str]:
    """Check the pack in the current folder without running servers: exit code and report."""
    ended = CliRunner().invoke(main, ["pack", "check", *options, "--no-run"])
    assert not ended.exception or isinstance(ended.exception, SystemExit), ended.exception
    return ended.exit_code, ended.stderr


def assert_found(fault: Fault, code: int, said: str) -> None:
    found = fault.found if fault.found.startswith("error") else f"sound/{fault.found}"
    assert found in said
    assert code == (0 if "warning" in found else 2)


def plant(folder: Path, fault: Fault) -> None:
    file = folder / fault.file
    text = file.read_text("utf-8") if fault.old else ""
    assert text.count(fault.old) == 1 or not fault.old, fault
    file.write_text(text.replace(fault.old, fault.new) if fault.old else fault.new, "utf-8")


@pytest.mark.parametrize("fault", [pytest.param(f, id=name) for name, f in PLAIN.items()])
def test_a_fault_is_found(fault: Fault, plain: Path) -> None:
    plant(plain, fault)
    assert_found(fault, *checked("sound/pack"))


@pytest.mark.parametrize("fault", [pytest.param(f, id=name) for name, f in ANSWERS.items()])
def test_a_fault_of_questions_is_found(fault: Fault, folder: Path) -> None:
    plant(folder, fault)
    assert_found(fault, *checked("sound"))


def test_the_sound_pack_has_none(folder: Path) -> None:
    assert checked("sound") == (0, "sound: 6 servers checked\n")
