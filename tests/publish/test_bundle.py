"""A bundle is the same wherever it is written, and starts where it is unpacked."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from msgspec.structs import replace

from scaffold.commands.new import new
from scaffold.publish.bundle import files, write
from scaffold.publish.check import findings
from scaffold.publish.subject import subject
from scaffold.teams.copying import Asked
from scaffold.teams.upgrade import new_from_pack
from tests import npm
from tests.publish.conftest import SPEC, made
from tests.trial.entries import SERVER, tried

MCPB = "2.1.2"


def test_bundles_are_reproducible(sound: Path, tmp_path: Path) -> None:
    path, hash = write(subject(sound))
    first = path.read_bytes()
    for file in sorted(sound.rglob("*"), reverse=True):
        if ".git" not in file.parts and file.is_file():
            os.utime(file, (1, 1))
            file.chmod(0o600)
    (sound / "src/library/__pycache__").mkdir(exist_ok=True)
    (sound / "src/library/__pycache__/x.cpython-311.pyc").write_bytes(b"")
    elsewhere = shutil.copytree(sound, tmp_path / "elsewhere")
    again, other = write(subject(elsewhere))
    assert (again.read_bytes(), other) == (first, hash)
    entry = json.loads((sound / "server.json").read_text(encoding="utf-8"))
    released = json.loads((sound / "dist/server.json").read_text(encoding="utf-8"))
    assert [package.get("fileSha256") for package in released["packages"]] == [None, hash, None]
    del released["packages"][1]["fileSha256"]
    assert released == entry


def test_a_bundle_contains_only_needed_files(sound: Path) -> None:
    (sound / "notes.txt").write_text("private", encoding="utf-8")
    (sound / ".env").write_text("LIBRARY_KEY=secret", encoding="utf-8")
    (sound / "src/library/data.db").write_bytes(b"\0")
    (sound / ".gitignore").write_text("*.db\ndist/\n", encoding="utf-8")
    (sound / "LICENSE").write_text("MIT", encoding="utf-8")
    (sound / "src/library/link.py").symlink_to("/etc/passwd")
    path, _ = write(subject(sound))
    with ZipFile(path) as archive:
        modes = {info.external_attr >> 16 for info in archive.infolist()}
    held = names(path)
    assert (held, modes) == (sorted(held), {0o100644})
    beside = {name for name in held if not name.startswith("src/")}
    assert beside == {
        "manifest.json",
        "pyproject.toml",
        "uv.lock",
        "README.md",
        "LICENSE",
        ".python-version",
    }
    assert "src/library/_generated/catalog.json" in held
    assert not {"src/library/data.db", "src/library/link.py"} & {*held}


def test_a_bundle_holds_the_skills(tmp_path: Path) -> None:
    root = made(tmp_path, f"{SPEC}\nskills: ./skills\n")
    (root / "skills/library/draft.orig").write_text("x", "utf-8")
    held = {name for name in files(subject(root)) if name.startswith("skills/")}
    assert held == {"skills/library/SKILL.md"}
    assert findings(subject(root)) == ()


def names(path: Path) -> list[str]:
    """The names of the files in a bundle."""
    with ZipFile(path) as bundle:
        return bundle.namelist()


def mcpb(request: pytest.FixtureRequest, *arguments: str) -> str:
    """The output of the official tool."""
    program = npm.installed(
        "@anthropic-ai/mcpb", MCPB, "dist/cli/cli.js", request.config.cache.mkdir("npm")
    )
    done = subprocess.run(
        [npm.NODE, program, *arguments], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.xdist_group("mcpb")
def test_the_official_tool_accepts_a_manifest_unpacks_a_bundle_and_packs_nothing_private(
    sound: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    assert "passes" in mcpb(request, "validate", str(sound / "manifest.json"))
    path, _ = write(subject(sound))
    unpacked = tmp_path / "unpacked"
    mcpb(request, "unpack", str(path), str(unpacked))
    unpacked_files = {
        p.relative_to(unpacked).as_posix(): p for p in unpacked.rglob("*") if p.is_file()
    }
    with ZipFile(path) as archive:
        assert {n: p.read_bytes() for n, p in unpacked_files.items()} == {
            n: archive.read(n) for n in names(path)
        }
    for private in (".venv/a", ".env", ".scaffold/b", "src/library/__pycache__/c.pyc"):
        (sound / private).parent.mkdir(exist_ok=True)
        (sound / private).write_text("x", encoding="utf-8")
    mcpb(request, "pack", str(sound), str(tmp_path / "all.mcpb"))
    packed = names(tmp_path / "all.mcpb")
    assert "src/library/__main__.py" in packed
    hidden = (".venv", ".env", ".git/", ".scaffold")
    assert not [name for name in packed if name.startswith(hidden) or "__pycache__" in name]


@pytest.mark.slow
@pytest.mark.parametrize("pack", ["python", "python-stdlib"])
def test_an_unpacked_bundle_starts_as_its_manifest_says(tmp_path: Path, pack: str) -> None:
    (tmp_path / "spec.yaml").write_text(SPEC, encoding="utf-8")
    root = tmp_path / "library"
    if pack == "python":
        new(tmp_path / "spec.yaml", root)
    else:
        new_from_pack(tmp_path / "spec.yaml", root, pack, Asked({}, {}))
    assert findings(subject(root)) == ()
    path, _ = write(subject(root))
    there = tmp_path / "a folder of its own"
    with ZipFile(path) as archive:
        archive.extractall(there)
    shutil.rmtree(root)
    config = json.loads((there / "manifest.json").read_text("utf-8"))["server"]["mcp_config"]
    result = tried(
        "claude-code",
        filled(config, there),
        replace(SERVER, name="library"),
        ["find_book", "lend_book"],
        {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"},
    )
    assert (result.findings, result.tools) == ((), 2)


def filled(config: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return how a host of bundles starts a server."""
    text = json.dumps(config).replace("${__dirname}", str(folder))
    for name, value in {"LIBRARY_KEY": "key", "LIBRARY_LIMIT": "3", "LIBRARY_FILE": ""}.items():
        text = text.replace(f"${{user_config.{name}}}", value)
    whole: dict[str, Any] = json.loads(text)
    program = Path(sys.executable).with_name(whole["command"])
    env = {**whole["env"], "UV_PYTHON": sys.executable}
    return {**whole, "command": str(program), "env": env}
