"""Each mistake that people make is shown at its line to people, programs and GitHub, with a remedy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from scaffold.cli.main import main
from tests.publish.conftest import git

NAME = "io.github.Example/library"


class Row(NamedTuple):
    """A file, what is replaced in it, the id of the finding, and what stands in its line."""

    path: str
    text: str
    instead: str
    id: str
    line: str


# fmt: off
ROWS = {
    "marker absent": Row("README.md", f"<!-- mcp-name: {NAME} -->\n", "", "publish-marker", "# Library"),
    "marker glued to text": Row("README.md", f"mcp-name: {NAME} -->", f"mcp-name: {NAME}. -->", "publish-marker", "mcp-name"),
    "no readme": Row("pyproject.toml", 'readme = "README.md"\n', "", "publish-readme", "[project]"),
    "another name in server.json": Row("server.json", NAME, "io.github.Example/books", "publish-name", "books"),
    "another marker": Row("README.md", f"mcp-name: {NAME}", "mcp-name: io.github.Example/books", "publish-name", "books"),
    "another label": Row("Dockerfile", f'name="{NAME}"', 'name="io.github.Example/books"', "publish-name", "books"),
    "version of pyproject.toml": Row("pyproject.toml", '"1.4.0"', '"1.3.0"', "publish-version", "1.3.0"),
    "version of server.json": Row("server.json", '"1.4.0"', '"1.3.0"', "publish-version", "1.3.0"),
    "version of the manifest": Row("manifest.json", '"1.4.0"', '"1.3.0"', "publish-version", "1.3.0"),
    "long description": Row("server.json", "of a public library.", "of a public library" * 9, "publish-text", "description"),
    "owner in other letters": Row("mcp.yaml", "io.github.Example", "io.github.example", "publish-owner", "namespace"),
    "a range": Row("server.json", '"1.4.0"', '"^1.4.0"', "publish-range", "^1.4.0"),
    "latest": Row("server.json", '"1.4.0"', '"latest"', "publish-range", "latest"),
    "snake case": Row("server.json", "websiteUrl", "website_url", "unknown-key", "website_url"),
    "manifest 0.3": Row("manifest.json", '"0.4"', '"0.3"', "bundle-format", "0.3"),
    "no mcp_config": Row("manifest.json", '"mcp_config"', '"mcpConfig"', "unknown-key", "mcpConfig"),
    "cwd": Row("manifest.json", '"command": "uv"', '"cwd": ".", "command": "uv"', "unknown-key", "cwd"),
    "a range with commas": Row("manifest.json", ">=3.11.0 <4.0.0", ">=3.11,<4", "bundle-runtime", "<4"),
    "a file that is imported": Row(".gitignore", "dist/", "dist/\ntools/", "bundle-file", "library.tools"),
    "a private file": Row(".gitignore", ".env", "none", "bundle-secret", ""),
    "no port": Row("Dockerfile", "EXPOSE 8100\n", "", "image-port", "FROM python"),
    "root": Row("Dockerfile", "USER 10001", 'USER "root"', "image-user", '"root"'),
    "an ignored check": Row(".github/workflows/publish-mcp.yml", "--format github", "|| true", "publish-order", "|| true"),
}
# fmt: on


def shown(root: Path, form: str) -> str:
    """What `publish --check` prints."""
    done = CliRunner().invoke(main, ["publish", str(root), "--check", "--format", form])
    assert done.exit_code == 1, done.output
    return done.output


@pytest.mark.parametrize("row", ROWS.values(), ids=[*ROWS])
def test_a_mistake_is_shown_at_its_line(sound: Path, row: Row) -> None:
    file = sound / row.path
    text = file.read_text(encoding="utf-8")
    assert row.text in text
    file.write_text(text.replace(row.text, row.instead, 1), encoding="utf-8")
    if row.id == "bundle-file":
        git(sound, "rm", "-r", "--cached", "--quiet", "src/library/tools")
    if row.id == "bundle-secret":
        (sound / "src/library/.env").write_text("LIBRARY_KEY=x", encoding="utf-8")
    listed = json.loads(shown(sound, "json"))["diagnostics"]
    found = [one for one in listed if one["id"] == row.id]
    assert found
    assert all(one["hint"] for one in listed)
    for one in found if row.line else ():
        lines = Path(one["path"]).read_text(encoding="utf-8").splitlines()
        assert row.line in lines[one["line"] - 1]
    people, github = shown(sound, "human"), shown(sound, "github")
    for one in found:
        assert f"error[{row.id}] {one['message']}" in people
        assert f"hint: {one['hint']}" in people
        at = f",line={one['line']}," if one["line"] else f"{Path(one['path']).name}"
        assert any(at in line and f"title={row.id}" in line for line in github.splitlines())


def test_a_tag_of_another_version_is_shown(sound: Path) -> None:
    git(sound, "tag", "v1.3.0")
    [one] = json.loads(shown(sound, "json"))["diagnostics"]
    assert (one["id"], one["line"]) == ("publish-tag", 2)
