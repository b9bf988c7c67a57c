"""Files are compared without regard to line ends, and keep those that they have."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from scaffold.base.files import Owner
from tests.disk.regenerated import MERGED, OWNED, new, problems, regenerate, rendered, texts
from tests.files import stamps


class TestLineEndsAndEncodings:
    """Files are compared without regard to line ends, and keep those that they have."""

    @pytest.mark.parametrize("owner", list(Owner))
    def test_a_file_saved_with_other_line_endings_counts_as_unmodified(
        self, root: Path, owner: Owner
    ) -> None:
        file = rendered(owner, "a.txt", "1\n2\n")
        new(root, file)
        (root / "a.txt").write_bytes(b"\xef\xbb\xbf1\r\n2\r\n")
        stood = stamps(root)
        assert not regenerate(root, file)
        assert stamps(root) == stood
        regenerate(root, rendered(owner, "a.txt", "1\n3\n"))
        assert (root / "a.txt").read_bytes() == b"\xef\xbb\xbf1\r\n3\r\n"

    def test_a_merge_keeps_line_ends_and_byte_order_mark(self, root: Path) -> None:
        new(root, rendered(MERGED, "a.txt", "1\n2\n3\n4\n"))
        (root / "a.txt").write_bytes(b"\xef\xbb\xbf1\r\n2\r\n3\r\n4 mine\r\n")
        regenerate(root, rendered(MERGED, "a.txt", "1 new\n2\n3\n4\n"))
        assert (root / "a.txt").read_bytes() == b"\xef\xbb\xbf1 new\r\n2\r\n3\r\n4 mine\r\n"

    def test_records_are_read_whatever_line_endings_git_gave_them(self, root: Path) -> None:
        file = rendered(MERGED, "a.txt", "1\n2\n3\n4\n")
        new(root, file)
        data = (root / ".scaffold/lock.json").read_bytes()
        (root / ".scaffold/lock.json").write_bytes(data.replace(b"\n", b"\r\n"))
        stood = stamps(root)
        regenerate(root, file)
        assert stamps(root) == stood
        (root / "a.txt").write_text("1\n2\n3\n4 mine\n")
        regenerate(root, rendered(MERGED, "a.txt", "1 new\n2\n3\n4\n"))
        assert texts(root) == {"a.txt": "1 new\n2\n3\n4 mine\n"}
        assert b"\r\n" in (root / ".scaffold/lock.json").read_bytes()

    def test_a_file_that_is_not_utf_8_cannot_be_merged_but_is_never_lost(self, root: Path) -> None:
        new(root, rendered(MERGED, "a.txt", "1\n"), rendered(OWNED, "b.txt", "1\n"))
        for name in ("a.txt", "b.txt"):
            (root / name).write_bytes(b"caf\xe9\n")
        a, b = rendered(MERGED, "a.txt", "2\n"), rendered(OWNED, "b.txt", "2\n")
        for accept in (False, True):
            reported = problems(partial(regenerate, root, a, b, accept=accept))
            assert reported == [("conflict", str(root / "a.txt"))]
        regenerate(root, a, b, force=["a.txt"])
        assert (root / "a.txt.orig").read_bytes() == (root / "b.txt").read_bytes() == b"caf\xe9\n"
