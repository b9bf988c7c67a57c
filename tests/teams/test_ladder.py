"""Each rung of the ladder does what it says, and goes on doing so when our own pack is upgraded."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.teams.building import REPOSITORY, TABLE, record_pack, run

EXTENDED = '{% extends "@python/Dockerfile.j2" %}{% block image %}mine:1{% endblock %}\n'
ROW = 'contract = 3\n[[files]]\ntemplate = "notes.md.j2"\npath = "docs/{{ project.name }}.md"\nowner = "merged"\n'

RUNGS = {
    "a file of the same name": {
        "templates/Dockerfile.j2": "FROM mine:1\nUSER {{ project.name }}\n"
    },
    "one block": {"templates/Dockerfile.j2": EXTENDED},
    "a new row": {
        "templates/pack.toml": ROW,
        "templates/notes.md.j2": "# {{ project.title | md }}\n",
    },
    "a pack of one's own": {
        ".scaffold/pack/pack.toml": TABLE + ROW.partition("\n")[2],
        ".scaffold/pack/notes.md.j2": "# {{ project.title | md }}\n",
        ".scaffold/pack/Dockerfile.j2": EXTENDED,
    },
    "all of them": {
        "templates/Dockerfile.j2": '{% extends "@acme/Dockerfile.j2" %}'
        "{% block runtime %}LABEL own=1\n{% endblock %}",
        ".scaffold/pack/pack.toml": TABLE,
        ".scaffold/pack/Dockerfile.j2": EXTENDED,
    },
}


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A later mcp-scaffold, whose Dockerfile has another working folder."""
    checkout = tmp_path_factory.mktemp("later")
    for part in ("scaffold", "templates"):
        shutil.copytree(
            REPOSITORY / part, checkout / part, ignore=shutil.ignore_patterns("__pycache__")
        )
    docker = checkout / "templates/python/Dockerfile.j2"
    docker.write_text(docker.read_text().replace("WORKDIR /build", "WORKDIR /later"))
    (checkout / "templates/second").mkdir()
    (checkout / "templates/second/pack.toml").write_text(TABLE.replace("acme", "second"))
    (checkout / "templates/second/header.j2").write_text("# second\n")
    return checkout


def test_a_project_keeps_to_the_built_in_pack_that_it_was_made_with(
    upgraded: Path, spec: Path, tmp_path: Path
) -> None:
    env = {"PYTHONPATH": str(upgraded)}
    made = run("new", spec, tmp_path / "p", "--pack", "second", env=env)
    assert made.code == 0, made.err
    assert (tmp_path / "p/Dockerfile").read_text().startswith("# second\n")
    assert run("regenerate", tmp_path / "p", "--check", env=env).code == 0
    listed = run("pack", "list", tmp_path / "p", env=env).out.splitlines()
    assert listed[:2] == ["second: built in", "python: built in"]


@pytest.mark.parametrize("rung", RUNGS)
def test_a_rung_holds_over_an_upgrade_of_the_built_in_pack(
    rung: str, project: Path, upgraded: Path
) -> None:
    files = RUNGS[rung]
    for path, text in files.items():
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_text(text)
    record_pack(project)
    assert run("regenerate", project, "--check").code == 1
    done = run("regenerate", project)
    assert done.code == 0, done.err
    assert run("regenerate", project, "--check").code == 0
    seen = expected(rung, project, "WORKDIR /build")
    later = run("regenerate", project, env={"PYTHONPATH": str(upgraded)})
    assert later.code == 0, later.err
    assert ("update    Dockerfile" in later.err) == (rung != "a file of the same name")
    assert expected(rung, project, "WORKDIR /later") == seen
    assert {path: (project / path).read_text() for path in files} == files


def expected(rung: str, project: Path, folder: str) -> list[str]:
    """Check what the rung makes; returns the first line of the Dockerfile."""
    docker = (project / "Dockerfile").read_text()
    if rung == "a file of the same name":
        assert docker == "FROM mine:1\nUSER hello\n"
    else:
        assert folder in docker
        assert docker.count("FROM mine:1") == (0 if rung == "a new row" else 2)
        assert ("LABEL own=1\nUSER 10001" in docker) == (rung == "all of them")
    if "row" in rung or "one's own" in rung:
        assert (project / "docs/hello.md").read_text() == "# hello\n"
    return docker.splitlines()[:1]


class TestEject:
    def test_a_copy_is_in_step_until_the_original_changes(
        self, project: Path, upgraded: Path
    ) -> None:
        later = {"PYTHONPATH": str(upgraded)}
        assert run("pack", "eject", "Dockerfile", project).code == 0
        copy = project / "templates/Dockerfile.j2"
        original = (REPOSITORY / "templates/python/Dockerfile.j2").read_text()
        note, _, body = copy.read_text().partition("\n")
        assert note.startswith("{# Ejected from @python/Dockerfile.j2, which was ")
        assert body == original
        assert run("regenerate", project).err == "updated `.scaffold/lock.json`\n"

        copy.write_text(copy.read_text().replace("useradd --create-home", "useradd -m"))
        done = run("regenerate", project)
        assert (done.code, done.err.count("warning")) == (0, 0)
        assert run("pack", "show", project, "--diff").out == ""

        warned = run("regenerate", project, env=later)
        assert warned.code == 0
        assert "templates/Dockerfile.j2:1: warning[template-changed]" in warned.err
        assert "WORKDIR /build" in (project / "Dockerfile").read_text()
        diff = run("pack", "show", project, "--diff", env=later).out
        assert "-WORKDIR /build\n+WORKDIR /later\n" in diff
        assert "useradd" not in "".join(line for line in diff.splitlines() if line[0] in "+-")

        merged = run("pack", "eject", "Dockerfile", project, env=later)
        assert (merged.code, merged.out) == (0, "")
        assert "useradd -m" in copy.read_text()
        assert "WORKDIR /later" in copy.read_text()
        settled = run("regenerate", project, env=later)
        assert (settled.code, settled.err.count("warning")) == (0, 0)
        assert "WORKDIR /later" in (project / "Dockerfile").read_text()

    def test_a_change_of_the_same_line_is_marked_and_nothing_is_made_of_it(
        self, project: Path, upgraded: Path
    ) -> None:
        later = {"PYTHONPATH": str(upgraded)}
        assert run("pack", "eject", "@python/Dockerfile.j2", project).code == 0
        copy = project / "templates/Dockerfile.j2"
        copy.write_text(copy.read_text().replace("WORKDIR /build", "WORKDIR /mine"))
        assert run("regenerate", project).code == 0
        again = run("pack", "eject", "Dockerfile", project, env=later)
        assert (again.code, "1 conflict: resolve" in again.err) == (1, True)
        text = copy.read_text()
        assert "<<<<<<< yours\nWORKDIR /mine\n=======\nWORKDIR /later\n>>>>>>>" in text
        ended = run("regenerate", project, env=later)
        assert ended.code == 2
        assert "unresolved conflict markers" in ended.err
        assert "WORKDIR /mine" in (project / "Dockerfile").read_text()

    def test_a_template_of_one_s_own_is_not_overwritten(self, project: Path) -> None:
        (project / "templates").mkdir()
        (project / "templates/Dockerfile.j2").write_text("mine\n")
        ended = run("pack", "eject", "Dockerfile", project)
        assert (ended.code, "[template-exists]" in ended.err) == (2, True)
        assert (project / "templates/Dockerfile.j2").read_text() == "mine\n"
