"""No text of a team's templates is lost without a word."""

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
from tests.teams.building import TABLE, Repository, run

EXTENDS = '{% extends "@python/Dockerfile.j2" %}\n'
DOCKERFILE = EXTENDS + "{% block runtime %}\nLABEL vendor=acme\n{% endblock %}\n"


def put(root: Path, **files: str) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")


def contents(root: Path) -> dict[Path, bytes]:
    return {
        path: path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".scaffold/run/" not in path.as_posix()
    }


def refused(root: Path, *command: object, **options: object) -> Ended:
    """Run a command that is to fail, and check that it has written nothing."""
    before = contents(root)
    ended = run(*command, **options)  # type: ignore[arg-type]
    assert ended.code == 2, ended.err
    assert contents(root) == before
    return ended


class TestBlocks:
    def test_a_template_may_fill_a_block_of_any_layer_beneath(
        self, repository: Repository, spec: Path, tmp_path: Path
    ) -> None:
        nested = "{% block runtime %}\n{% block labels %}\n{% endblock %}\n{% endblock %}\n"
        repository.tag("v1", {"pack.toml": TABLE, "Dockerfile.j2": EXTENDS + nested})
        project = tmp_path / "p"
        assert run("new", spec, project, "--pack", f"{repository.folder}@v1").code == 0
        own = '{% extends "@acme/Dockerfile.j2" %}\n{% block image %}mine:1{% endblock %}\n'
        own += "{% block labels %}\nLABEL own=1\n{% endblock %}\n"
        put(project, **{"templates/Dockerfile.j2": own})
        ended = run("regenerate", project)
        assert ended.code == 0, ended.err
        made = (project / "Dockerfile").read_text()
        assert "LABEL own=1" in made
        assert "FROM mine:1" in made

    def test_a_block_that_a_new_version_of_the_pack_lacks_stops_the_upgrade(
        self, repository: Repository, spec: Path, tmp_path: Path
    ) -> None:
        labels = "{% block runtime %}\n{% block labels %}\n{% endblock %}\n{% endblock %}\n"
        repository.tag("v1", {"pack.toml": TABLE, "Dockerfile.j2": EXTENDS + labels})
        project = tmp_path / "p"
        assert run("new", spec, project, "--pack", f"{repository.folder}@v1").code == 0
        own = (
            '{% extends "@acme/Dockerfile.j2" %}\n{% block labels %}\nLABEL own=1\n{% endblock %}\n'
        )
        put(project, **{"templates/Dockerfile.j2": own})
        assert run("regenerate", project).code == 0
        repository.tag("v2", {"Dockerfile.j2": DOCKERFILE})
        ended = refused(project, "pack", "upgrade", project)
        assert "`@acme/Dockerfile.j2` has no block `labels`" in ended.err
        assert "LABEL own=1" in (project / "Dockerfile").read_text()


class TestTextOutsideOfBlocks:
    def test_comments_macros_imports_and_variables_may_be_there(self, project: Path) -> None:
        text = (
            "{# ours #}\n" + EXTENDS + "{# a comment #}\n\n"
            "{% if project.tools %}\n{% set key = 'vendor' %}\n"
            "{% else %}\n{% set key = 'nobody' %}\n{% endif %}\n"
            "{% macro label(name) %}LABEL {{ name }}=1{% endmacro %}\n"
            '{% import "labels.j2" as labels %}\n'
            "{% block runtime %}\n{{ label(key) }}\n{{ labels.more() }}\n{% endblock %}\n"
        )
        put(project, **{"templates/Dockerfile.j2": text})
        put(project, **{"templates/labels.j2": "{% macro more() %}LABEL more=1{% endmacro %}"})
        ended = run("regenerate", project)
        assert (ended.code, "warning" in ended.err) == (0, False), ended.err
        assert "LABEL vendor=1\nLABEL more=1\n" in (project / "Dockerfile").read_text()


@pytest.fixture
def packed(repository: Repository, spec: Path, tmp_path: Path) -> Path:
    """A project in git, made with version 1 of a pack."""
    repository.tag("v1", {"pack.toml": TABLE, "Dockerfile.j2": DOCKERFILE})
    project = tmp_path / "packed"
    assert run("new", spec, project, "--pack", f"{repository.folder}@v1").code == 0
    Repository(project).tag("made", {})
    return project


