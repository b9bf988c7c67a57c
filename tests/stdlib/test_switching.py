"""A project switches from one built-in pack to the other, and its handlers are kept."""

from __future__ import annotations

from pathlib import Path

from tests.command import run
from tests.files import contents
from tests.generated import REPOSITORY


def test_a_project_that_calls_an_api_gets_the_client_of_the_pack_and_back(tmp_path: Path) -> None:
    project = tmp_path / "library"
    assert run("new", REPOSITORY / "specs/library.yaml", project).code == 0
    before = contents(project)
    assert run("pack", "upgrade", project, "--pack", "python-stdlib").code == 0
    handler = (project / "src/library/tools/get_book.py").read_text()
    assert "    body = await context.shared.api.request(" in handler
    assert "httpx2" not in "".join(path.read_text() for path in project.rglob("*.py"))
    assert run("regenerate", project, "--check").code == 0
    assert run("pack", "upgrade", project, "--pack", "python").code == 0
    after = contents(project)
    assert {path for path in before if after.get(path) != before[path]} <= {".scaffold/lock.json"}
    assert after.keys() == before.keys()
