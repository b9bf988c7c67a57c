"""`pack show` shows a pack that lies in a folder, and what each block holds by default."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.teams.building import OWNERS, QUESTIONS, TABLE, run

DOCKER = '{% extends "@python/Dockerfile.j2" %}\n{% block image %}<< image >>{% endblock %}\n'


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A pack with a question, a file of its own and a block."""
    folder = tmp_path / "acme"
    folder.mkdir()
    (folder / "copier.yml").write_text(QUESTIONS + "image: {type: str, default: acme}\n")
    (folder / "pack.toml").write_text(TABLE + OWNERS)
    (folder / "OWNERS.j2").write_text("{% block all %}\nus\n  and you\n{% endblock %}\n")
    (folder / "Dockerfile.j2.copier").write_text(DOCKER)
    return folder


def test_a_pack_in_a_folder_is_shown_with_what_it_stands_on(pack: Path) -> None:
    neither = run("pack", "show", pack.parent)
    assert (neither.code, "is neither a project nor a pack" in neither.err) == (2, True)
    shown = run("pack", "show", "acme", cwd=pack.parent)
    assert shown.code == 0, shown.err
    assert shown.out.startswith(
        "acme: acme\n"
        "  extends python\n"
        '  answer image = "acme"\n'
        "  merged    OWNERS\n"
        "              blocks: all\n"
        "              all, by default:\n"
        "                us\n"
        "                  and you\n"
        "  template  Dockerfile.j2\n"
        "              extends @python/Dockerfile.j2\n"
        "              fills: image\n"
        "              image, by default:\n"
        "                python:3.13-slim\n"
        "python: built in\n"
    )


def test_programs_get_the_text_of_each_block(pack: Path) -> None:
    shown = json.loads(run("pack", "show", pack, "--data=image=x", "--format=json").out)
    ours, builtin = shown["packs"]
    assert ours["blocks"]["Dockerfile.j2"] == {"image": "x"}
    assert builtin["blocks"]["Dockerfile.j2"]["image"] == "python:3.13-slim"
