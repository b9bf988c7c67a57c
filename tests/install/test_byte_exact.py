"""Installing into a file of any layout and removing leaves every byte as it was."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from scaffold.base.diagnostics import ScaffoldError
from scaffold.clients.client import read_client
from scaffold.clients.entry import Entry
from scaffold.clients.places import user_files
from scaffold.install import install
from scaffold.install.configuration import Configuration
from tests.disk.processes import killed
from tests.install.layouts import ROOT, TEXTS_OF, remains
from tests.install.machines import Desk

CLIENTS = {
    "json": replace(read_client("cursor"), root=ROOT),
    "jsonc": replace(read_client("vscode"), root=ROOT, id="zed"),
    "toml": replace(read_client("codex"), root=ROOT),
}


@contextmanager
def desk(kind: str, data: bytes | None, link: str = "") -> Iterator[tuple[Desk, Path]]:
    """Yield a desk whose home has a client's file with these bytes, or a link to it."""
    with TemporaryDirectory() as folder:
        user = Desk.at(Path(folder).resolve())
        file = Path(user_files(CLIENTS[kind], user.machine)[0])
        if data is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            target = file
            if link:
                target = user.home / link
                target.parent.mkdir(parents=True, exist_ok=True)
                file.symlink_to(os.path.relpath(target, file.parent))
            target.write_bytes(data)
        yield user, file


def put_in(user: Desk, kind: str, transport: str | None = None) -> None:
    user.install(CLIENTS[kind], "user", "file", transport)


def take_out(user: Desk, kind: str) -> None:
    user.remove(CLIENTS[kind])


@pytest.mark.parametrize("kind", TEXTS_OF)
@settings(max_examples=30)
@given(data=st.data())
def test_removing_restores_every_byte(kind: str, data: st.DataObject) -> None:
    content = data.draw(TEXTS_OF[kind]).encode()
    if data.draw(st.booleans()):
        content = b"\xef\xbb\xbf" + content
    link = data.draw(st.sampled_from(["", "", "dotfiles/config", ".elsewhere"]))
    with desk(kind, content, link) as (user, file):
        file.chmod(data.draw(st.sampled_from([0o600, 0o644, 0o640])))
        mode, before = stat.S_IMODE(file.stat().st_mode), user.files()
        put_in(user, kind)
        assert file.read_bytes().startswith(b"\xef\xbb\xbf") == content.startswith(b"\xef\xbb\xbf")
        assert file.is_symlink() == bool(link)
        assert stat.S_IMODE(file.stat().st_mode) == mode
        target = file.resolve()
        kept = target.with_name(f"{target.name}.before-mcp-scaffold")
        assert kept.read_bytes() == content
        assert stat.S_IMODE(kept.stat().st_mode) == mode
        take_out(user, kind)
        assert user.files() == before
        assert stat.S_IMODE(file.stat().st_mode) == mode


@pytest.mark.parametrize("kind", TEXTS_OF)
def test_a_file_that_did_not_exist_before_is_removed_again(kind: str) -> None:
    with desk(kind, None) as (user, file):
        put_in(user, kind)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        whole = file.read_bytes()
        take_out(user, kind)
        assert not file.parent.exists()
        file.parent.mkdir()
        file.write_bytes(whole.rstrip())  # the client has written it: it is the client's own then
        take_out(user, kind)
        assert Configuration.read(file, CLIENTS[kind]).entries() == {}
        assert file.exists()


@pytest.mark.parametrize("kind", TEXTS_OF)
@settings(max_examples=30)
@given(data=st.data())
def test_entries_of_others_stay_where_they_are(kind: str, data: st.DataObject) -> None:
    text = data.draw(TEXTS_OF[kind])
    with desk(kind, text.encode()) as (user, file):

        def entries() -> list[tuple[str, str]]:
            configuration = Configuration.read(file, CLIENTS[kind]).entries().items()
            return [(name, json.dumps(entry, default=str)) for name, entry in configuration]

        before = entries()
        put_in(user, kind)
        configuration = Configuration.read(file, CLIENTS[kind])
        file.write_bytes(
            configuration.put("theirs", Entry({}, {"command": "x", "args": ["y"]}, (), ()))
        )
        put_in(user, kind, "streamable-http")
        assert [name for name, _ in entries()] == [*dict(before), "ours", "theirs"]
        assert remains(file.read_bytes().decode(), text.strip())
        take_out(user, kind)
        assert entries() == [*before, ("theirs", '{"command": "x", "args": ["y"]}')]
        assert remains("".join(file.read_text("utf-8").split()), "".join(text.split()))


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("json", None),
        ("json", b'{"servers": {}}'),
        ("jsonc", b'\xef\xbb\xbf{"servers": {}, /* mine */}'),
        ("toml", b"[servers.x]\r\ncommand = 'y'"),
    ],
)
def test_a_run_that_is_killed_at_any_moment_loses_nothing(kind: str, content: bytes | None) -> None:
    instant, works = 0, True
    while works:
        with desk(kind, content) as (user, file):
            works = killed(lambda: put_in(user, kind), instant)
            there = file.read_bytes() if file.exists() else None
            assert there == content or b"ours" in (there or b"")
            put_in(user, kind)
            whole = file.read_bytes()
            assert "ours" in Configuration.read(file, CLIENTS[kind]).entries()
            killed(lambda: take_out(user, kind), instant)
            there = file.read_bytes() if file.exists() else b""
            assert there == whole or b"ours" not in there
            take_out(user, kind)
            left = file.read_bytes() if file.exists() else b""
            assert b"ours" not in left
            assert left.split() == (content or left).split()
        instant += 1
    assert instant > 2


def test_a_simultaneous_save_by_another_program_wins() -> None:
    with desk("json", b'{"servers": {}}') as (user, file):
        planned = user.plan(CLIENTS["json"], "user", "file")
        file.write_bytes(b'{"servers": {}, "theirs": 1}')
        before = user.files()
        with pytest.raises(ScaffoldError, match="saved by another program"):
            install.carry_out(planned, user.machine)
        assert user.files() == before
