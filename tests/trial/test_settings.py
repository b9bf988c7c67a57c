"""What is beside an entry counts: settings of the client, and other projects that a command leads into."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from scaffold.clients.client import read_client
from scaffold.clients.places import Machine
from scaffold.trial.settings import wrong_settings
from scaffold.trial.surroundings import other_project


@pytest.fixture
def blog(tmp_path: Path) -> Path:
    """A project, and a home beside it."""
    (tmp_path / "home").mkdir()
    (tmp_path / "blog").mkdir()
    (tmp_path / "blog/mcp.yaml").touch()
    return tmp_path / "blog"


@pytest.mark.parametrize(
    ("path", "is_found"),
    [
        ("<copy>/src/../", True),
        ("A=<copy>/src", True),
        ("../copy/src", True),
        ("<blog>/.venv", False),
        ("link/src", False),
        ("/tmp", False),
        ("http://x/y", False),
    ],
)
def test_a_path_into_a_copy_of_the_project_is_found_and_no_other_is(
    blog: Path, path: str, is_found: bool
) -> None:
    home, copy = blog.parent / "home", blog.parent / "copy"
    shutil.copytree(blog, copy)
    (home / "link").symlink_to(blog)
    word = path.replace("<copy>", str(copy)).replace("<blog>", str(blog))
    assert other_project(["python", word], home, blog) == (str(copy) if is_found else None)


TRUST = '[projects."<blog>"]\ntrust_level = "%s"\n'
NOT_TRUSTED = "only if you trust the project"
OFF = '{"projects": {"<blog>": {"disabledMcpjsonServers": ["blog"]}}}'
OTHER = '{"projects": {"<blog>": {"mcpServers": {"blog": {"command": "/no"}}}}}'


@pytest.mark.parametrize(
    ("client", "file", "text", "said"),
    [
        ("codex", ".codex/config.toml", "", NOT_TRUSTED),
        ("codex", ".codex/config.toml", TRUST % "untrusted", NOT_TRUSTED),
        ("codex", ".codex/config.toml", "[", NOT_TRUSTED),
        ("codex", ".codex/config.toml", TRUST % "trusted", ""),
        ("claude-code", ".claude.json", OFF, "is told by `disabledMcpjsonServers`"),
        ("claude-code", ".claude.json", OFF.replace("<blog>", "/elsewhere"), ""),
        ("claude-code", ".claude.json", OTHER, "uses another entry of that name"),
        ("gemini-cli", ".gemini/settings.json", '{"mcp": {"excluded": ["blog"]}}', "`mcp.excluded`"),
        ("gemini-cli", ".gemini/settings.json", '{"mcp": {"allowed": ["other"]}}', "`mcp.allowed`"),
        ("gemini-cli", ".gemini/settings.json", '{"mcp": {"allowed": ["blog"]}}', ""),
        ("gemini-cli", ".gemini/settings.json", '{"mcp": {"allowed": "blog", "excluded": 7}}', ""),
    ],
)  # fmt: skip
def test_settings_outside_of_the_entry_are_heeded(
    client: str, file: str, text: str, said: str, blog: Path
) -> None:
    home = blog.parent / "home"
    (home / file).parent.mkdir(exist_ok=True)
    (home / file).write_text(text.replace("<blog>", str(blog)))
    machine, beside = Machine("linux", str(home), {}), blog / ".mcp.json"
    found = [*wrong_settings(read_client(client), "blog", beside, "project", blog, machine)]
    assert [one.id for one in found] == ["client-entry"] * bool(said)
    assert said in "".join(one.message for one in found)
