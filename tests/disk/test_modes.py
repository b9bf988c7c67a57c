"""A file keeps the permissions that its owner gave it, whatever the umask of the run."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from scaffold.base.files import Owner
from tests.disk.regenerated import GENERATED, MERGED, OWNED, new, regenerate, rendered


@pytest.fixture(params=[0o022, 0o077], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


@pytest.mark.parametrize("given", [0o664, 0o660, 0o600, 0o775], ids=oct)
@pytest.mark.parametrize("owner", [GENERATED, MERGED], ids=str)
def test_an_update_changes_no_permission(root: Path, owner: Owner, given: int, umask: int) -> None:
    new(root, rendered(owner, "a.txt", "1\n"))
    (root / "a.txt").chmod(given)
    regenerate(root, rendered(owner, "a.txt", "2\n"))
    assert (root / "a.txt").read_text() == "2\n"
    assert mode(root / "a.txt") == given


def test_a_moved_file_and_a_backup_keep_their_permissions(root: Path, umask: int) -> None:
    new(root, rendered(OWNED, "a.py", "stub\n"), rendered(GENERATED, "b.txt", "1\n"))
    for path in ("a.py", "b.txt"):
        (root / path).write_text("mine\n")
        (root / path).chmod(0o640)
    regenerate(
        root,
        rendered(OWNED, "c.py", "stub\n"),
        rendered(GENERATED, "b.txt", "2\n"),
        renames={"a.py": "c.py"},
        force=["b.txt"],
    )
    assert (root / "c.py").read_text() == (root / "b.txt.orig").read_text() == "mine\n"
    assert mode(root / "c.py") & 0o640 == mode(root / "c.py")
    assert mode(root / "b.txt") == 0o640


def test_a_new_file_has_the_permissions_that_the_umask_leaves(root: Path, umask: int) -> None:
    new(root, rendered(GENERATED, "a.txt", "1\n"))
    script = rendered(GENERATED, "run.sh", "1\n", executable=True)
    regenerate(root, rendered(GENERATED, "a.txt", "1\n"), script)
    assert mode(root / "a.txt") == 0o666 & ~umask
    assert mode(root / "run.sh") == 0o777 & ~umask


class TestTheExecutableBit:
    def test_the_bit_follows_the_template(self, root: Path) -> None:
        new(root, rendered(GENERATED, "run.sh", "1\n"))
        for executable, bits in ((True, 0o111), (False, 0)):
            [step] = regenerate(root, rendered(GENERATED, "run.sh", "1\n", executable=executable))
            assert step.action == "update"
            assert mode(root / "run.sh") & 0o111 & ~current_umask() == bits & ~current_umask()
        assert regenerate(root, rendered(GENERATED, "run.sh", "1\n")) == ()

    def test_the_bit_of_a_generated_file_is_restored(self, root: Path) -> None:
        script = rendered(GENERATED, "run.sh", "1\n", executable=True)
        new(root, script)
        (root / "run.sh").chmod(0o644)
        [step] = regenerate(root, script)
        assert step.diff().endswith("old mode 100644\nnew mode 100755\n")
        assert mode(root / "run.sh") == 0o755

    @pytest.mark.parametrize("owner", [MERGED, OWNED], ids=str)
    def test_the_bit_of_a_file_that_people_own_is_left_alone(
        self, root: Path, owner: Owner
    ) -> None:
        script = rendered(owner, "run.sh", "1\n", executable=True)
        new(root, script)
        (root / "run.sh").chmod(0o644)
        assert regenerate(root, script) == ()
        assert mode(root / "run.sh") == 0o644

    def test_a_merge_also_sets_the_bit(self, root: Path) -> None:
        new(root, rendered(MERGED, "run.sh", "1\n\n\n2\n"))
        (root / "run.sh").write_text("1\n\n\nmine\n")
        regenerate(root, rendered(MERGED, "run.sh", "new\n\n\n2\n", executable=True))
        assert (root / "run.sh").read_text() == "new\n\n\nmine\n"
        assert mode(root / "run.sh") & 0o100

    def test_an_executable_bit_for_everybody_is_not_a_modification(self, root: Path) -> None:
        new(root, rendered(GENERATED, "a.txt", "1\n"))
        (root / "a.txt").chmod(0o777)
        assert regenerate(root, rendered(GENERATED, "a.txt", "1\n")) == ()


def current_umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
