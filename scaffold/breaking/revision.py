"""Read files at a revision of the git repository that contains them."""

from __future__ import annotations

import posixpath
from pathlib import Path

from msgspec import Struct

from scaffold.base import git
from scaffold.base.diagnostics import ScaffoldError
from scaffold.yaml.source import LARGEST

_ENVIRONMENT = {
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
}
"""Nothing is fetched or written."""

_FILES = ("100644", "100755")
"""The modes of regular files in a tree."""

_RENAMES = (
    "diff-index", "--cached", "--find-renames", "--diff-filter=R", "--name-status", "-z",
)  # fmt: skip

_SOURCES = ("--", ":(top)", ":(top,exclude,glob)**/.scaffold/**")
"""All files but our records, one of which is a copy of the spec."""

_NEW = "compare with a revision that has it; if it is new, add `--allow-new`"


class NoOlderVersionError(ScaffoldError):
    """The revision exists and does not have the file, under another name neither."""


class Revision(Struct, frozen=True):
    """A commit of the repository around `folder`; `name` is how the user named it."""

    folder: Path
    name: str
    commit: str

    @classmethod
    def of(cls, folder: Path, name: str) -> Revision:
        """Find a revision: a branch, a tag, a commit or an expression such as `HEAD~1`.

        Raises ScaffoldError (`no-baseline`) if there is none, or no repository, and
        NoOlderVersionError if the repository has no commit yet.
        """
        wanted = f"{name}^{{commit}}"
        try:
            said = _git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", wanted)
        except git.GitError as error:
            if str(error):  # such as no repository, or one of another user
                raise _failed(f"git:{name}", error) from error
            said = b"^"
        commit = said.decode().split()[-1]
        if commit.startswith("^"):  # all but what leads to a commit
            if not _git(folder, "rev-list", "--all", "--max-count=1"):
                message = "the repository has no commit yet"
                raise NoOlderVersionError.of("no-baseline", message, f"git:{name}", _NEW)
            message = f"the repository has no revision `{name}`"
            hint = f"fetch it first, such as with `git fetch origin {name}`, or correct the name"
            raise ScaffoldError.of("no-baseline", message, f"git:{name}", hint)
        return cls(folder, name, commit)

    def read(self, path: str) -> tuple[bytes, str]:
        """Return the contents of a file, and its name for messages.

        `path` is relative to the folder; the file may have been renamed in the index since. Raises
        NoOlderVersionError (`no-baseline`) if there is none, and ScaffoldError if it is too large or
        a link.
        """
        where = f"git:{self.name}:{path}"
        try:
            entry = self._entry(path) or self._entry(self._renamed(path))
            if not entry:
                message = f"there is no `{path}` at the revision `{self.name}`"
                raise NoOlderVersionError.of("no-baseline", message, where, _NEW)
            mode, _, blob, name = entry
            where = f"git:{self.name}:{name}"
            if mode not in _FILES:
                message = f"`{name}` is not a regular file at the revision `{self.name}`"
                raise ScaffoldError.of("no-baseline", message, where, "name the file itself")
            return _git(self.folder, "cat-file", "blob", blob), where
        except git.TooMuchError as error:
            message = f"the file is larger than {LARGEST // 1_000_000} MB"
            raise ScaffoldError.of("no-baseline", message, where) from error
        except git.GitError as error:
            raise _failed(where, error) from error

    def _renamed(self, path: str) -> str | None:
        """Return what a file was called at the revision, if it was renamed in the index since."""
        folder = _text(_git(self.folder, "rev-parse", "--show-prefix")).removesuffix("\n")
        words = _text(_git(self.folder, *_RENAMES, self.commit, *_SOURCES, literal=False))
        _, *names = words.split("\0")
        old = dict(zip(names[1::3], names[::3], strict=False)).get(folder + path)
        return None if old is None else posixpath.relpath(old, folder or ".")

    def _entry(self, path: str | None) -> tuple[str, str, str, str] | None:
        """Return the mode, the kind, the hash and the name of a file, if it is there."""
        listed = path and _text(_git(self.folder, "ls-tree", "-z", self.commit, "--", path))
        if not (path and listed):
            return None
        mode, kind, blob = listed.partition("\t")[0].split()
        return mode, kind, blob, path


def _git(folder: Path, *arguments: str, literal: bool = True) -> bytes:
    extra = {**_ENVIRONMENT, "GIT_LITERAL_PATHSPECS": str(int(literal))}
    return git.run(str(folder), *arguments, most=LARGEST + 2, extra=extra)


def _text(said: bytes) -> str:
    return said.decode(errors="surrogateescape")


def _failed(where: str, error: git.GitError) -> ScaffoldError:
    hint = "install git, or compare with a file or a project"
    missing = isinstance(error, git.NoGitError)
    return ScaffoldError.of(
        "no-baseline", str(error) if missing else f"git: {error}", where, hint if missing else None
    )
