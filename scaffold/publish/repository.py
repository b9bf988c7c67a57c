"""The git repository of a project: its remote, its tags, and the files that git ignores."""

from __future__ import annotations

import os
import re
import shutil
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from scaffold.base import git
from scaffold.base.diagnostics import ScaffoldError

_GITHUB = re.compile(
    r"(?:(?:https?|ssh|git)://(?:[^@/]*@)?|(?:[^@/:]*@)?)github\.com(?::\d+)?[/:]"
    r"(?P<owner>[^/:]+)/(?P<name>[^/]+?)(?:\.git)?/?",
    re.IGNORECASE,
)
_MAX_OUTPUT_BYTES = 64 * 2**20


class Repository(Struct, frozen=True):
    """Information from git: the owner and the name on GitHub, if there is an `origin`.

    `tags` are those of the commit that is checked out, `others` those of other commits. `files` are
    the paths in the project that git does not ignore; of these, git does not know those in `new`,
    and a checkout changed the line ends of those in `converted`.
    """

    owner: str | None
    name: str | None
    tags: frozenset[str]
    others: frozenset[str]
    files: frozenset[str]
    new: frozenset[str]
    converted: frozenset[str]


def repository(root: Path) -> Repository | None:
    """Return the repository of a project; None if there is neither git nor a .gitignore.

    Outside of a repository, .gitignore is read all the same. Raises ScaffoldError if git fails:
    nobody would know which files are ignored.
    """
    if not any((folder / ".git").exists() for folder in (root, *root.absolute().parents)):
        return _outside(root)
    origin = _GITHUB.fullmatch(_git(root, "remote", "get-url", "origin").strip())
    here = frozenset(_git(root, "tag", "--points-at", "HEAD").split()) | _triggered(root)
    every = frozenset(_git(root, "tag", "--list").split())
    new = _listed(root, "--others", "--exclude-standard")
    return Repository(
        owner=origin["owner"] if origin else None,
        name=origin["name"] if origin else None,
        tags=here,
        others=every - here,
        files=_listed(root, "--cached") | new,
        new=new,
        converted=_converted(root),
    )


def _triggered(root: Path) -> frozenset[str]:
    """Return the tag for which GitHub runs this, if it does so for the repository."""
    workspace = os.environ.get("GITHUB_WORKSPACE")
    if not workspace or os.environ.get("GITHUB_REF_TYPE") != "tag":
        return frozenset()
    is_here = root.resolve().is_relative_to(Path(workspace).resolve())
    return frozenset({os.environ.get("GITHUB_REF_NAME", "")} if is_here else ())


def _outside(root: Path) -> Repository | None:
    if not shutil.which("git") and not (root / ".gitignore").exists():
        return None
    with TemporaryDirectory() as folder:
        _asked(root, "init", "--quiet", "--bare", folder)
        trees = (f"--git-dir={folder}", f"--work-tree={root.absolute()}")
        files = _listed(root, "--others", "--exclude-standard", before=trees)
    nothing = frozenset[str]()
    return Repository(None, None, nothing, nothing, files, nothing, nothing)


def _listed(root: Path, *which: str, before: tuple[str, ...] = ()) -> frozenset[str]:
    return frozenset(_asked(root, *before, "ls-files", "-z", *which).split("\0")[:-1])


def _converted(root: Path) -> frozenset[str]:
    """Return the files that have other line ends than git stores."""
    lines = _git(root, "ls-files", "-z", "--eol").split("\0")
    return frozenset(line.split("\t", 1)[1] for line in lines if line.startswith("i/lf    w/crlf"))


def _asked(root: Path, *arguments: str) -> str:
    """Return the output of git. Raises ScaffoldError if it fails."""
    try:
        return _run(root, *arguments)
    except git.GitError as error:
        why = str(error).partition("\n")[0]
        message = f"git does not tell which files it ignores: {why}"
        hint = "run `git status` in the project, and follow its advice"
        raise ScaffoldError.of("publish-file", message, root, hint) from error


def _git(root: Path, *arguments: str) -> str:
    """Return the output of git; an empty string if it fails."""
    with suppress(git.GitError):
        return _run(root, *arguments)
    return ""


def _run(root: Path, *arguments: str) -> str:
    return git.run(str(root), *arguments, most=_MAX_OUTPUT_BYTES).decode(errors="surrogateescape")
