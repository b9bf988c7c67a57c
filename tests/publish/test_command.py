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


def test_a_fault_is_told_to_people_programs_and_github(sound: Path) -> None:
    done = run(sound, "--check")
    said = ".: nothing would be refused\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, "", said)
    file = sound / "server.json"
    file.write_text(file.read_text("utf-8").replace('"1.4.0"', '"1.3.0"', 1), "utf-8")
    done = run(sound, "--check")
    assert done.returncode == 1
    assert done.stderr == (
        "server.json: error[publish-stale] server.json is not what the spec generates\n"
        "hint: write what differs in the spec, under `publish: {server: …}`, and run "
        "`mcp-scaffold regenerate`\n\n"
        "1 error\n"
    )
    done = run(sound, "--check", "--format", "github")
    assert done.returncode == 1
    assert done.stdout.startswith("::error file=server.json,title=publish-stale::")
    found = json.loads(run(sound, "--check", "--format", "json").stdout)
    schema = json.loads((REPOSITORY / "specs/diagnostics.schema.json").read_text("utf-8"))
    jsonschema_rs.validate(schema, found)
    assert [one["id"] for one in found["diagnostics"]] == ["publish-stale"]


def test_metadata_follows_the_version_of_the_spec(sound: Path) -> None:
    spec = sound / "mcp.yaml"
    spec.write_text(spec.read_text("utf-8").replace("1.4.0", "1.5.0"), "utf-8")
    (sound / "server.json").unlink()
    done = run(sound, "--metadata")
    assert done.returncode == 0, done.stderr
    server = json.loads((sound / "server.json").read_text("utf-8"))
    assert server["version"] == "1.5.0"
    assert "/v1.5.0/library-1.5.0.mcpb" in server["packages"][1]["identifier"]
    assert run(sound, "--check").returncode == 0


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


def test_usage(sound: Path, tmp_path: Path) -> None:
    done = run(sound)
    assert (done.returncode, "give --check, --metadata or --bundle" in done.stderr) == (2, True)
    done = run(sound, "--explain", "publish-marker")
    assert done.stdout.startswith("publish-marker (error)\nThe registry looks for `mcp-name: NAME`")
    (tmp_path / "mcp.yaml").write_text(SPEC.replace("1.4.0", "x"), "utf-8")
    assert run(tmp_path, "--check").returncode == 2
