"""What keeps a run from the disk is found out before the first write."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest

from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.files import RelPath, RenderedFiles
from tests.disk.processes import NEVER, killed
from tests.disk.regenerated import GENERATED, MERGED, OWNED, new, problems, regenerate, rendered
from tests.files import contents

NOBODY = (65534, 65534)


class TestWhatStandsInTheWay:
    """Links are never followed, and nothing but files is taken for files."""

    files = (
        rendered(GENERATED, "a/file.txt", "1\n"),
        rendered(OWNED, "b/file.txt", "1\n"),
        rendered(MERGED, "file.txt", "1\n"),
    )

    def test_every_obstacle_is_reported_and_no_file_is_changed(
        self, root: Path, tmp_path: Path
    ) -> None:
        new(root, *self.files)
        outside = tmp_path / "outside"
        outside.mkdir()
        (outside / "file.txt").write_text("1\n")
        shutil.rmtree(root / "a")
        (root / "a").symlink_to(outside)
        shutil.rmtree(root / "b")
        (root / "b").write_text("a file\n")
        (root / "file.txt").unlink()
        (root / "file.txt").mkdir()
        wanted = [rendered(f.owner, f.path, "2\n") for f in self.files]
        assert problems(lambda: regenerate(root, *wanted)) == [
            ("symlink", str(root / "a")),
            ("in-the-way", str(root / "b")),
            ("in-the-way", str(root / "file.txt")),
        ]
        assert contents(outside) == {"file.txt": b"1\n"}

    @pytest.mark.parametrize("path", ["a/file.txt", ".scaffold/lock.json", ".scaffold"])
    def test_a_link_is_refused_even_if_it_leads_into_the_project(
        self, root: Path, path: str
    ) -> None:
        new(root, *self.files)
        (root / path).rename(root / "elsewhere")
        (root / path).symlink_to(root / "elsewhere")
        assert problems(lambda: regenerate(root, *self.files)) == [("symlink", str(root / path))]

    def test_the_project_itself_can_be_a_link(self, root: Path, tmp_path: Path) -> None:
        new(root, *self.files)
        (tmp_path / "link").symlink_to(root)
        regenerate(tmp_path / "link", rendered(GENERATED, "new.txt", "1\n"), *self.files)
        assert (root / "new.txt").read_text() == "1\n"

    @pytest.mark.parametrize("path", [".scaffold/lock.json", ".Scaffold/x", ".scaffold/pack/x"])
    def test_templates_cannot_write_the_records(self, root: Path, path: str) -> None:
        new(root, *self.files)
        file = rendered(GENERATED, path, "1\n")
        assert problems(lambda: regenerate(root, *self.files, file)) == [("reserved-path", path)]
        assert problems(lambda: new(root / "below", file)) == [("reserved-path", path)]


class TestPermissions:
    """Files keep theirs, and where one may not be written, none is."""

    @pytest.mark.skipif(os.name == "nt", reason="Windows has no such owners")
    def test_a_read_only_folder_undoes_the_run(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder) / "project"
            new(root, rendered(GENERATED, "a/a.txt", "1\n"), rendered(GENERATED, "b/b.txt", "1\n"))
            for file in (Path(folder), root, *root.rglob("*")):
                os.chown(file, *(NOBODY if os.getuid() == 0 else (-1, -1)))
            (root / "b").chmod(0o555)
            before = contents(root)
            a, b = rendered(GENERATED, "a/a.txt", "2\n"), rendered(GENERATED, "b/b.txt", "2\n")

            def refused() -> None:
                if os.getuid() == 0:
                    os.setgid(NOBODY[1])
                    os.setuid(NOBODY[0])
                assert problems(lambda: regenerate(root, a, b)) == [
                    ("cannot-write", str(root / "b/b.txt"))
                ]

            assert not killed(refused, NEVER)
            assert contents(root) == before


def test_paths_that_some_systems_cannot_distinguish_are_refused_with_both_origins() -> None:
    def claim(*paths: str) -> list[str]:
        with pytest.raises(ScaffoldError) as raised:
            RenderedFiles.of(rendered(GENERATED, path, "") for path in paths)
        return [d.message for d in raised.value.diagnostics]

    assert claim("a.txt", "a.txt") == ["a.txt.j2 and a.txt.j2 both write `a.txt`"]
    assert claim("A.txt", "a.txt", "b", "b/c")[1:] == [
        "`b` is a directory for b/c.j2, a file for b.j2"
    ]
    assert len(claim("caf\u00e9", "cafe\u0301")) == 1


OUTSIDE = ["", "/a", "a//b", "../a", "./a", "a/", ".git/hooks/x", "a/.GIT", "git~1/x"]
UNPORTABLE = ["a\\b", "C:a", "a.", "a ", "nul", "a/CON.txt", "a\0", "a\n", "a\u202e", "\ud800"]


@pytest.mark.parametrize("path", [*OUTSIDE, *UNPORTABLE])
def test_paths_that_could_leave_the_project_or_be_ambiguous_are_invalid(path: str) -> None:
    with pytest.raises(ValueError, match="path"):
        RelPath(path)
