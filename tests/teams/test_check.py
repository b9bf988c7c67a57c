"""`pack check` finds what is wrong with a pack before any server has it."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from scaffold.packs import builtin_packs
from scaffold.packs.pack import read_pack
from scaffold.project.generate import generate
from scaffold.teams.check import builtin_specs
from scaffold.yaml.source import read
from tests.command import Ended
from tests.teams.building import QUESTIONS, TABLE, run

CLOUD = "cloud: {type: str, choices: [none, aws], default: none}\n"


def row(template: str, **keys: str) -> str:
    lines = [f"{key} = {json.dumps(value)}" for key, value in {"owner": "merged", **keys}.items()]
    return f'[[files]]\ntemplate = "{template}"\n' + "\n".join(lines) + "\n"


def checked(folder: Path, files: Mapping[str, str], *options: object) -> Ended:
    """Check a pack of these files without running the servers."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    return run("pack", "check", folder.name, "--no-run", *options, cwd=folder.parent)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the pack is."""
    return tmp_path / "acme"


def test_a_template_that_only_one_choice_uses_is_not_called_unused(folder: Path) -> None:
    empty = run("pack", "check", folder.parent)
    assert (empty.code, "error[pack-missing]" in empty.err) == (2, True)
    files = {
        "copier.yml": QUESTIONS + CLOUD,
        "A.j2": "",
        "B.j2": "",
        "pack.toml.copier": TABLE + "<% if cloud == 'aws' %>\n" + row("A.j2") + "<% endif %>\n",
    }
    told = checked(folder, files).err
    assert "acme/B.j2: warning[template-unused]" in told
    assert "acme/A.j2" not in told


class TestGoldenOutputs:
    def test_they_hold_what_the_pack_changes_and_tell_of_each_difference(
        self, folder: Path
    ) -> None:
        files = {
            "copier.yml": QUESTIONS + CLOUD,
            "A.j2.copier": "<< cloud >>\n",
            "pack.toml": TABLE + row("A.j2"),
        }
        updated = checked(folder, files, "--update")
        assert updated.code == 0, updated.err
        golden = folder / "golden"
        assert {path.relative_to(golden).as_posix() for path in golden.rglob("A")} == {
            f"{answers}/{spec}/A"
            for answers in ("defaults", "cloud=aws")
            for spec in builtin_specs()
        }
        assert sum(path.is_file() for path in golden.rglob("*")) == 9
        assert (golden / "defaults/two-tools.txt").read_text() == "A: merged\n"
        assert checked(folder, {}, "--compare").code == 0
        ended = checked(folder, {"A.j2.copier": "in << cloud >>\n"}, "--compare")
        assert ended.code == 1
        assert ended.out.startswith("--- a/golden/cloud=aws/everything/A\n")
        assert "\n-none\n+in none\n" in ended.out
        (golden / "defaults/two-tools/A").unlink()
        assert "--- /dev/null\n" in checked(folder, {}, "--compare").out
        assert checked(folder, {}, "--update").code == 0
        assert checked(folder, {}, "--compare").code == 0
        assert checked(folder, {"A.j2.copier": "{{ nothing }}\n"}, "--update").code == 2
        assert (golden / "defaults/two-tools/A").read_text() == "in none\n"

    def test_they_hold_copied_files_owners_and_modes(self, folder: Path) -> None:
        copied = '[[files]]\ntemplate = "files/logo.png"\nowner = "owned"\n'
        run_sh = '[[files]]\ntemplate = "run.sh.j2"\nowner = "merged"\n'
        (folder / "files").mkdir(parents=True)
        (folder / "files/logo.png").write_bytes(b"\x89PNG\0one")
        files = {"run.sh.j2": "true\n", "pack.toml": TABLE + copied + run_sh}
        assert checked(folder, files, "--update").code == 0
        assert checked(folder, {}, "--compare").code == 0
        (folder / "files/logo.png").write_bytes(b"\x89PNG\0two")
        ended = checked(folder, {}, "--compare")
        assert (ended.code, ended.out.count("\n-logo.png: owned, sha256 ")) == (1, 3)
        (folder / "files/logo.png").write_bytes(b"\x89PNG\0one")
        for table, said in (
            (TABLE + copied + run_sh + "executable = true\n", "+run.sh: merged, executable"),
            (TABLE + copied + run_sh.replace("merged", "generated"), "+run.sh: generated"),
            (TABLE + copied + run_sh + 'when = "project.web"\n', "-run.sh: merged"),
            (TABLE.replace('"python"', '"python"\nwithout = ["Dockerfile.j2"]') + copied + run_sh,
             "+Dockerfile: gone"),
        ):  # fmt: skip
            ended = checked(folder, {"pack.toml": table}, "--compare")
            assert ended.code == 1, said
            assert f"\n{said}\n" in ended.out
        assert checked(folder, files, "--compare").code == 0


