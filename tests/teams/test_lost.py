"""What happens in a project with a pack, or with templates of its own, is neither lost nor hidden."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace

from scaffold import __version__
from scaffold.disk.lock import read as read_lock
from scaffold.disk.lock import read_bases
from scaffold.disk.records import LOCK
from scaffold.disk.tree import Tree
from tests.command import Ended
from tests.teams.building import TABLE, Create, Repository, contents, run


def put(root: Path, **files: str) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")


def refused(root: Path, *command: object) -> Ended:
    """Run a command that is to fail, and check that it has written nothing."""
    before = contents(root)
    ended = run(*command)
    assert ended.code == 2, ended.err
    assert contents(root) == before
    return ended


@pytest.fixture
def packed(repository: Repository, create: Create) -> Path:
    """A project in git, made with version 1 of a pack."""
    repository.tag("v1", {"pack.toml": TABLE, "Dockerfile.j2": "LABEL vendor=acme\n"})
    project = create(f"{repository.folder}@v1")
    Repository(project).tag("made", {})
    return project


class TestEditsOfThePackInAProject:
    def test_an_edited_template_is_refused(self, packed: Path) -> None:
        template = packed / ".scaffold/pack/Dockerfile.j2"
        template.write_text(template.read_text().replace("LABEL", "ENV BACKDOOR=1\nLABEL"))
        for options in ((), ("--check",), ("--dry-run",)):
            ended = refused(packed, "regenerate", packed, *options)
            assert "error[pack-edited] `.scaffold/pack` was edited" in ended.err
        [command] = re.findall(r"run `(git restore [^`]*)`", ended.err)
        assert "make your change in `templates/`" in ended.err
        subprocess.run(command.split(), cwd=packed, check=True)
        assert run("regenerate", packed, "--check").code == 0

    def test_so_is_a_record_that_is_not_one_or_whose_version_was_edited(self, packed: Path) -> None:
        """As by a program that raises versions; the pack itself is still the old one."""
        record = packed / ".scaffold/pack.json"
        whole = json.loads(record.read_text())
        record.write_text("{}")
        assert "[pack-record]" in refused(packed, "regenerate", packed, "--check").err
        record.write_text(json.dumps({**whole, "version": "v9.0.0"}))
        for options in ((), ("--check",)):
            told = refused(packed, "regenerate", packed, *options).err
            assert "[pack-edited] `.scaffold/pack.json` was edited" in told
            assert "`mcp-scaffold pack upgrade --to v9.0.0`" in told
        assert "failed" in run("status", "--offline", packed).out


class TestOlderTools:
    def test_a_newer_project_is_refused(self, packed: Path) -> None:
        lock = read_lock(packed)
        assert lock
        (packed / LOCK).write_text(replace(lock, version="99.1.0").text())
        for options in ((), ("--check",), ("--force", "README.md")):
            said = refused(packed, "regenerate", packed, *options).err
            assert "lock.json: error[newer-project] mcp-scaffold 99.1.0 wrote the project" in said
            assert f"but this is {__version__}\nhint: upgrade mcp-scaffold\n" in said


class TestFilesThatAreLeftOver:
    @pytest.fixture
    def left(self, project: Path) -> Path:
        """A project whose templates made two merged files, one of them edited, and do no more."""
        row = '[[files]]\ntemplate = "{0}.j2"\nowner = "merged"\n'
        table = "contract = 3\n" + row.format("NOTES") + row.format("MINE")
        texts = {"templates/NOTES.j2": "notes\n", "templates/MINE.j2": "mine\n"}
        put(project, **{"templates/pack.toml": table, **texts})
        assert run("regenerate", project).code == 0
        put(project, MINE="edited\n")
        shutil.rmtree(project / "templates")
        done = run("regenerate", project)
        assert done.code == 0
        assert done.err.count("warning[orphan]") == 2
        return project

    def test_check_lists_those_that_nobody_edited_and_prune_deletes_no_other(
        self, left: Path
    ) -> None:
        check = run("regenerate", left, "--check")
        assert (check.code, check.err.count("warning[")) == (0, 1)
        assert "warning[orphan] `NOTES` is no longer generated" in check.err
        assert "hint: delete it, or run `mcp-scaffold regenerate --prune`" in check.err
        assert run("regenerate", left).err == "already up to date\n"
        shown = run("regenerate", left, "--prune", "--dry-run")
        assert (shown.code, "delete    NOTES" in shown.err) == (0, True)
        check = run("regenerate", left, "--prune", "--check")
        assert check.err.endswith("out of date: run `mcp-scaffold regenerate --prune`\n")
        assert (left / "NOTES").exists()
        done = run("regenerate", left, "--prune")
        assert (done.code, done.err) == (0, "delete    NOTES\n\n1 file written\n")
        assert not (left / "NOTES").exists()
        assert "NOTES" not in read_bases(Tree(left))
        assert (left / "MINE").read_text() == "edited\n"
        assert run("regenerate", left, "--prune", "--check").err == "already up to date\n"


class TestRenames:
    ROWS = (
        'contract = 3\n[[files]]\ntemplate = "row.py.j2"\nowner = "generated"\neach = "tool"\n'
        'path = "src/{{ project.package }}/_generated/rows/{{ tool.function }}.py"\n'
    )
    ROW = "class {{ tool.arguments_type }}Row:\n    pass\n\n\ndef row() -> str:\n    return 'x'\n"

    def test_imports_of_a_pack_s_own_modules_are_told_when_a_tool_is_renamed(
        self, project: Path
    ) -> None:
        put(project, **{"templates/pack.toml": self.ROWS, "templates/row.py.j2": self.ROW})
        assert run("regenerate", project).code == 0
        handler = project / "src/hello/tools/greet.py"
        handler.write_text("from hello._generated.rows.greet import row\n" + handler.read_text())
        spec = (project / "mcp.yaml").read_text()
        renamed = spec.replace("name: greet\n", "name: welcome\n    renamedFrom: greet\n")
        put(project, **{"mcp.yaml": renamed})
        done = run("regenerate", project)
        assert (
            "src/hello/tools/welcome.py:1: warning[gone-name] `src/hello/tools/welcome.py` imports"
            " `src/hello/_generated/rows/greet.py`, which is gone\n"
            "hint: import it from `src/hello/_generated/rows/welcome.py`"
        ) in done.err

    def test_so_are_relative_imports_of_an_owned_module_that_moves(self, project: Path) -> None:
        row = (
            'contract = 3\n[[files]]\ntemplate = "acl.py.j2"\nowner = "owned"\neach = "tool"\n'
            'path = "src/{{ project.package }}/FOLDER/acl_{{ tool.function }}.py"\n'
        )
        table = "templates/pack.toml"
        put(project, **{"templates/acl.py.j2": "ALLOWED = True\n"})
        put(project, **{table: row.replace("FOLDER", "tools")})
        assert run("regenerate", project).code == 0
        users = {
            "tools/one.py": "from .acl_greet import ALLOWED",
            "tools/two.py": "from . import acl_greet",
            "tools/three.py": "from ..tools.acl_greet import ALLOWED",
            "tools/mine/__init__.py": "from ..acl_greet import ALLOWED",
            "tools/other.py": "from .missing import acl_greet",
        }
        put(project, **{f"src/hello/{path}": f"{text}\n" for path, text in users.items()})
        put(project, **{table: row.replace("FOLDER", "access")})
        said = run("regenerate", project).err
        for path in users:
            told = f"src/hello/{path}:1: warning[gone-name] `src/hello/{path}` imports "
            told += "`src/hello/tools/acl_greet.py`, which is gone\n"
            told += "hint: import it from `src/hello/access/acl_greet.py`"
            assert (told in said) == (path != "tools/other.py"), said