class TestEditsOfThePackInAProject:
    @pytest.mark.parametrize("options", [(), ("--check",), ("--dry-run",)])
    def test_an_edited_template_is_refused(self, packed: Path, options: tuple[str, ...]) -> None:
        template = packed / ".scaffold/pack/Dockerfile.j2"
        template.write_text(template.read_text().replace("LABEL", "ENV BACKDOOR=1\nLABEL"))
        ended = refused(packed, "regenerate", packed, *options)
        assert "error[pack-edited] `.scaffold/pack` was edited" in ended.err
        [command] = re.findall(r"run `(git restore [^`]*)`", ended.err)
        assert "make your change in `templates/`" in ended.err
        subprocess.run(command.split(), cwd=packed, check=True)
        assert run("regenerate", packed, *options).code == 0

    def test_so_is_a_record_that_is_not_one(self, packed: Path) -> None:
        (packed / ".scaffold/pack.json").write_text("{}")
        assert "[pack-record]" in refused(packed, "regenerate", packed, "--check").err

    @pytest.mark.parametrize("options", [(), ("--check",)])
    def test_so_is_a_record_whose_version_was_edited(
        self, packed: Path, options: tuple[str, ...]
    ) -> None:
        """As by a program that raises versions; the pack itself is still the old one."""
        record = packed / ".scaffold/pack.json"
        whole = json.loads(record.read_text())
        record.write_text(json.dumps({**whole, "version": "v9.0.0"}))
        told = refused(packed, "regenerate", packed, *options).err
        assert "[pack-edited] `.scaffold/pack.json` was edited" in told
        assert "`mcp-scaffold pack upgrade --to v9.0.0`" in told
        assert "failed" in run("status", "--offline", packed).out


class TestOlderTools:
    @pytest.fixture
    def newer(self, packed: Path) -> Path:
        """A project that mcp-scaffold 99.1 wrote last."""
        lock = read_lock(packed)
        assert lock
        (packed / LOCK).write_text(replace(lock, version="99.1.0").text())
        return packed

    @pytest.mark.parametrize("options", [(), ("--check",), ("--force", "README.md")])
    def test_a_newer_project_is_refused(self, newer: Path, options: tuple[str, ...]) -> None:
        ended = refused(newer, "regenerate", newer, *options)
        assert "lock.json: error[newer-project] mcp-scaffold 99.1.0 wrote the project" in ended.err
        assert f"but this is {__version__}\nhint: upgrade mcp-scaffold\n" in ended.err

    def test_a_pack_that_requires_a_newer_one_is_not_taken(
        self, packed: Path, repository: Repository
    ) -> None:
        repository.tag("v2", {"pack.toml": TABLE + 'requires = ">=99"\n'})
        ended = refused(packed, "pack", "upgrade", packed)
        assert "[pack-requires] pack `acme` requires mcp-scaffold >=99" in ended.err


class TestFilesWithoutEffect:
    def test_a_file_that_is_no_template_is_named_on_each_run(self, project: Path) -> None:
        put(project, **{"templates/Dockerfile": "FROM mine\n", "templates/README.md": "ours\n"})
        for options in ((), ("--check",)):
            ended = run("regenerate", project, *options)
            assert ended.code == 0
            assert "templates/Dockerfile: warning[template-ignored] `Dockerfile` has" in ended.err
            assert "hint: rename it to `Dockerfile.j2`\n" in ended.err
            assert ended.err.count("warning[") == 2

    def test_so_it_is_in_a_pack_but_for_what_its_repository_needs(
        self, repository: Repository, spec: Path, tmp_path: Path
    ) -> None:
        repository.tag("v1", {"pack.toml": TABLE, "CHANGELOG.md": "", ".gitlab-ci.yml": "a: b\n"})
        repository.tag("v2", {"values.yaml": "a: b\n", "tests/test.py": "", "LICENSE": ""})
        project = tmp_path / "p"
        made = run("new", spec, project, "--pack", f"{repository.folder}@v1")
        assert (made.code, "warning" in made.err) == (0, False), made.err
        done = run("pack", "upgrade", project)
        assert done.code == 0
        assert f"{repository.folder}/values.yaml: warning[template-ignored]" in done.err
        assert done.err.count("warning[") == 1


