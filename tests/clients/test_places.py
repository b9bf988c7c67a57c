"""The files of each client are found where each system has them."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from scaffold.base.diagnostics import ScaffoldError
from scaffold.clients.client import client_ids, read_client
from scaffold.clients.places import (
    Machine,
    is_here,
    places,
    program,
    this_machine,
    user_files,
)

HOMES = {"macos": "/Users/ann", "windows": r"C:\Users\Ann", "linux": "/home/ann"}
PROJECTS = {"macos": "/Users/ann/blog", "windows": r"D:\blog", "linux": "/home/ann/blog"}


def machine(
    system: str, exists: Callable[[str], bool] = lambda _: False, **environ: str
) -> Machine:
    return Machine(system, HOMES[system], environ, exists)


@pytest.mark.parametrize("system", HOMES)
@pytest.mark.parametrize("id", client_ids())
def test_every_path_is_absolute_and_names_nothing_unknown(id: str, system: str) -> None:
    for scope, path in places(read_client(id), PROJECTS[system], machine(system)):
        start = PROJECTS[system] if scope == "project" else HOMES[system]
        assert path.startswith(start)
        assert not re.search(r"[~%$<>]", path)
        assert ("/" in path) != (system == "windows")


@pytest.mark.parametrize(
    ("id", "system", "environ", "path"),
    [
        ("claude-desktop", "macos", "", "/Users/ann/Library/Application Support/Claude/claude_desktop_config.json"),
        ("claude-desktop", "windows", "", r"C:\Users\Ann\AppData\Roaming\Claude\claude_desktop_config.json"),
        ("claude-desktop", "windows", r"APPDATA=E:\Roaming", r"E:\Roaming\Claude\claude_desktop_config.json"),
        ("claude-code", "windows", "", r"C:\Users\Ann\.claude.json"),
        ("vscode", "linux", "", "/home/ann/.config/Code/User/mcp.json"),
        ("zed", "linux", "", "/home/ann/.config/zed/settings.json"),
        ("crush", "windows", "", r"C:\Users\Ann\AppData\Local\crush\crush.json"),
        ("claude-code", "linux", "CLAUDE_CONFIG_DIR=/x", "/x/.claude.json"),
        ("codex", "linux", "CODEX_HOME=/x", "/x/config.toml"),
        ("cline", "linux", "CLINE_MCP_SETTINGS_PATH=/x", "/x"),
        ("cline", "linux", "CLINE_DIR=/x", "/x/data/settings/cline_mcp_settings.json"),
        ("zed", "linux", "XDG_CONFIG_HOME=/x", "/x/zed/settings.json"),
        ("goose", "macos", "XDG_CONFIG_HOME=/x", "/x/goose/config.yaml"),
        ("vscode", "macos", "XDG_CONFIG_HOME=/x", "/Users/ann/Library/Application Support/Code/User/mcp.json"),
    ],
)  # fmt: skip
def test_the_users_file_is_where_the_client_has_it(
    id: str, system: str, environ: str, path: str
) -> None:
    name, _, value = environ.partition("=")
    here = Machine(system, HOMES[system], {name: value} if name else {}, lambda _: False)
    assert user_files(read_client(id), here) == (path,)


def test_the_edition_from_the_store_reads_a_file_of_its_own() -> None:
    package = r"C:\Users\Ann\AppData\Local\Packages\Claude_pzs8sxrjxfjjc"
    store = machine("windows", lambda path: path == package)
    assert user_files(read_client("claude-desktop"), store) == (
        package + r"\LocalCache\Roaming\Claude\claude_desktop_config.json",
        r"C:\Users\Ann\AppData\Roaming\Claude\claude_desktop_config.json",
    )


def test_the_file_of_opencode_with_comments_is_found_in_a_moved_folder() -> None:
    path = "/x/opencode/opencode.jsonc"
    moved = machine("linux", lambda file: file == path, XDG_CONFIG_HOME="/x")
    assert user_files(read_client("opencode"), moved) == (path,)


@pytest.mark.parametrize("home", ["rel", "", "."])
def test_a_home_that_is_not_absolute_is_refused(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("USERPROFILE" if sys.platform == "win32" else "HOME", home)
    with pytest.raises(ScaffoldError, match="is not an absolute path"):
        this_machine()


@pytest.mark.parametrize(
    ("id", "variable"), [("codex", "CODEX_HOME"), ("goose", "XDG_CONFIG_HOME")]
)
def test_a_file_that_is_moved_to_a_relative_path_is_refused(id: str, variable: str) -> None:
    with pytest.raises(ScaffoldError, match="is not an absolute path"):
        user_files(read_client(id), Machine("linux", "/home/ann", {variable: "rel"}))


def test_the_home_may_be_the_root() -> None:
    assert user_files(read_client("cursor"), Machine("linux", "/", {})) == ("/.cursor/mcp.json",)


def test_a_client_is_here_if_its_folder_or_its_command_is(tmp_path: Path) -> None:
    assert not is_here(read_client("codex"), Machine("linux", str(tmp_path), {"PATH": ""}))
    (tmp_path / ".codex").mkdir()
    assert is_here(read_client("codex"), Machine("linux", str(tmp_path), {"PATH": ""}))
    tool = tmp_path / "gemini"
    tool.touch(0o755)
    assert is_here(
        read_client("gemini-cli"), Machine("linux", str(tmp_path), {"PATH": str(tmp_path)})
    )


def test_the_home_is_no_sign_of_a_client(tmp_path: Path) -> None:
    bare = Machine("linux", str(tmp_path), {"PATH": ""})
    assert not is_here(read_client("claude-code"), bare)
    (tmp_path / ".claude.json").touch()
    assert is_here(read_client("claude-code"), bare)


def test_the_command_of_another_client_is_no_sign_of_claude_desktop(tmp_path: Path) -> None:
    (tmp_path / "claude").touch(0o755)
    there = Machine("linux", str(tmp_path), {"PATH": str(tmp_path)})
    assert is_here(read_client("claude-code"), there)
    assert not is_here(read_client("claude-desktop"), there)


@pytest.mark.parametrize("name", ["claude.cmd", "claude.BAT"])
def test_a_batch_file_gets_no_arguments(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch(0o755)
    assert program(name, Machine("linux", str(tmp_path), {"PATH": str(tmp_path)})) is None