def test_every_row_of_the_built_in_pack_makes_a_file_of_a_built_in_spec() -> None:
    """So that no `when` of a team's pack is called unused without reason."""
    made = set()
    for spec in builtin_specs().values():
        files = generate(read(spec), spec.parent, Path(), {}).files
        made |= {file.template for file in files.values()}
    pack = read_pack(builtin_packs() / "python")
    assert {row.template for row in pack.table.rows} == made - {"mcp-scaffold"}


@pytest.mark.slow
def test_a_new_pack_passes_all_checks(tmp_path: Path) -> None:
    made = run("pack", "new", "acme", cwd=tmp_path)
    assert made.err == "acme: 8 files in acme\nnext: mcp-scaffold pack check acme\n"
    pack = tmp_path / "acme"
    for path in (".github/workflows/ci.yml", ".gitlab-ci.yml"):
        assert "pack check --compare" in (pack / path).read_text()
        yaml.safe_load((pack / path).read_text())
    assert tomllib.loads((pack / "pack/pack.toml").read_text())["name"] == "acme"
    assert run("pack", "check", "--no-run", "--compare", cwd=pack).code == 0
    options = ("--python", sys.executable, "--update")
    ended = run("pack", "check", "acme", *options, cwd=tmp_path, timeout=900)
    assert (ended.code, ended.err) == (
        0, "acme: 3 servers checked, 9 golden outputs written\n",
    )  # fmt: skip
    assert run("pack", "check", "--no-run", "--compare", cwd=pack).code == 0


@pytest.mark.slow
def test_what_only_shows_when_servers_run_is_found(folder: Path) -> None:
    files = {
        "pack.toml": TABLE
        + row("src/package/more.py.j2", path="src/{{ project.package }}/more.py"),
        "src/package/more.py.j2": 'def size() -> int:\n    return "one"\n',
        "src/package/lifespan.py.j2": '{% extends "@python/src/package/lifespan.py.j2" %}'
        "\n{% block open %}\n    raise OSError\n{% endblock %}\n",
    }
    assert checked(folder, files).code == 0
    python = ("--python", sys.executable, "--keep", folder.parent / "servers")
    ended = run("pack", "check", folder, *python, timeout=900)
    assert ended.code == 2
    assert "error[pack-trial] `mypy` fails in the server `defaults/two-tools`: " in ended.err
    assert "src/two_tools/more.py:2: error: Incompatible return value type" in ended.err
    assert "error[pack-trial] `client.py` fails in the server `defaults/everything`: " in ended.err
    assert (folder.parent / "servers/defaults/two-tools/mcp.yaml").exists()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("python", "[pack-value] `python` is already the name of a built-in pack"),
        ("project", "[pack-value] `project` is already the name of a project's own templates"),
        ("Acme", "[pack-value] `Acme` cannot be the name of a pack"),
        ("full", "[dest-not-empty]"),
    ],
)
def test_a_new_pack_needs_a_name_and_a_folder_of_its_own(
    tmp_path: Path, name: str, said: str
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full/mine").touch()
    ended = run("pack", "new", name, cwd=tmp_path)
    assert (ended.code, f"error{said}" in ended.err, "hint: " in ended.err) == (2, True, True)
