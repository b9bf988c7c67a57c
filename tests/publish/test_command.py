"""The command `publish`: what it says and does."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import jsonschema_rs

from tests.generated import REPOSITORY
from tests.publish.conftest import SPEC
from tests.test_command import COMMAND


def run(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [COMMAND, "publish", *words], cwd=root, capture_output=True, text=True, check=False
    )


def plant(root: Path) -> None:
    file = root / "server.json"
    text = file.read_text(encoding="utf-8").replace('"version": "1.4.0"', '"version": "1.3.0"', 1)
    file.write_text(text, encoding="utf-8")


def test_a_sound_project_passes(whole: Path) -> None:
    done = run(whole, "--check")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == ".: nothing would be refused\n"


def test_a_fault_is_told_to_people_programs_and_github(sound: Path) -> None:
    plant(sound)
    done = run(sound, "--check")
    assert done.returncode == 1
    assert done.stderr == (
        "server.json:6:14: error[publish-version] the version is `1.3.0` here, but `1.4.0` in the spec\n"
        "  |\n"
        '6 |   "version": "1.3.0",\n'
        "  |              ^^^^^^^\n"
        "hint: write `1.4.0`\n\n"
        "1 error\n"
        "1 can be fixed with `mcp-scaffold publish --metadata`\n"
    )
    done = run(sound, "--check", "--format", "github")
    assert done.returncode == 1
    assert done.stdout.startswith(
        "::error file=server.json,line=6,col=14,endColumn=21,title=publish-version::"
    )
    done = run(sound, "--check", "--format", "json")
    found = json.loads(done.stdout)
    schema = json.loads((REPOSITORY / "specs/diagnostics.schema.json").read_text("utf-8"))
    jsonschema_rs.validate(schema, found)
    [one] = found["diagnostics"]
    assert (one["id"], one["line"], one["fixable"]) == ("publish-version", 6, True)


def test_metadata_mends_what_it_can_and_tells_the_rest(sound: Path) -> None:
    plant(sound)
    (sound / "README.md").write_text("# Books\n", encoding="utf-8")
    (sound / "server.json").write_text(
        (sound / "server.json").read_text("utf-8").replace("a public library.", "b" * 101), "utf-8"
    )
    done = run(sound, "--metadata")
    assert done.returncode == 1
    assert "fixed README.md:1: the description of the package" in done.stderr
    assert "error[publish-text]" in done.stderr
    assert (
        (sound / "README.md")
        .read_text("utf-8")
        .startswith("# Books\n\n<!-- mcp-name: io.github.Example/library -->\n")
    )


def test_metadata_follows_the_version_of_the_spec(sound: Path) -> None:
    for path in ("mcp.yaml", "uv.lock"):
        file = sound / path
        file.write_text(file.read_text("utf-8").replace("1.4.0", "1.5.0"), "utf-8")
    done = run(sound, "--metadata")
    assert done.returncode == 0, done.stderr
    server = json.loads((sound / "server.json").read_text("utf-8"))
    assert server["version"] == "1.5.0"
    assert "/v1.5.0/library-1.5.0.mcpb" in server["packages"][1]["identifier"]
    assert run(sound, "--check").returncode == 0
    again = subprocess.run(
        [COMMAND, "regenerate", "--check"], cwd=sound, check=False, capture_output=True
    )
    assert again.returncode == 0


def test_edits_of_people_are_kept(sound: Path) -> None:
    file = sound / "manifest.json"
    text = file.read_text("utf-8").replace(
        '"license": "MIT"', '"keywords": ["books"],\n  "license": "MIT"'
    )
    file.write_text(text, "utf-8")
    spec = sound / "mcp.yaml"
    spec.write_text(
        spec.read_text("utf-8").replace("title: Library", "title: The library"), "utf-8"
    )
    assert run(sound, "--metadata").returncode == 0
    manifest = json.loads(file.read_text("utf-8"))
    assert (manifest["keywords"], manifest["display_name"]) == (["books"], "The library")


def test_edits_beside_the_version_do_not_keep_it_from_changing(sound: Path) -> None:
    edits = {
        "server.json": [("a public library", "books"), ('"repository": {', '"_meta": {},\n  "repository": {')],
        "manifest.json": [("a public library", "books"), ('"Library"', '"My books"')],
        "pyproject.toml": [("a public library", "books")],
        "Dockerfile": [("a public library", "books"), ('licenses="MIT"', 'licenses="ISC"')],
    }  # fmt: skip
    for path, pairs in edits.items():
        file = sound / path
        text = file.read_text("utf-8")
        for old, new in pairs:
            assert old in text
            text = text.replace(old, new)
        file.write_text(text, "utf-8")
    for path in ("mcp.yaml", "uv.lock"):
        file = sound / path
        file.write_text(file.read_text("utf-8").replace("1.4.0", "1.5.0"), "utf-8")
    entry = sound / "server.json"  # somebody has written another version by hand
    entry.write_text(
        entry.read_text("utf-8").replace('"version": "1.4.0"', '"version": "1.4.1"'), "utf-8"
    )
    done = run(sound, "--metadata")
    assert done.returncode == 0, done.stderr
    for path, pairs in edits.items():
        text = (sound / path).read_text("utf-8")
        assert "1.5.0" in text
        assert "1.4." not in text
        assert all(new in text for _, new in pairs)


def test_a_bundle_is_written_once_nothing_is_wrong_with_it(sound: Path) -> None:
    manifest = sound / "manifest.json"
    text = manifest.read_text("utf-8")
    manifest.write_text(text.replace('"0.4"', '"0.3"'), "utf-8")
    done = run(sound, "--bundle")
    assert (done.returncode, (sound / "dist").exists()) == (1, False)
    manifest.write_text(text, "utf-8")
    done = run(sound, "--bundle")
    assert done.returncode == 0
    assert "wrote dist/library-1.4.0.mcpb\n" in done.stderr
    assert (sound / "dist/library-1.4.0.mcpb").exists()


def test_a_bundle_of_another_server_is_not_written(sound: Path) -> None:
    entry = sound / "server.json"
    entry.write_text(
        entry.read_text("utf-8").replace("Example/library", "Example/books", 1), "utf-8"
    )
    done = run(sound, "--bundle")
    assert (done.returncode, (sound / "dist").exists()) == (1, False)
    assert "error[publish-name]" in done.stderr


def test_usage(sound: Path, tmp_path: Path) -> None:
    done = run(sound)
    assert (done.returncode, "give --check, --metadata or --bundle" in done.stderr) == (2, True)
    done = run(sound, "--explain", "publish-marker")
    assert done.stdout.startswith("*Error.* The registry looks for `mcp-name: NAME`")
    (tmp_path / "mcp.yaml").write_text(SPEC.replace("1.4.0", "x"), "utf-8")
    assert run(tmp_path, "--check").returncode == 2
