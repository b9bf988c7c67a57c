"""The packages that a project declares are those that its generated code imports."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

EXAMPLES = sorted(Path(__file__).parents[2].glob("examples/*/mcp.yaml"))
IMPORT = re.compile(r"^ *(?:from|import) (\w+)", re.MULTILINE)


def names_of(requirements: list[str]) -> set[str]:
    return {re.split(r"[^\w-]", text)[0].lower().replace("_", "-") for text in requirements}


@pytest.mark.parametrize("spec", EXAMPLES, ids=lambda spec: spec.parent.name)
def test_a_project_declares_the_packages_that_it_imports(spec: Path) -> None:
    project = tomllib.loads((spec.parent / "pyproject.toml").read_text("utf-8"))["project"]
    sources = [*spec.parent.glob("src/**/*.py"), spec.parent / "client.py"]
    imported = {name for path in sources for name in IMPORT.findall(path.read_text("utf-8"))}
    imported -= {*sys.stdlib_module_names, project["name"].replace("-", "_")}
    packages = packages_distributions()
    providers = [names_of(packages.get(module, [module])) for module in imported]
    required = names_of(project["dependencies"])
    extras = project.get("optional-dependencies", {}).values()
    declared = required | names_of([text for texts in extras for text in texts])
    assert [names for names in providers if not names & declared] == []
    assert required <= set().union(*providers)