class TestPlaces:
    """A message about a pack names the file of the pack, as the user would."""

    WRONG = EXTENDS + "{% block imag %}x{% endblock %}\n"

    def test_a_template_of_a_folder(self, spec: Path, tmp_path: Path) -> None:
        put(tmp_path / "packs/acme", **{"pack.toml": TABLE, "Dockerfile.j2": self.WRONG})
        (tmp_path / "work").mkdir()
        command = ("new", spec, "deep/down", "--pack", "../packs/acme")
        ended = run(*command, cwd=tmp_path / "work")
        assert ended.err.startswith("../packs/acme/Dockerfile.j2:2: error[template-block]")
        put(tmp_path / "packs/acme", **{"Dockerfile.j2": "x", "pack.toml": TABLE + "new = 1\n"})
        ended = run(*command, cwd=tmp_path / "work")
        assert ended.err.startswith("../packs/acme/pack.toml:4:1: error[pack-key]")
        put(tmp_path / "packs/acme", **{"pack.toml": TABLE, "unused.j2": "", "con.j2": ""})
        ended = run(*command, cwd=tmp_path / "work")
        assert ended.err.startswith("../packs/acme/con.j2: error[pack-escape]")
        (tmp_path / "packs/acme/con.j2").unlink()
        ended = run(*command, cwd=tmp_path / "work")
        assert ended.code == 0
        assert "../packs/acme/unused.j2: warning[template-unused]" in ended.err


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

    def test_check_lists_those_that_nobody_edited_and_regenerate_does_not(self, left: Path) -> None:
        check = run("regenerate", left, "--check")
        assert (check.code, check.err.count("warning[")) == (0, 1)
        assert "warning[orphan] `NOTES` is no longer generated" in check.err
        assert "hint: delete it, or run `mcp-scaffold regenerate --prune`" in check.err
        assert run("regenerate", left).err == "already up to date\n"
        assert (left / "NOTES").exists()

    def test_prune_deletes_them_and_no_other(self, left: Path) -> None:
        shown = run("regenerate", left, "--prune", "--dry-run")
        assert (shown.code, "delete    NOTES" in shown.err) == (0, True)
        check = run("regenerate", left, "--prune", "--check").err
        assert check.endswith("out of date: run `mcp-scaffold regenerate --prune`\n")
        done = run("regenerate", left, "--prune")
        assert (done.code, done.err) == (0, "delete    NOTES\n\n1 file written\n")
        assert not (left / "NOTES").exists()
        assert "NOTES" not in read_bases(Tree(left))
        assert (left / "MINE").read_text() == "edited\n"
        assert run("regenerate", left, "--check").err == "already up to date\n"
        assert run("regenerate", left, "--prune").err == "already up to date\n"


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

    @pytest.mark.parametrize(
        ("path", "imported"),
        [
            ("tools/greet.py", "from .acl_greet import ALLOWED"),
            ("tools/greet.py", "from . import acl_greet"),
            ("tools/greet.py", "from ..tools.acl_greet import ALLOWED"),
            ("tools/mine/__init__.py", "from ..acl_greet import ALLOWED"),
            ("tools/greet.py", "from .missing import acl_greet"),
        ],
    )
    def test_so_it_is_for_relative_imports(self, path: str, imported: str, project: Path) -> None:
        row = (
            'contract = 3\n[[files]]\ntemplate = "acl.py.j2"\nowner = "owned"\neach = "tool"\n'
            'path = "src/{{ project.package }}/FOLDER/acl_{{ tool.function }}.py"\n'
        )
        acl, table = "ALLOWED = True\n", "templates/pack.toml"
        put(project, **{"templates/acl.py.j2": acl, table: row.replace("FOLDER", "tools")})
        assert run("regenerate", project).code == 0
        put(project, **{f"src/hello/{path}": f"{imported}\n"})
        put(project, **{table: row.replace("FOLDER", "access")})
        done = run("regenerate", project)
        said = f"`src/hello/{path}` imports `src/hello/tools/acl_greet.py`, which is gone\n"
        is_certain = "missing" not in imported
        assert (f"src/hello/{path}:1: warning[gone-name] {said}" in done.err) == is_certain
        hint = "hint: import it from `src/hello/access/acl_greet.py`"
        assert (hint in done.err) == is_certain, done.err


