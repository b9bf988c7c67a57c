"""Every block of the built-in templates can be filled, and leaves no trace where nobody does."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
import yaml

from scaffold.languages.python.format import formatted
from scaffold.languages.python.text import FILTERS
from scaffold.packs import builtin_packs
from scaffold.packs.engine import render
from scaffold.packs.layers import project_layers
from scaffold.packs.pack import block_texts, read_layers
from scaffold.project.attachments import attachments, with_first_pages
from scaffold.yaml.source import read
from tests.built import built, sources
from tests.checked import check
from tests.generated import REPOSITORY

LAYERS = read_layers(builtin_packs() / "python")

TEMPLATES = sources(LAYERS)

STATEMENTS = {"body", "start", "stop", "middleware", "open", "close"}

FILLED = {
    "calls": "filled",
    "image": "filled:1",
    "http": "filled",
    "settings": "    filled: str",
    "signature": "def filled() -> None:",
    "shared": '    filled: str = "filled"',
    "stages": "        failed = bool(checks.filled)",
    "definitions": "\n\ndef filled(name: str) -> None:\n    raise LookupError(name)\n",
    "tests": "\n\ndef test_filled() -> None:\n    assert 'filled'\n",
    "imports": "from filled import filled  # noqa: F401",
    "project": 'keywords = ["filled"]',
    "requirements": "dependencies = [",
    "dependencies": '    "filled",',
    "dev_dependencies": '    "filled",',
    "tables": "\n[tool.filled]\nfilled = true",
    "workflow": "env:\n  FILLED: filled",
    "setup": "      - run: echo filled",
    "checks": "      - run: echo filled",
    "jobs": "  filled:\n    runs-on: filled\n    steps: []",
}


def override(template: str) -> str:
    """A template that fills every block of another."""
    lines = [f'{{% extends "@python/{template}" %}}']
    for name in block_texts(TEMPLATES[template]):
        statement = "    filled = 1" if name in STATEMENTS else "# filled"
        text = FILLED.get(name, statement)
        newline = "" if name in ("calls", "http", "image") else "\n"
        lines.append(f"{{% block {name} %}}{newline}{text}{newline}{{% endblock %}}")
    return "\n".join(lines)


def project(name: str) -> object:
    path = REPOSITORY / "specs" / f"{name}.yaml"
    document = read(path)
    spec = check(document)
    attached = attachments(spec, document, path.parent)
    texts = with_first_pages(attached, spec, LAYERS)
    return built(spec, texts)


@pytest.mark.parametrize("name", ["conformance", "everything"])
def test_every_block_can_be_filled(name: str) -> None:
    """All at once: what is made parses, and says in each place what was put there."""
    own = {
        template: override(template).encode()
        for template in TEMPLATES
        if block_texts(TEMPLATES[template])
    }
    own["header.j2"] = b"# filled header\n"
    files = formatted(
        render(project(name), project_layers(own, Path("templates"), {}, Path("pack")), FILTERS)
    )
    for path, file in files.items():
        template = file.origin.partition("/")[2]
        names = block_texts(TEMPLATES.get(template, ""))
        assert file.text.count("filled") >= len(names), (path, file.text)
        commented = path.endswith((".py", ".toml", ".yml", "Dockerfile", ".gitignore"))
        if commented and not path.startswith("clients/"):
            assert file.text.startswith("# filled header\n"), path
        if path == "pyproject.toml":
            assert tomllib.loads(file.text)["tool"]["filled"] == {"filled": True}
        if path == ".github/workflows/ci.yml":
            assert list(yaml.safe_load(file.text)["jobs"]) == ["check", "filled"]


def test_definitions_are_the_end_of_a_module() -> None:
    for path, text in TEMPLATES.items():
        if "definitions" in block_texts(text):
            assert text.endswith("{% block definitions %}{% endblock %}\n"), path
