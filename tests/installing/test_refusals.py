"""What cannot be done safely is refused with the place and a remedy, and nothing is touched."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from scaffold.clients.client import read_client
from scaffold.clients.installing import install
from scaffold.clients.installing.running import running
from scaffold.diagnostics import Diagnostic, ScaffoldError
from tests.installing.machines import TOKEN, Desk

CURSOR = ".cursor/mcp.json"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk.at(tmp_path)


def refused(desk: Desk, client: str, *asked: str | None) -> Diagnostic:
    before = desk.files()
    with pytest.raises(ScaffoldError) as error:
        desk.install(client, *asked)
    assert desk.files() == before
    assert desk.store.all() == ()
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.hint or diagnostic.id == "cannot-write"
    return diagnostic


def write(desk: Desk, name: str, data: bytes) -> Path:
    path = desk.home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("data", "message", "where"),
    [
        (b'{"a": 1,\n  b: 2}', "expecting property name", (2, 3)),
        (b'{"a": 1} // comment', "extra data", (1, 10)),
        (b'\xef\xbb\xbf{"mcpServers": {},\r\n"mcpServers": {}}', "`mcpServers` is there twice", (2, 1)),
        (b'{"mcpServers": {"x": {}, "x": {}}}', "`x` is there twice", (1, 26)),
        (b'{"mcpServers": []}', "`mcpServers` does not hold an object", (1, 16)),
        (b'{"mcpServers": null}', "`mcpServers` does not hold an object", (1, 16)),
        (b"[]", "the file does not hold an object", (1, 1)),
        (b'{"a": NaN}', "unexpected `NaN`", (None, None)),
        (b'{"\xe4": 1}', "the file is not UTF-8", (None, None)),
        (b"[" * 200_000, "nested too deeply", (None, None)),
    ],
    ids=lambda value: str(value)[:40],
)  # fmt: skip
def test_json_that_cannot_be_edited(
    desk: Desk, data: bytes, message: str, where: tuple[int, int]
) -> None:
    path = write(desk, CURSOR, data)
    found = refused(desk, "cursor", "user")
    assert found.id == "client-file-invalid"
    assert message in found.message
    assert found.place
    assert (found.place.path, found.place.line, found.place.column) == (str(path), *where)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a = \n", "not valid TOML: invalid value"),
        (b"[mcp_servers]\n[mcp_servers]\n", "not valid TOML: cannot declare"),
        (b"mcp_servers = {}\n", "no table can be added to `mcp_servers`"),
        (
            b"[mcp_servers.x]\na = 1\n[[a]]\nb = 1\n[mcp_servers.y]\na = 1\n",
            "are not next to each other",
        ),
        (b"mcp_servers = 1\n", "`mcp_servers` is not a table"),
    ],
)
def test_toml_that_cannot_be_edited(desk: Desk, data: bytes, message: str) -> None:
    write(desk, ".codex/config.toml", data)
    assert message in refused(desk, "codex", "user", "file").message


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a: [\n", "not valid YAML"),
        (b"extensions: {}\nextensions: {}\n", "the key `extensions` is there twice"),
        (b"extensions: []\n", "`extensions` does not hold a mapping"),
        (b"- 1\n", "the file does not hold a mapping"),
        (b"a: 1\n---\nb: 2\n", "not valid YAML"),
        (b"extensions: ~\n", "`extensions` is null"),
        (b"&a [" * 200 + b"]" * 200, "nested too deeply"),
        (
            b"a: &a [x, x, x, x, x, x, x, x, x, x]\n"
            + b"".join(b"%c: &%c [%s]\n" % (n + 1, n + 1, b", ".join([b"*%c" % n] * 10)) for n in b"abcdefgh"),
            "too many values",
        ),
    ],
)  # fmt: skip
def test_yaml_that_cannot_be_edited(desk: Desk, data: bytes, message: str) -> None:
    write(desk, ".config/goose/config.yaml", data)
    assert message in refused(desk, "goose").message


def test_an_entry_of_somebody_else(desk: Desk) -> None:
    write(desk, CURSOR, b'{"mcpServers": {"ours": {"command": "theirs"}}}')
    assert refused(desk, "cursor", "user").id == "entry-exists"


def test_the_same_entry_is_nothing_to_do(desk: Desk) -> None:
    desk.install("cursor", "user")
    (desk.store.folder / desk.store.all()[0].name).unlink()
    before = desk.files()
    assert desk.install("cursor", "user").done
    assert (desk.files(), desk.store.all()) == (before, ())


@pytest.mark.parametrize("client", ["cursor", "codex", "goose", "opencode", "zed"])
def test_an_entry_that_starts_this_server_is_replaced_in_its_place(desk: Desk, client: str) -> None:
    made = desk.install(client, "user", "file")
    path = made.choice.path
    assert path
    (desk.store.folder / desk.store.all()[0].name).unlink()
    path.write_text(path.read_text().replace("/opt/uv", "/old/uv"))
    before = path.read_bytes()
    again = desk.install(client, "user", "file")
    assert again.found
    assert again.found.entries().keys() == {"ours"}
    assert b"/opt/uv" in path.read_bytes()
    assert b"/old/uv" not in path.read_bytes()
    assert path.with_name(f"{path.name}.before-mcp-scaffold").read_bytes() == before
    desk.remove()
    assert b"/opt/uv" not in path.read_bytes()


def test_an_entry_of_another_project_is_not_taken_for_ours(desk: Desk) -> None:
    other = ["--directory", "/somewhere/else", "run", "ours"]
    entry = {"mcpServers": {"ours": {"command": "/opt/uv", "args": other}}}
    write(desk, CURSOR, json.dumps(entry).encode())
    assert refused(desk, "cursor", "user").id == "entry-exists"


def test_a_file_without_write_permission(desk: Desk) -> None:
    write(desk, CURSOR, b"{}").chmod(0o444)
    assert refused(desk, "cursor", "user").id == "cannot-write"


def test_a_directory_and_a_loop_of_links(desk: Desk) -> None:
    (desk.home / CURSOR).mkdir(parents=True)
    with pytest.raises(ScaffoldError, match="it is not a file"):
        desk.install("cursor", "user")
    (desk.home / CURSOR).rmdir()
    (desk.home / CURSOR).symlink_to(desk.home / CURSOR)
    with pytest.raises(ScaffoldError, match=r"mcp\.json"):
        desk.install("cursor", "user")


def test_a_link_of_the_project_that_leads_out_of_it(desk: Desk) -> None:
    write(desk, "settings.json", b"{}")
    (desk.folder / "project/.mcp.json").symlink_to(desk.home / "settings.json")
    assert refused(desk, "claude-code").id == "symlink"


@pytest.mark.parametrize("client", ["jetbrains-ai", "zed", "devin"])
def test_no_secret_goes_into_a_project(tmp_path: Path, client: str) -> None:
    desk = Desk.at(tmp_path, TOKEN, environ={"BLOG_TOKEN": "s3cr3t-token"})
    found = refused(desk, client, "project")
    assert found.id == "secret-in-project"
    assert "s3cr3t" not in str(found)


def test_a_value_that_only_the_user_has(tmp_path: Path) -> None:
    assert refused(Desk.at(tmp_path, TOKEN), "zed", "user").message == (
        "Zed needs the value of `BLOG_TOKEN` in its configuration"
    )
    desk = Desk.at(tmp_path, TOKEN, environ={"BLOG_TOKEN": "s3cr3t-token"})
    made = desk.plan(read_client("zed"), "user")
    assert "****" in made.change
    assert "s3cr3t" not in made.change
    desk.install("zed", "user")
    file = desk.home / ".config/zed/settings.json"
    assert json.loads(file.read_text())["context_servers"]["ours"]["env"] == {
        "BLOG_TOKEN": "s3cr3t-token"
    }
    assert file.stat().st_mode & 0o077 == 0
    assert all("s3cr3t" not in f.read_text() for f in desk.store.folder.iterdir())


def test_the_secrets_of_other_servers_are_not_shown(desk: Desk) -> None:
    write(desk, CURSOR, b'{\n "mcpServers": {\n  "x": {\n   "env": {"A": "s3cr3t"}\n  }\n }\n}')
    made = desk.plan(read_client("cursor"), "user")
    assert '"ours"' in made.change
    assert "s3cr3t" not in made.change


@pytest.mark.parametrize(
    "text",
    [
        '{"mcpServers": {"x": {"env": {"A": "s3cr3t"}}}}',
        '{\n "mcpServers": {"x": {"env": {"A": "s3cr3t"}}}\n}',
        '{\n "mcpServers": {\n  "x": {"env": {"A": "s3cr3t"}}\n }\n}',
    ],
)
def test_secrets_of_others_in_the_lines_that_change_are_not_shown(desk: Desk, text: str) -> None:
    path = write(desk, CURSOR, text.encode())
    assert "s3cr3t" not in desk.plan(read_client("cursor"), "user").change
    desk.install("cursor", "user")
    again = desk.plan(read_client("cursor"), "user", None, "streamable-http")
    assert path.read_text() != text
    assert '"url"' in again.change
    assert "s3cr3t" not in again.change


@pytest.mark.parametrize("client", ["auggie", "claude-desktop", "zed", "cline", "goose"])
@pytest.mark.parametrize(
    "secret", ["s3cr't TOK", 's3cr"t: #\\TOK', "s3cré\nTOK", "s3cr " + "TOK " * 40]
)
def test_a_secret_is_not_shown_however_it_is_written(
    tmp_path: Path, client: str, secret: str
) -> None:
    optional = replace(TOKEN, required=False)
    desk = Desk.at(tmp_path, optional, environ={"BLOG_TOKEN": secret})
    shown = desk.plan(read_client(client), "user", "file").change
    assert "BLOG_TOKEN" in shown
    assert "s3cr" not in shown
    assert "TOK" not in shown.replace("BLOG_TOKEN", "")


def test_an_old_secret_is_not_shown_when_it_is_replaced(tmp_path: Path) -> None:
    old = Desk.at(tmp_path, TOKEN, environ={"BLOG_TOKEN": "s3cr3t-old"})
    old.install("zed", "user")
    new = Desk.at(tmp_path, TOKEN, environ={"BLOG_TOKEN": "s3cr3t-new"})
    assert "s3cr3t" not in new.plan(read_client("zed"), "user").change


@pytest.mark.parametrize(
    ("client", "asked", "id"),
    [
        ("cursor", ("user", "project", None), "no-means"),
        ("cursor", (None, "command", None), "no-means"),
        ("codex", (None, "link", None), "no-means"),
        ("claude-desktop", (None, "bundle", None), "no-means"),
        ("n8n", (None, None, "streamable-http"), "no-means"),
        ("cursor", (None, None, "sse"), "transport-unsupported"),
        ("n8n", (None, None, "stdio"), "transport-unsupported"),
    ],
)
def test_ways_that_a_client_does_not_have(
    desk: Desk, client: str, asked: tuple[str | None, ...], id: str
) -> None:
    assert refused(desk, client, *asked).id == id


@pytest.mark.usefixtures("runs_an_app")
def test_an_application_that_runs_and_loses_its_entries(desk: Desk) -> None:
    write(desk, ".config/Claude/claude_desktop_config.json", b"{}")
    found = refused(desk, "claude-desktop", "user", "file")
    assert (found.id, found.hint) == ("client-running", "quit Claude Desktop first")


@pytest.fixture
def runs_an_app(
    starts_programs: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Run a program of a name that no other has, as the application of Claude Desktop."""
    name = f"app-{os.getpid()}"
    shutil.copy(shutil.which("sleep") or "", tmp_path / name)
    monkeypatch.setattr(install, "running", lambda names: running([name]) if names else None)
    with subprocess.Popen([tmp_path / name, "60"]) as process:
        yield
        process.kill()
    assert running([name]) is None


