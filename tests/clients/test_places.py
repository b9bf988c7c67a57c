"""The files of each client are found where each system has them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from scaffold.clients.client import client_ids, read_client
from scaffold.clients.places import (
    Machine,
    is_here,
    places,
    program,
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
def test_every_path_is_absolute_and_uses_known_variables(id: str, system: str) -> None:
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
        ("opencode", "macos", "XDG_CONFIG_HOME=/x", "/x/opencode/opencode.json"),
        ("vscode", "macos", "XDG_CONFIG_HOME=/x", "/Users/ann/Library/Application Support/Code/User/mcp.json"),
    ],
)  # fmt: skip
def test_the_user_file_is_where_the_client_reads_it(
    id: str, system: str, environ: str, path: str
) -> None:
    name, _, value = environ.partition("=")
    here = Machine(system, HOMES[system], {name: value} if name else {}, lambda _: False)
    assert user_files(read_client(id), here) == (path,)


STORE = r"C:\Users\Ann\AppData\Local\Packages\Claude_pzs8sxrjxfjjc"


def test_an_existing_file_is_preferred_to_the_default_one() -> None:
    store = machine("windows", lambda path: path == STORE)
    assert user_files(read_client("claude-desktop"), store) == (
        STORE + r"\LocalCache\Roaming\Claude\claude_desktop_config.json",
        r"C:\Users\Ann\AppData\Roaming\Claude\claude_desktop_config.json",
    )
    path = "/x/opencode/opencode.jsonc"
    moved = machine("linux", lambda file: file == path, XDG_CONFIG_HOME="/x")
    assert user_files(read_client("opencode"), moved) == (path,)


@pytest.mark.parametrize(
    ("id", "sign"),
    [("codex", ".codex/"), ("claude-code", ".claude.json"), ("gemini-cli", "bin/gemini")],
)
def test_a_client_is_detected_by_its_folder_file_or_command(
    tmp_path: Path, id: str, sign: str
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/claude").touch(0o755)
    here = Machine("linux", str(tmp_path), {"PATH": str(tmp_path / "bin")})
    assert not is_here(read_client("claude-desktop"), here)  # the command is another client's
    (tmp_path / "bin/claude").unlink()
    assert not is_here(read_client(id), here)
    path = tmp_path / sign
    path.mkdir() if sign.endswith("/") else path.touch(0o755)
    assert is_here(read_client(id), here)


@pytest.mark.parametrize("name", ["claude.cmd", "claude.BAT"])
def test_arguments_are_not_passed_to_a_batch_file(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch(0o755)
    assert program(name, Machine("linux", str(tmp_path), {"PATH": str(tmp_path)})) is None
