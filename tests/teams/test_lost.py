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
from tests.teams.building import QUESTIONS, REPOSITORY, TABLE, Repository, run

EXTENDS = '{% extends "@python/Dockerfile.j2" %}\n'
DOCKERFILE = EXTENDS + "{% block runtime %}\nLABEL vendor=acme\n{% endblock %}\n"
AROUND = '{% extends "@python/src/package/_generated/server.py.j2" %}\n'
TOOLS = "templates/src/package/_generated/server.py.j2"


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


@pytest.fixture
def later(tmp_path: Path) -> Path:
    """A later mcp-scaffold, whose Dockerfile has renamed the block `runtime`."""
    checkout = tmp_path / "later"
    for part in ("scaffold", "templates"):
        shutil.copytree(
            REPOSITORY / part, checkout / part, ignore=shutil.ignore_patterns("__pycache__")
        )
    docker = checkout / "templates/python/Dockerfile.j2"
    docker.write_text(docker.read_text().replace("block runtime", "block runtime_stage"))
    return checkout


class TestBlocks:
    @pytest.mark.parametrize(
        ("files", "said", "hint"),
        [
            (
                {TOOLS: AROUND + "{% block arround_call %}, observed(){% endblock %}\n"},
                f"{TOOLS}:2: error[template-block] `@python/{TOOLS[10:]}` has no block `arround_call`",
                "did you mean `around_call`?",
            ),
            (
                {"templates/Dockerfile.j2": EXTENDS + "{% block xyz %}{% endblock %}\n"},
                "templates/Dockerfile.j2:2: error[template-block]",
                "choose `image`, `build`, `install`, `stages`, `server`, `runtime` or `entrypoint`",
            ),
            (
                {
                    "templates/Dockerfile.j2": EXTENDS
                    + "{% if project.web %}\n{% block imagee %}x{% endblock %}\n{% endif %}\n"
                },
                "templates/Dockerfile.j2:3: error[template-block]",
                "did you mean `image`?",
            ),
        ],
    )
    def test_a_block_that_no_template_beneath_has_is_an_error(
        self, files: dict[str, str], said: str, hint: str, project: Path
    ) -> None:
        put(project, **files)
        ended = refused(project, "regenerate", project)
        assert said in ended.err
        assert hint in ended.err

    @pytest.mark.parametrize(
        ("text", "line"),
        [
            ("{% if project.web %}\n" + EXTENDS + "{% endif %}\n", 2),
            ('{% extends "@python/Dockerfile.j2" if project.web else "other.j2" %}\n', 1),
            ('{% set at = "@python/Dockerfile.j2" %}\n{% extends at %}\n', 2),
        ],
    )
    def test_what_a_template_extends_depends_on_nothing(
        self, text: str, line: int, project: Path
    ) -> None:
        put(project, **{"templates/Dockerfile.j2": text + "{% block xyz %}{% endblock %}\n"})
        ended = refused(project, "regenerate", project)
        said = f"templates/Dockerfile.j2:{line}: error[template-extends] `extends` depends on"
        assert said in ended.err
        assert "extend one path, and put the condition into its blocks" in ended.err

    def test_a_block_in_a_block_is_new_and_fine(self, project: Path) -> None:
        filled = (
            "{% block runtime %}\n{% block labels %}\nLABEL a=b\n{% endblock %}\n{% endblock %}"
        )
        put(project, **{"templates/Dockerfile.j2": EXTENDS + filled})
        ended = run("regenerate", project)
        assert ended.code == 0, ended.err
        assert "LABEL a=b" in (project / "Dockerfile").read_text()

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

    def test_a_pack_with_an_unknown_block_makes_no_project(
        self, repository: Repository, spec: Path, tmp_path: Path
    ) -> None:
        text = EXTENDS + "{% block imag %}x{% endblock %}\n"
        repository.tag("v1", {"pack.toml": TABLE, "Dockerfile.j2": text})
        ended = run("new", spec, tmp_path / "p", "--pack", f"{repository.folder}@v1")
        assert ended.code == 2
        assert "has no block `imag`" in ended.err
        assert not (tmp_path / "p").exists()

    def test_a_block_that_a_new_mcp_scaffold_lacks_stops_regenerate(
        self, project: Path, later: Path
    ) -> None:
        put(project, **{"templates/Dockerfile.j2": DOCKERFILE})
        assert run("regenerate", project).code == 0
        for options in ((), ("--check",)):
            ended = refused(
                project, "regenerate", project, *options, env={"PYTHONPATH": str(later)}
            )
            assert "templates/Dockerfile.j2:2: error[block-gone]" in ended.err
            assert "no longer has a block `runtime`" in ended.err
            assert "did you mean `runtime_stage`?" in ended.err

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
        assert "`@acme/Dockerfile.j2` no longer has a block `labels`" in ended.err
        assert "LABEL own=1" in (project / "Dockerfile").read_text()


