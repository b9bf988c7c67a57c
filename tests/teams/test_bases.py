"""A pack can stand on another team's: a division's on that of its company."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scaffold.base.diagnostics import ScaffoldError
from scaffold.teams.address import parse_address
from scaffold.teams.copying import Asked
from scaffold.teams.fetching import fetch_pack
from scaffold.teams.git import Fetched
from tests.teams.building import OWNERS, QUESTIONS, TABLE, Create, Repository, needs_git, run

pytestmark = needs_git

DOCKERFILE = """\
{% extends "@python/Dockerfile.j2" %}
{% block image %}{% block registry %}registry.acme.example{% endblock %}/python:3.13{% endblock %}
"""

DATA = """\
{% extends "@acme/Dockerfile.j2" %}
{% block registry %}data.acme.example{% endblock %}
"""


def table(base: str, name: str = "data", more: str = "") -> str:
    return f'name = "{name}"\ncontract = 3\nextends = "{base}"\n{more}'


def record(project: Path) -> Any:
    return json.loads((project / ".scaffold/pack.json").read_text("utf-8"))


@pytest.fixture
def company(tmp_path: Path) -> Repository:
    """The pack of a company, with a question."""
    repository = Repository(tmp_path / "acme-pack")
    questions = QUESTIONS + 'team: {type: str, default: platform, help: "Which team?"}\n'
    files = {
        "copier.yml": questions,
        "pack.toml": TABLE + OWNERS,
        "OWNERS.j2.copier": "<< team >>\n",
        "Dockerfile.j2": DOCKERFILE,
        "header.j2": "# Acme\n",
    }
    repository.tag("v1.0.0", files)
    return repository


@pytest.fixture
def division(tmp_path: Path, company: Repository) -> Repository:
    """The pack of a division, which stands on the newest of the company."""
    repository = Repository(tmp_path / "data-pack")
    repository.tag("v1.0.0", {"pack.toml": table("../acme-pack@v1.0.0"), "Dockerfile.j2": DATA})
    return repository


@pytest.fixture
def made(division: Repository, create: Create) -> Path:
    """A server made with the pack of the division."""
    return create(f"{division.folder}@v1.0.0", "--data", "team=data")


def test_blocks_are_overridden_down_the_chain_and_the_questions_of_both_are_asked(
    made: Path,
) -> None:
    lines = (made / "Dockerfile").read_text().splitlines()
    assert lines[:2] == ["# Acme", "FROM data.acme.example/python:3.13 AS build"]
    assert (made / "OWNERS").read_text() == "data\n"
    kept = record(made)
    assert (kept["answers"], kept["questions"]) == ({"team": "data"}, {"team": "Which team?"})
    [base] = kept["beneath"]
    assert (base["name"], base["source"], base["version"]) == ("acme", "../acme-pack", "v1.0.0")
    assert len(base["commit"]) == 40
    assert run("regenerate", made, "--check").code == 0


def test_a_project_shows_its_packs_and_their_versions(made: Path, division: Repository) -> None:
    shown = run("pack", "list", made).out.splitlines()
    assert shown[0].startswith(f"data v1.0.0: {division.folder}, commit ")
    assert shown[1].startswith("acme v1.0.0: ../acme-pack, commit ")
    assert shown[2] == "python: built in"
    whole = run("pack", "show", made).out
    assert "extends @acme/Dockerfile.j2" in whole
    assert whole.count('answer team = "data"  (Which team?)') == 1


def test_an_upgrade_of_the_upper_pack_brings_the_version_that_it_names(
    made: Path, company: Repository, division: Repository
) -> None:
    changes = "## v2.0.0\n\n- Acme Ltd\n\n## v1.0.0\n\n- First\n"
    company.tag("v2.0.0", {"header.j2": "# Acme Ltd\n", "CHANGELOG.md": changes})
    assert run("pack", "upgrade", made, "--check").code == 0  # it names version 1
    extends = {"pack.toml": table("../acme-pack@v2.0.0")}
    division.tag("v1.1.0", {**extends, "CHANGELOG.md": "## v1.1.0\n\n- Data\n"})
    assert run("pack", "upgrade", made, "--check").code == 1
    ended = run("pack", "upgrade", made)
    assert ended.err.startswith("v1.0.0 → v1.1.0, acme v1.0.0 → v2.0.0\n")
    assert "  ## v1.1.0\n\n  - Data\n\n  # acme\n\n  ## v2.0.0\n\n  - Acme Ltd\n" in ended.err
    assert "First" not in ended.err
    assert "warning" not in ended.err  # the answer to the company's question is in use
    assert (made / "Dockerfile").read_text().startswith("# Acme Ltd\n")
    assert record(made)["answers"] == {"team": "data"}
    assert run("regenerate", made, "--check").code == 0


def test_a_base_without_a_version_is_followed(
    made: Path, company: Repository, division: Repository, tmp_path: Path
) -> None:
    company.tag("v1.1.0", {"header.j2": "# Acme, Ltd\n"})
    assert "up to date" in run("status", made).out  # it names version 1
    division.tag("v1.1.0", {"pack.toml": table("../acme-pack")})
    assert run("pack", "upgrade", made).code == 0
    assert "up to date" in run("status", made).out
    company.tag("v1.5.0", {"header.j2": "# Acme Ltd\n"})
    assert "behind" in run("status", made).out
    assert run("pack", "upgrade", made, "--check").code == 1
    assert run("pack", "upgrade", made).err.startswith("v1.1.0, acme v1.1.0 → v1.5.0\n")
    assert (made / "Dockerfile").read_text().startswith("# Acme Ltd\n")


def test_three_packs_stand_on_one_another(
    tmp_path: Path, create: Create, division: Repository
) -> None:
    top = tmp_path / "team-pack"
    top.mkdir()
    (top / "pack.toml").write_text(table("../data-pack", "team"))
    (top / "Dockerfile.j2").write_text(DATA.replace("acme/", "data/").replace("data.", "team."))
    made = create(top, "--defaults")
    assert "FROM team.acme.example/python:3.13" in (made / "Dockerfile").read_text()
    assert [one["name"] for one in record(made)["beneath"]] == ["data", "acme"]
    assert run("regenerate", made, "--check").code == 0


def test_the_upper_pack_can_answer_for_the_one_beneath(
    create: Create, division: Repository
) -> None:
    """Its question of the same name has the answer."""
    questions = QUESTIONS + "team: {type: str, default: data}\n"
    division.tag("v2.0.0", {"copier.yml": questions})
    assert (create(division.folder, "--defaults") / "OWNERS").read_text() == "data\n"


def test_a_pack_from_elsewhere_reads_no_directory_of_this_machine(
    company: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = table(str(company.folder)).encode()
    elsewhere = Fetched({"pack.toml": text}, "v1.0.0", "0" * 40)
    monkeypatch.setattr("scaffold.teams.fetching.fetch", lambda *_: elsewhere)
    address = parse_address("https://git.example.org/pack.git")
    with pytest.raises(ScaffoldError, match="is a directory, so only a pack in a directory"):
        fetch_pack(address, address.shown, Asked({}, {}, defaults=True))
