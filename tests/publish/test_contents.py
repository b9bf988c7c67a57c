"""What is published has each module that the server imports, on every system."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from scaffold.diagnostics import ScaffoldError, Severity
from scaffold.publish import bundle
from scaffold.publish import dependencies as dependencies_of
from scaffold.publish.check import findings
from scaffold.publish.reached import modules
from scaffold.publish.subject import subject
from tests.publish.conftest import git

HANDLER = "src/library/tools/find_book.py"


def problems(root: Path, id: str = "bundle-file") -> list[str]:
    """What is wrong with the files that are published."""
    found = findings(subject(root))
    return [one.message for one in found if one.id == id and one.severity is Severity.ERROR]


def handler(root: Path, text: str) -> None:
    """Write text at the beginning of a handler."""
    file = root / HANDLER
    file.write_text(f"{text}\n{file.read_text('utf-8')}", encoding="utf-8")


def ignored(root: Path, path: str) -> None:
    """Write a module that git ignores."""
    (root / path).write_text("X = 1\n", encoding="utf-8")
    with (root / ".gitignore").open("a", encoding="utf-8") as file:
        file.write(f"{Path(path).name}\n")


def only_pypi(root: Path) -> None:
    spec = root / "mcp.yaml"
    text = spec.read_text(encoding="utf-8")
    spec.write_text(text.replace("[pypi, mcpb, oci]", "[pypi]"), encoding="utf-8")


@pytest.mark.parametrize(
    "line",
    [
        "import library.helper",
        "from library.helper import X",
        "from library import helper",
        "from .. import helper",
        "from ..helper import X",
    ],
)
def test_an_imported_module_that_git_ignores_is_an_error(sound: Path, line: str) -> None:
    ignored(sound, "src/library/helper.py")
    handler(sound, line)
    [message] = problems(sound)
    assert message == "`library.helper` is imported, but would not be published: git ignores it"
    only_pypi(sound)
    assert problems(sound) == [message]


def test_a_module_beside_the_package_is_checked_too(sound: Path) -> None:
    ignored(sound, "src/shared_lib.py")
    handler(sound, "import shared_lib")
    [message] = problems(sound)
    assert "`shared_lib` is imported" in message


@pytest.mark.parametrize(
    "text",
    [
        "try:\n    from library._speed import X\nexcept ImportError:\n    X = None",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from library.stubs import X",
        "from library._native import X",
        "import json, httpx",
    ],
)
def test_an_import_that_works_is_no_error(sound: Path, text: str) -> None:
    (sound / "src/library/_native.cpython-311-x86_64-linux-gnu.so").write_bytes(b"\x7fELF")
    handler(sound, text)
    assert problems(sound) == []


@pytest.mark.parametrize("text", ["def (", "x = " + "+".join(["1"] * 20_000), "x = " + "-" * 9_000])
def test_a_module_that_cannot_be_parsed_is_an_error(sound: Path, text: str) -> None:
    handler(sound, text)
    [message] = problems(sound)
    assert message.startswith(f"`{HANDLER}` cannot be parsed: ")


def undeclared(root: Path, text: str, dependencies: str = "") -> list[tuple[str, int | None]]:
    """What a handler imports and pyproject.toml does not declare, with the lines."""
    about = subject(root)
    project = about.documents["pyproject.toml"]
    more = project.text.replace("dependencies = [", f"dependencies = [{dependencies}", 1)
    about = replace(about, documents={**about.documents, "pyproject.toml": replace(project, text=more)})  # fmt: skip
    entries = {**bundle.files(about), HANDLER: text.encode()}
    found = [*dependencies_of.faults(about, modules(about, entries))]
    return [(one.message, one.place.line) for one in found if one.place]


def test_an_import_of_a_package_that_is_not_declared_is_an_error(whole: Path) -> None:
    message = "`yaml` is imported, but `pyyaml` is not among the dependencies"
    assert undeclared(whole, "import json\nfrom yaml.nodes import Node") == [(message, 2)]
    assert undeclared(whole, "def f():\n    import yaml") == [(message, 2)]
    assert undeclared(whole, "import yaml", '"PyYAML>=6",') == []


@pytest.mark.parametrize(
    "text",
    [
        "import anyio, starlette",
        "import tomllib, library.tools",
        "import a_package_that_nobody_has",
        "try:\n    import yaml\nexcept ImportError:\n    yaml = None",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import yaml",
    ],
)
def test_an_import_that_is_installed_or_unknown_is_no_error(whole: Path, text: str) -> None:
    assert undeclared(whole, text) == []


def test_nothing_is_said_if_a_dependency_is_not_known(whole: Path) -> None:
    assert undeclared(whole, "import yaml", '"a-package-that-nobody-has",') == []


def test_the_environment_of_the_project_knows_its_packages(sound: Path) -> None:
    for name, needs in {"mcp": "anyio", "anyio": "", "jsonschema-rs": "", "books": ""}.items():
        there = sound / f".venv/lib/python3.11/site-packages/{name.replace('-', '_')}-1.dist-info"
        there.mkdir(parents=True)
        needed = f"Requires-Dist: {needs}\n" if needs else ""
        (there / "METADATA").write_text(f"Name: {name}\nVersion: 1\n{needed}", encoding="utf-8")
        (there / "RECORD").write_text(f"{name[:4]}shelf/__init__.py,,\n", encoding="utf-8")
    found = undeclared(sound, "import bookshelf, yaml, anyioshelf")
    assert found == [("`bookshelf` is imported, but `books` is not among the dependencies", 1)]


NAMES = [b"\xff.txt", b"a\nb.txt", b"a\\b.txt", b"a:b.txt", b"aux.txt", b"end."]


@pytest.mark.skipif(os.name == "nt", reason="these names do not exist there")
@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_some_systems_refuse_is_an_error(sound: Path, name: bytes) -> None:
    Path(os.fsdecode(os.fsencode(sound / "src/library") + b"/" + name)).write_bytes(b"x")
    [message] = problems(sound)
    assert message.endswith("some systems cannot unpack a file of this name")


@pytest.mark.skipif(os.name == "nt", reason="these names are the same there")
def test_names_that_differ_in_their_capitals_are_an_error(sound: Path) -> None:
    for name in ("Data.txt", "data.txt"):
        (sound / "src/library" / name).write_bytes(b"x")
    [message] = problems(sound)
    assert message.endswith("some systems take it for `src/library/Data.txt`")


def test_a_symlink_is_not_dropped_silently(sound: Path) -> None:
    (sound / "src/library/data.json").symlink_to(sound / "server.json")
    [message] = problems(sound)
    assert message == "`src/library/data.json` is a symlink, and would not be published"


def test_a_bundle_has_a_maximum_size(sound: Path) -> None:
    with (sound / "src/library/data.bin").open("wb") as file:
        file.truncate(3_000_000_000)
    [message] = problems(sound)
    assert "more than 200 MB" in message


def test_the_bundle_is_not_written_if_git_fails(sound: Path) -> None:
    (sound / ".git/index").write_bytes(b"x")
    with pytest.raises(ScaffoldError, match="git does not tell which files it ignores"):
        subject(sound)


def test_what_git_would_ignore_is_left_out_without_a_repository(sound: Path) -> None:
    shutil.rmtree(sound / ".git")
    ignored(sound, "src/library/notes.txt")
    assert "src/library/notes.txt" not in bundle.files(subject(sound))


def test_a_file_that_git_does_not_know_is_a_warning(sound: Path) -> None:
    (sound / "src/library/new.py").write_text("", encoding="utf-8")
    found = [one for one in findings(subject(sound)) if one.severity is Severity.WARNING]
    assert [one.id for one in found] == ["bundle-file"]
    git(sound, "add", "--all")
    assert not [one for one in findings(subject(sound)) if one.severity is Severity.WARNING]


def test_a_checkout_with_other_line_ends_has_the_same_bundle(sound: Path, tmp_path: Path) -> None:
    there = tmp_path / "there"
    git(tmp_path, "-c", "core.autocrlf=true", "clone", "--quiet", str(sound), str(there))
    git(there, "config", "core.autocrlf", "true")
    assert b"\r\n" in (there / HANDLER).read_bytes()
    assert bundle.files(subject(there)) == bundle.files(subject(sound))