def test_other_entries_that_a_client_lost_are_still_in_the_copy(desk: Desk) -> None:
    path = write(desk, CURSOR, b'{"mcpServers": {"x": {}}}')
    desk.install("cursor", "user")
    path.write_bytes(b"{}")  # as Claude Desktop does
    (made,) = desk.remove()
    assert made.gone
    assert Path(made.copy or "").read_bytes() == b'{"mcpServers": {"x": {}}}'


def edited(desk: Desk) -> Path:
    """Install, and put another entry in the place of ours."""
    desk.install("cursor", "user")
    path = desk.home / CURSOR
    mine = {"command": "/my/own/server", "env": {"MY": "precious"}}
    path.write_text(json.dumps({"mcpServers": {"ours": mine}}))
    return path


def test_an_entry_that_someone_edited_is_not_overwritten(desk: Desk) -> None:
    edited(desk)
    before, receipts = desk.files(), desk.store.all()
    with pytest.raises(ScaffoldError, match="was changed since it was installed"):
        desk.install("cursor", "user", None, "streamable-http")
    assert (desk.files(), desk.store.all()) == (before, receipts)


def test_an_entry_that_someone_edited_is_not_removed(desk: Desk) -> None:
    path = edited(desk)
    before, receipts = desk.files(), desk.store.all()
    with pytest.raises(ScaffoldError, match="was changed since it was installed"):
        desk.remove()
    assert (desk.files(), desk.store.all()) == (before, receipts)
    path.write_text("{}")
    assert desk.remove()[0].gone


