"""The lock says what was written last; it is read as if a stranger had written it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.files import Owner, RelPath
from scaffold.disk.lock import Entry, Lock, parse, read, sha256
from scaffold.disk.tree import Snapshot, digest

HASH = "0123456789abcdef" * 4

hashes = st.text("0123456789abcdef", min_size=64, max_size=64)
paths = st.lists(st.text("aZé-_", min_size=1), min_size=1, max_size=3).map("/".join).map(RelPath)
entries = st.builds(
    Entry,
    st.sampled_from(Owner),
    hashes,
    st.none() | st.text(st.characters(codec="utf-8")),
    st.booleans(),
    source=st.none() | hashes,
)
locks = st.builds(
    Lock,
    st.text("0.1rc"),
    st.dictionaries(st.text("a/@."), hashes),
    st.dictionaries(paths, entries),
)


@given(locks)
def test_a_lock_is_read_back_as_it_was_written(lock: Lock) -> None:
    assert parse(lock.text().encode()) == lock
    assert parse(lock.text().replace("\n", "\r\n").encode()) == lock
    assert lock.text().isascii()


def test_each_file_has_a_line_of_its_own() -> None:
    files = {
        RelPath("src/b.py"): Entry(Owner.OWNED, HASH, id="tools/b", orphan=True),
        RelPath("README.md"): Entry(Owner.MERGED, HASH),
    }
    lock = Lock("1.0", {"mcp.yaml": HASH}, files)
    assert (
        lock.text()
        == f"""{{
"format": 1,
"version": "1.0",
"inputs": {{
 "mcp.yaml": "{HASH}"
}},
"files": {{
 "README.md": {{"owner":"merged","sha256":"{HASH}"}},
 "src/b.py": {{"owner":"owned","sha256":"{HASH}","id":"tools/b","orphan":true}}
}}
}}
"""
    )


def lock_of(path: str = "a.txt", **changed: object) -> str:
    entry = {"owner": "owned", "sha256": HASH, **changed}
    return json.dumps({"format": 1, "version": "1", "inputs": {}, "files": {path: entry}})


BROKEN = {
    "": "truncated",
    "<<<<<<< HEAD\n{}": "malformed",
    "[]": "object",
    "{}": "format",
    '{"format": 2}': "format 2",
    '{"format": 1, "version": 1, "inputs": {}, "files": {}}': "version",
    "[" * 100_000: "object",
    lock_of("../secret"): "inside the project",
    lock_of(owner="root"): "owner",
}


@pytest.mark.parametrize("text", BROKEN, ids=[text[:50] for text in BROKEN])
def test_a_malformed_lock_is_refused_with_a_reason(tmp_path: Path, text: str) -> None:
    (tmp_path / ".scaffold").mkdir()
    (tmp_path / ".scaffold/lock.json").write_text(text)
    with pytest.raises(ScaffoldError) as raised:
        read(tmp_path)
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic.id == "lock-broken"
    assert diagnostic.hint
    assert BROKEN[text] in diagnostic.message


@given(st.text())
def test_a_text_has_the_same_hash_in_every_encoding_and_with_any_line_endings(text: str) -> None:
    folded = text.replace("\r\n", "\n")
    saved = folded.replace("\n", "\r\n").encode()
    assert sha256(folded) == digest(folded.encode()) == digest(saved)
    assert digest(b"\xef\xbb\xbf" + saved) == Snapshot(saved, 0o644).sha256