class TestHandlers:
    def test_edited_ones_that_miss_a_change_of_their_template_are_listed(
        self, repository: Repository, spec: Path, tmp_path: Path
    ) -> None:
        spec.write_text(spec.read_text() + "  - {name: part, inputSchema: {type: object}}\n")
        handler = "src/package/tools/handler.py.j2"
        text = '{{% extends "@python/{}" %}}\n{{% block definitions %}}\n# {}\n{{% endblock %}}\n'
        repository.tag("v1", {"pack.toml": TABLE, handler: text.format(handler, "old")})
        repository.tag("v2", {handler: text.format(handler, "new")})
        project = tmp_path / "p"
        assert run("new", spec, project, "--pack", f"{repository.folder}@v1").code == 0
        mine = project / "src/hello/tools/greet.py"
        mine.write_text("# mine\n" + mine.read_text())
        done = run("pack", "upgrade", project)
        assert done.code == 0, done.err
        assert "warning[template-missed] the template `src/package/tools/handler.py.j2`" in done.err
        assert "has changed, but these were edited: `src/hello/tools/greet.py`\n" in done.err
        assert "hint: to see it, run with --force src/hello/tools/greet.py (saves" in done.err
        assert "# new" in (project / "src/hello/tools/part.py").read_text()
        assert "# old" in mine.read_text()
        assert run("regenerate", project).err == "already up to date\n"

    @pytest.mark.parametrize("moved", [False, True])
    def test_so_are_those_whose_template_has_another_path_too(
        self, repository: Repository, spec: Path, tmp_path: Path, moved: bool
    ) -> None:
        row = '[[files]]\ntemplate = "{}.j2"\npath = "{}.md"\nowner = "owned"\n'
        each = 'each = "tool"\n'
        notes = row.format("notes", "notes/{{ tool.function }}") + each
        repository.tag(
            "v1",
            {
                "pack.toml": TABLE + notes + row.format("one", "one"),
                "notes.j2": "old\n",
                "one.j2": "a\n",
            },
        )
        folder = "pages" if moved else "notes"
        now = row.format("notes", f"{folder}/{{{{ tool.function }}}}") + each
        repository.tag(
            "v2",
            {
                "pack.toml": TABLE + now + row.format("one", "two"),
                "notes.j2": "new\n",
                "one.j2": "b\n",
            },
        )
        project = tmp_path / "p"
        assert run("new", spec, project, "--pack", f"{repository.folder}@v1").code == 0
        put(project, **{"notes/greet.md": "mine\n", "one.md": "mine too\n"})
        done = run("pack", "upgrade", project)
        assert done.code == 0, done.err
        assert f"these were edited: `{folder}/greet.md`\n" in done.err
        assert "these were edited: `two.md`\n" in done.err
        assert (project / f"{folder}/greet.md").read_text() == "mine\n"
        assert (project / "two.md").read_text() == "mine too\n"


class TestTemplatesInBetween:
    """A template of the project that extends one, and a pack that begins to fill it."""

    def test_one_that_a_template_leaves_out_is_named(
        self, repository: Repository, spec: Path, tmp_path: Path
    ) -> None:
        repository.tag("v1", {"pack.toml": TABLE})
        repository.tag("v2", {"Dockerfile.j2": DOCKERFILE})
        project = tmp_path / "p"
        assert run("new", spec, project, "--pack", f"{repository.folder}@v1").code == 0
        put(project, **{"templates/Dockerfile.j2": EXTENDS + "{% block image %}mine{% endblock %}"})
        assert "warning" not in run("regenerate", project).err
        done = run("pack", "upgrade", project)
        assert done.code == 0, done.err
        assert (
            "templates/Dockerfile.j2:1: warning[template-skips] `Dockerfile.j2` extends" in done.err
        )
        assert "skips `@acme/Dockerfile.j2`" in done.err
        put(
            project,
            **{
                "templates/Dockerfile.j2": '{% extends "@acme/Dockerfile.j2" %}\n'
                "{% block image %}mine{% endblock %}"
            },
        )
        done = run("regenerate", project)
        assert (done.code, "warning" in done.err) == (0, False), done.err
        assert "LABEL vendor=acme" in (project / "Dockerfile").read_text()


class TestPacksThatChangeLittle:
    def test_a_block_that_is_overridden_and_changes_is_told(
        self, repository: Repository, spec: Path, tmp_path: Path
    ) -> None:
        repository.tag("v1", {"pack.toml": TABLE, "Dockerfile.j2": DOCKERFILE})
        project = tmp_path / "p"
        assert run("new", spec, project, "--pack", f"{repository.folder}@v1").code == 0
        own = '{% extends "@acme/Dockerfile.j2" %}\n{% block runtime %}\nLABEL own=1\n{% endblock %}\n'
        put(project, **{"templates/Dockerfile.j2": own})
        assert run("regenerate", project).code == 0
        repository.tag("v2", {"Dockerfile.j2": DOCKERFILE.replace("acme", "acme-ltd")})
        done = run("pack", "upgrade", project)
        said = "Dockerfile.j2: warning[template-rebased] the block `runtime` of `@acme/Dockerfile.j2` has"
        assert (done.code, said in done.err) == (0, True), done.err
        assert "template-rebased" not in run("pack", "upgrade", project).err

    def test_a_pack_that_forgets_to_extend_another_is_told(
        self, spec: Path, tmp_path: Path
    ) -> None:
        put(tmp_path / "acme", **{"pack.toml": 'name = "acme"\ncontract = 3\n'})
        ended = run("new", spec, tmp_path / "p", "--pack", tmp_path / "acme")
        said = "pack.toml: warning[pack-alone] `acme` extends no other pack"
        assert f"{tmp_path}/acme/{said}" in ended.err