def test_the_layout_of_an_entry_may_change(desk: Desk) -> None:
    desk.install("cursor", "user")
    path = desk.home / CURSOR
    path.write_text(json.dumps(json.loads(path.read_text()), sort_keys=True))
    desk.remove()
    assert json.loads(path.read_text()) == {"mcpServers": {}}  # it has become the client's own


def test_the_copy_with_entries_that_a_client_lost_survives_the_next_installation(
    desk: Desk,
) -> None:
    path = write(desk, CURSOR, b'{"mcpServers": {"x": {}}}')
    desk.install("cursor", "user")
    path.write_bytes(b"{}")  # as Claude Desktop does
    desk.install("cursor", "user")
    desk.remove()
    assert path.read_bytes() == b"{}"
    assert path.with_name("mcp.json.before-mcp-scaffold").read_bytes() == (
        b'{"mcpServers": {"x": {}}}'
    )


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such owners")
def test_files_belong_to_whom_they_did(desk: Desk) -> None:
    path = write(desk, CURSOR, b'{"mcpServers": {"x": {}}}')
    theirs = (1234, 1235) if os.geteuid() == 0 else (os.getuid(), os.getgid())
    for found in (desk.home, path):
        os.chown(found, *theirs)
    path.chmod(0o640)
    desk.install("cursor", "user")
    desk.install("codex", "user", "file")
    new = desk.home / ".codex/config.toml"
    assert new.stat().st_mode & 0o077 == 0
    for found in (path, path.with_name("mcp.json.before-mcp-scaffold")):
        assert (found.stat().st_uid, found.stat().st_gid) == theirs
    desk.remove()
    assert (path.stat().st_uid, path.stat().st_gid) == theirs
    assert path.stat().st_mode & 0o777 == 0o640