class TestTextOutsideOfBlocks:
    @pytest.mark.parametrize(
        ("text", "line", "said"),
        [
            (DOCKERFILE + "\nLABEL security=scanned\nLABEL b=c\n", 6, "LABEL security=scanned"),
            (EXTENDS + "LABEL a=b\n" + DOCKERFILE[len(EXTENDS) :], 2, "LABEL a=b"),
            (EXTENDS + "\n\nLABEL {{ project.name }}\n", 4, "LABEL {{ project.name }}"),
            (EXTENDS + "{{ project.name }}\n", 2, "{{ project.name }}"),
            (EXTENDS + '{% include "header.j2" %}\n', 2, '{% include "header.j2" %}'),
            (EXTENDS + "{% if project.web %}\nEXPOSE 80\n{% endif %}\n", 3, "EXPOSE 80"),
        ],
    )
    def test_it_is_an_error_at_its_line(
        self, text: str, line: int, said: str, project: Path
    ) -> None:
        put(project, **{"templates/Dockerfile.j2": text})
        ended = refused(project, "regenerate", project)
        assert f"templates/Dockerfile.j2:{line}: error[template-text] text outside" in ended.err
        assert f"{line} | {said}\n" in ended.err
        assert "hint: put it in a block of `@python/Dockerfile.j2`" in ended.err

    def test_comments_macros_imports_and_variables_may_be_there(self, project: Path) -> None:
        text = (
            "{# ours #}\n" + EXTENDS + "{# a comment #}\n\n{% set key = 'vendor' %}\n"
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

    def test_so_is_a_template_more_or_less(self, packed: Path) -> None:
        put(packed, **{".scaffold/pack/header.j2": "# more\n"})
        assert "[pack-edited]" in refused(packed, "regenerate", packed).err
        (packed / ".scaffold/pack/header.j2").unlink()
        (packed / ".scaffold/pack/Dockerfile.j2").unlink()
        assert "[pack-edited]" in refused(packed, "regenerate", packed).err

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

    def test_line_ends_are_no_edit(self, packed: Path) -> None:
        template = packed / ".scaffold/pack/Dockerfile.j2"
        template.write_bytes(template.read_bytes().replace(b"\n", b"\r\n"))
        assert run("regenerate", packed, "--check").code == 0


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

    def test_its_pack_is_not_upgraded(self, newer: Path, repository: Repository) -> None:
        repository.tag("v2", {"header.j2": "# two\n"})
        assert "[newer-project]" in refused(newer, "pack", "upgrade", newer).err

    def test_a_lock_of_a_later_format_is_not_called_broken(self, packed: Path) -> None:
        text = (packed / LOCK).read_text()
        (packed / LOCK).write_text(text.replace('"format": 1', '"format": 2'))
        ended = refused(packed, "regenerate", packed)
        assert "a newer mcp-scaffold wrote the lock file: it has format 2" in ended.err
        assert "hint: upgrade mcp-scaffold" in ended.err

    def test_a_pack_that_requires_a_newer_one_is_not_taken(
        self, packed: Path, repository: Repository
    ) -> None:
        repository.tag("v2", {"pack.toml": TABLE + 'requires = ">=99"\n'})
        ended = refused(packed, "pack", "upgrade", packed)
        assert "[pack-requires] pack `acme` requires mcp-scaffold >=99" in ended.err


class TestFilesWithoutEffect:
    def test_a_template_without_a_row_is_named(self, project: Path) -> None:
        put(project, **{"templates/helm/values.yaml.j2": "{# helm/values.yaml.j2 #}\nname: x\n"})
        ended = run("regenerate", project)
        assert ended.code == 0
        said = "templates/helm/values.yaml.j2: warning[template-unused] nothing uses the template"
        assert said in ended.err
        assert "hint: give it a row in pack.toml, or remove it" in ended.err

    def test_one_that_another_includes_or_extends_is_used(self, project: Path) -> None:
        put(
            project,
            **{
                "templates/Dockerfile.j2": EXTENDS
                + '{% block runtime %}\n{% include "labels.j2" %}\n{% endblock %}\n',
                "templates/labels.j2": '{% extends "@project/base.j2" %}',
                "templates/base.j2": "LABEL a=b\n",
            },
        )
        ended = run("regenerate", project)
        assert (ended.code, "warning" in ended.err) == (0, False), ended.err

    def test_one_whose_original_has_another_path_is_named(self, project: Path, later: Path) -> None:
        put(project, **{"templates/Dockerfile.j2": "FROM mine\n"})
        assert run("regenerate", project).code == 0
        python = later / "templates/python"
        table = (python / "pack.toml").read_text()
        (python / "pack.toml").write_text(table.replace("Dockerfile.j2", "Containerfile.j2"))
        (python / "Dockerfile.j2").rename(python / "Containerfile.j2")
        ended = run("regenerate", project, env={"PYTHONPATH": str(later)})
        assert "templates/Dockerfile.j2: warning[template-unused]" in ended.err

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

    def test_a_template_for_copier(
        self, repository: Repository, spec: Path, tmp_path: Path
    ) -> None:
        files = {"copier.yml": QUESTIONS + "_subdirectory: pack\nteam: {type: str, default: a}\n"}
        files |= {"pack/pack.toml": TABLE, "pack/header.j2.copier": "# << team >>\n"}
        repository.tag("v1", files)
        project = tmp_path / "p"
        pack = ("--pack", f"{repository.folder}@v1", "--defaults")
        assert run("new", spec, project, *pack).code == 0
        repository.tag("v2", {"pack/header.j2.copier": "# << team >>\n{{ project.nam }}\n"})
        ended = refused(project, "pack", "upgrade", project)
        place = f"{repository.folder}/pack/header.j2.copier:2"
        assert ended.err.startswith(f"{place}: error[template-undefined]")


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

    def test_imports_of_a_pack_s_own_modules_follow_a_renamed_tool(self, project: Path) -> None:
        put(project, **{"templates/pack.toml": self.ROWS, "templates/row.py.j2": self.ROW})
        assert run("regenerate", project).code == 0
        handler = project / "src/hello/tools/greet.py"
        imports = "from hello._generated.rows.greet import GreetArgumentsRow, row\n"
        use = "\nprint(GreetArgumentsRow, row)\n"
        handler.write_text(imports + handler.read_text() + use)
        other = "import hello._generated.rows.greet\n\nprint(hello._generated.rows.greet.row)\n"
        put(project, **{"src/hello/tools/mine.py": other})
        spec = (project / "mcp.yaml").read_text()
        renamed = spec.replace("name: greet\n", "name: welcome\n    renamedFrom: greet\n")
        put(project, **{"mcp.yaml": renamed})
        done = run("regenerate", project)
        assert (done.code, "gone-name" in done.err) == (0, False), done.err
        text = (project / "src/hello/tools/welcome.py").read_text()
        imported = text.partition("\n")[0]
        assert imported == "from hello._generated.rows.welcome import WelcomeArgumentsRow, row"
        assert "print(WelcomeArgumentsRow, row)" in text
        assert (project / "src/hello/tools/mine.py").read_text() == other.replace(
            "rows.greet", "rows.welcome"
        )

    @pytest.mark.parametrize(
        ("imported", "said", "hint"),
        [
            (
                "from hello._generated.counts import count",
                "imports `count`, which",
                "import it from",
            ),
            (
                "import hello._generated.counts as counts",
                "imports `_generated/counts.py`, which no longer exists",
                "",
            ),
            (
                "from hello._generated import counts",
                "imports `_generated/counts.py`, which no longer exists",
                "",
            ),
            ("from .._generated.counts import count", "imports `count`, which", "import it from"),
        ],
    )
    def test_a_module_of_the_pack_that_moves_is_told_to_who_imports_it(
        self, imported: str, said: str, hint: str, project: Path
    ) -> None:
        row = (
            'contract = 3\n[[files]]\ntemplate = "{0}.py.j2"\nowner = "generated"\n'
            'path = "src/{{{{ project.package }}}}/_generated/{0}.py"\n'
        )
        text = "def count() -> int:\n    return 1\n"
        put(
            project, **{"templates/pack.toml": row.format("counts"), "templates/counts.py.j2": text}
        )
        put(project, **{"src/hello/mine.py": f"{imported}\n"})
        assert run("regenerate", project).code == 0
        (project / "templates/counts.py.j2").unlink()
        put(
            project, **{"templates/pack.toml": row.format("totals"), "templates/totals.py.j2": text}
        )
        done = run("regenerate", project)
        assert f"src/hello/mine.py:1: warning[gone-name] `src/hello/mine.py` {said}" in done.err
        assert f"hint: {hint or 'edit it'}" in done.err
        put(project, **{"src/hello/mine.py": imported.replace("counts", "totals")})
        assert "gone-name" not in run("regenerate", project).err

    @pytest.mark.parametrize("owner", ["owned", "merged", "generated"])
    @pytest.mark.parametrize("moves", [True, False])
    def test_so_it_is_for_modules_outside_of_the_generated_ones(
        self, owner: str, moves: bool, project: Path
    ) -> None:
        row = (
            f'[[files]]\ntemplate = "acl.py.j2"\nowner = "{owner}"\neach = "tool"\n'
            'path = "src/{{ project.package }}/FOLDER/{{ tool.function }}.py"\n'
        )
        table, acl = "contract = 3\n", {"templates/acl.py.j2": "ALLOWED = True\n"}
        put(project, **acl, **{"templates/pack.toml": table + row.replace("FOLDER", "acl")})
        handler = project / "src/hello/tools/greet.py"
        imported = "from hello.acl.greet import ALLOWED\n"
        handler.write_text(imported + handler.read_text() + "\nprint(ALLOWED)\n")
        assert "gone-name" not in run("regenerate", project).err
        later = row.replace("FOLDER", "access") if moves else ""
        put(project, **{"templates/pack.toml": table + later})
        if not moves:
            (project / "templates/acl.py.j2").unlink()
        done = run("regenerate", project, "--prune")
        said = "warning[gone-name] `src/hello/tools/greet.py` imports `src/hello/acl/greet.py`"
        if (project / "src/hello/acl/greet.py").exists():
            assert said not in done.err
            return
        assert f"src/hello/tools/greet.py:1: {said}, which is gone" in done.err
        if moves and owner != "generated":
            assert "hint: import it from `src/hello/access/greet.py`" in done.err
        assert "gone-name" not in run("regenerate", project).err

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
        """With the difference between what the template made and makes now."""
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
        assert "-# old\n+# new\n" in done.err
        assert "# mine" not in done.err
        assert "# new" in (project / "src/hello/tools/part.py").read_text()
        assert "# old" in mine.read_text()
        assert run("regenerate", project).err == "already up to date\n"

    def test_a_change_of_the_spec_is_none_of_the_template(self, project: Path) -> None:
        mine = project / "src/hello/tools/greet.py"
        mine.write_text("# mine\n" + mine.read_text())
        text = (project / "mcp.yaml").read_text()
        put(project, **{"mcp.yaml": text.replace("Greets a person", "Welcomes somebody")})
        put(project, **{"templates/header.j2": ""})
        assert "template-missed" not in run("regenerate", project).err

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
        assert (
            f"--- a/notes/greet.md\n+++ b/{folder}/greet.md\n@@ -1 +1 @@\n-old\n+new\n" in done.err
        )
        assert "--- a/one.md\n+++ b/two.md\n@@ -1 +1 @@\n-a\n+b\n" in done.err
        assert (project / f"{folder}/greet.md").read_text() == "mine\n"
        assert (project / "two.md").read_text() == "mine too\n"


class TestWhatBlocksDoNotSee:
    @pytest.mark.parametrize(
        ("tags", "end"),
        [
            ("{% if project.web %}", "{% endif %}"),
            ("{% if project.web %}\n{% else %}", "{% endif %}"),
            ("{% for tool in project.tools %}", "{% endfor %}"),
            ("{% with a = 1 %}", "{% endwith %}"),
        ],
    )
    def test_tags_around_a_block_of_a_template_that_extends_are_an_error(
        self, project: Path, tags: str, end: str
    ) -> None:
        block = "{% block runtime %}\nLABEL a=b\n{% endblock %}\n"
        put(project, **{"templates/Dockerfile.j2": f"{EXTENDS}{tags}\n{block}{end}\n"})
        ended = refused(project, "regenerate", project)
        line = 3 + tags.count("\n")
        assert (
            f"templates/Dockerfile.j2:{line}: error[template-within] the tags around" in ended.err
        )
        assert "hint: put them into the block" in ended.err

    def test_inside_of_it_they_are_right(self, project: Path) -> None:
        text = "{% block runtime %}\n{% if project.web %}\nLABEL a=b\n{% endif %}\n{% endblock %}\n"
        put(project, **{"templates/Dockerfile.j2": EXTENDS + text})
        assert run("regenerate", project).code == 0
        assert "LABEL a=b" not in (project / "Dockerfile").read_text()


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

    def test_so_it_is_for_a_copy(self, repository: Repository, spec: Path, tmp_path: Path) -> None:
        repository.tag("v1", {"pack.toml": TABLE})
        repository.tag("v2", {"Dockerfile.j2": DOCKERFILE})
        project = tmp_path / "p"
        assert run("new", spec, project, "--pack", f"{repository.folder}@v1").code == 0
        assert run("pack", "eject", "Dockerfile", project).code == 0
        done = run("pack", "upgrade", project)
        assert "warning[template-skips] `Dockerfile.j2` is a copy of `@python/D" in done.err


class TestTemplatesThatGo:
    def test_an_edited_file_of_a_tool_that_stays_is_none_of_a_renamed_tool(
        self, project: Path
    ) -> None:
        row = '[[files]]\ntemplate = "NOTE.j2"\npath = "{0}.md"\nowner = "owned"\neach = "tool"\n'
        table = "contract = 3\n" + row.format("{{ tool.function }}")
        put(project, **{"templates/pack.toml": table, "templates/NOTE.j2": "note\n"})
        assert run("regenerate", project).code == 0
        put(project, **{"greet.md": "mine\n"})
        shutil.rmtree(project / "templates")
        done = run("regenerate", project)
        assert "warning[orphan] `greet.md`, the file of `greet`, is no longer" in done.err
        assert "renamedFrom" not in done.err
        assert "hint: move what you need elsewhere, then delete it" in done.err
