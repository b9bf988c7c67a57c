"""The files of a project as git knows them: ignored, new, and with converted line ends."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from scaffold.base import git
from scaffold.base.diagnostics import ScaffoldError

_MAX_OUTPUT_BYTES = 64 * 2**20


class Repository(Struct, frozen=True):
    """The paths of the files in a project that git does not ignore.

    Of these, git does not know those in `new`, and a checkout changed the line ends of those in
    `converted`.
    """

    files: frozenset[str]
    new: frozenset[str] = frozenset()
    converted: frozenset[str] = frozenset()


def repository(root: Path) -> Repository | None:
    """Return the repository of a project; None if there is neither git nor a .gitignore.

    Outside of a repository, .gitignore is read all the same. Raises ScaffoldError if git fails:
    nobody would know which files are ignored.
    """
    if not any((folder / ".git").exists() for folder in (root, *root.absolute().parents)):
        return _outside(root)
    new = _listed(root, "--others", "--exclude-standard")
    return Repository(_listed(root, "--cached") | new, new, _converted(root))


def _outside(root: Path) -> Repository | None:
    if not shutil.which("git") and not (root / ".gitignore").exists():
        return None
    with TemporaryDirectory() as folder:
        _asked(root, "init", "--quiet", "--bare", folder)
        trees = (f"--git-dir={folder}", f"--work-tree={root.absolute()}")
        return Repository(_listed(root, "--others", "--exclude-standard", before=trees))


def _listed(root: Path, *which: str, before: tuple[str, ...] = ()) -> frozenset[str]:
    return frozenset(_asked(root, *before, "ls-files", "-z", *which).split("\0")[:-1])


def _converted(root: Path) -> frozenset[str]:
    """Return the files that have other line ends than git stores."""
    lines = _asked(root, "ls-files", "-z", "--eol").split("\0")
    return frozenset(line.split("\t", 1)[1] for line in lines if line.startswith("i/lf    w/crlf"))


def _asked(root: Path, *arguments: str) -> str:
    """Return the output of git. Raises ScaffoldError if it fails."""
    try:
        output = git.run(str(root), *arguments, most=_MAX_OUTPUT_BYTES)
    except git.GitError as error:
        why = str(error).partition("\n")[0]
        message = f"git does not tell which files it ignores: {why}"
        hint = "run `git status` in the project, and follow its advice"
        raise ScaffoldError.of("publish-file", message, root, hint) from error
    return output.decode(errors="surrogateescape")
