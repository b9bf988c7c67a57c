"""Read the baseline of a comparison: an older spec, a tool list, a project, or a git revision."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct

from scaffold.base import git
from scaffold.base.diagnostics import Diagnostic, ScaffoldError
from scaffold.base.diagnostics.wording import quote
from scaffold.base.files import SPEC
from scaffold.disk.records import LAST_SPEC, LOCK
from scaffold.format.check import load
from scaffold.format.entries import Entry, unsent
from scaffold.format.spec import Spec
from scaffold.project import chosen
from scaffold.sources.fitting import fitted
from scaffold.sources.read import read_list
from scaffold.yaml.source import MAX_BYTES, decode, parse, read

_REVISION = "git:"
_ENVIRONMENT = {
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_LITERAL_PATHSPECS": "1",
}
"""Nothing is fetched or written, and names of files are no patterns."""

_NEW = "compare with a revision that has it; if it is new, add `--allow-new`"


class NoOlderVersionError(ScaffoldError):
    """The revision exists and does not have the file."""


class Baseline(Struct, frozen=True):
    """The older version of a server; `name` is how the user named it.

    `known` are the keys of the spec that the baseline includes; None stands for all. `left_out`
    describes the parts of a tool list that a spec cannot hold, which are not compared.
    """

    name: str
    spec: Spec
    known: frozenset[str] | None = None
    left_out: tuple[Diagnostic, ...] = ()

    def compared(self, new: Spec) -> Spec:
        """Return the older spec, with its unknown keys as in the new one."""
        if self.known is None:
            return self.spec
        names = {field.alias or name: name for name, field in Spec.model_fields.items()}
        known = {names[key]: getattr(self.spec, names[key]) for key in self.known}
        for key in self.known & self.spec.entries.keys():
            same = {entry.name: entry for entry in new.entries[key]}
            known[names[key]] = tuple(
                entry.model_copy(update=_unsent(same[entry.name])) if entry.name in same else entry
                for entry in self.spec.entries[key]
            )
        return new.model_copy(update=known)

    @property
    def is_missing(self) -> bool:
        """Whether there is no older version, so that nothing is known of it."""
        return self.known == frozenset()

    @property
    def version(self) -> str | None:
        """The version of the server, if it is known."""
        return self.spec.version if self.known is None or "version" in self.known else None


def read_baseline(name: str, path: Path, server: str) -> Baseline:
    """Read the baseline `name` for the spec at `path` of the server `server`.

    The name is `git:REVISION` or the path of a spec, a tool list or a project. Raises ScaffoldError
    if it cannot be read, or is not valid, and NoOlderVersionError if a revision has no such spec.
    """
    file = Path(name)
    if name == _REVISION or not (name.startswith(_REVISION) or file.suffix or file.exists()):
        message = f"there is no file or project {quote(name)}"
        hint = f"compare with a revision: `git:{'main' if name in ('git', _REVISION) else name}`"
        raise ScaffoldError.of("no-baseline", message, name, hint)
    if name.startswith(_REVISION):
        data, where = _at_revision(path.resolve(), name.removeprefix(_REVISION))
        return Baseline(name, load(parse(decode(data, where).text, where), chosen.ANY).spec)
    if file.is_dir():
        file = file / (LAST_SPEC if (file / LOCK).exists() else SPEC)
    if file.suffix == ".json" and (source := read_list(file, server)):
        loaded, source, left_out = fitted(source, Path(f"{file.stem}.json"))
        return Baseline(name, loaded.spec, frozenset(source.spec) - source.assumed, left_out)
    return Baseline(name, load(read(file), chosen.ANY).spec)


def _unsent(entry: Entry) -> dict[str, Any]:
    """Return the attributes of an entry that a tool list does not include."""
    keys = unsent(type(entry))
    fields = type(entry).model_fields.items()
    return {name: getattr(entry, name) for name, field in fields if (field.alias or name) in keys}


def _at_revision(path: Path, revision: str) -> tuple[bytes, str]:
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
