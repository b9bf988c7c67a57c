"""Read a spec as it was at a revision of the git repository that contains it."""

from __future__ import annotations

from pathlib import Path

from scaffold.base import git
from scaffold.base.diagnostics import ScaffoldError
from scaffold.yaml.source import MAX_BYTES

_ENVIRONMENT = {
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_LITERAL_PATHSPECS": "1",
}
"""Nothing is fetched or written, and names of files are no patterns."""

_NEW = "compare with a revision that has it; if it is new, add `--allow-new`"


class NoOlderVersionError(ScaffoldError):
    """The revision exists and does not have the file."""


def at_revision(path: Path, revision: str) -> tuple[bytes, str]:
    """Return the contents of a file at a revision, and its name for messages.

    A revision is a branch, a tag, a commit or an expression such as `HEAD~1`. Raises ScaffoldError
    (`no-baseline`) if it cannot be read, and NoOlderVersionError if the revision has no such file,
    or the repository no commit yet.
    """
    folder, name, where = path.parent, path.name, f"git:{revision}"
    try:
        commit = _commit(folder, revision)
        where = f"git:{revision}:{name}"
        if not _git(folder, "ls-tree", "-z", commit, "--", name):
            message = f"there is no `{name}` at the revision `{revision}`"
            raise NoOlderVersionError.of("no-baseline", message, where, _NEW)
        return _git(folder, "cat-file", "blob", f"{commit}:./{name}"), where
    except git.NoGitError as error:
        hint = "install git, or compare with a file or a project"
        raise ScaffoldError.of("no-baseline", str(error), where, hint) from error
    except git.TooMuchError as error:
        message = f"the file is larger than {MAX_BYTES // 1_000_000} MB"
        raise ScaffoldError.of("no-baseline", message, where) from error
    except git.GitError as error:
        hint = "compare with a file or a project: `--against FILE`"
        raise ScaffoldError.of("no-baseline", f"git: {error}", where, hint) from error


def _commit(folder: Path, revision: str) -> str:
    """Return the hash of the commit that a revision names."""
    wanted = f"{revision}^{{commit}}"
    try:
        output = _git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", wanted)
    except git.GitError as error:
        if str(error):  # such as no repository, or one of another user
            raise
        output = b"^"
    commit = output.decode().split()[-1]
    if not commit.startswith("^"):  # all but what leads to a commit
        return commit
    where = f"git:{revision}"
    if not _git(folder, "rev-list", "--all", "--max-count=1"):
        message = "the repository has no commit yet"
        raise NoOlderVersionError.of("no-baseline", message, where, _NEW)
    message = f"the repository has no revision `{revision}`"
    hint = f"fetch it first, such as with `git fetch origin {revision}`, or correct the name"
    raise ScaffoldError.of("no-baseline", message, where, hint)


def _git(folder: Path, *arguments: str) -> bytes:
    return git.run(str(folder), *arguments, most=MAX_BYTES + 2, extra=_ENVIRONMENT)
