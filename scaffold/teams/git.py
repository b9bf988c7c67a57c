"""Read the files of a pack at a version from a git repository.

Nothing is checked out. The objects of one commit are fetched into an empty repository and read from
there, so no hook, filter, attribute or submodule of the pack can run or fetch anything. Only the
transport is the user's own: credentials and proxies.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from scaffold.base import git
from scaffold.base.diagnostics import ScaffoldError
from scaffold.teams.address import Address
from scaffold.teams.folder import Files, check_paths

_MAX_OUTPUT_BYTES = 2**28
"""The maximum bytes of git's output: the files of a pack."""


class Fetched(Struct, frozen=True):
    """The files of a template and their version: the tag and commit, if from git.

    `executables` are the paths of those that their owner may execute.
    """

    files: Files
    executables: frozenset[str]
    version: str | None = None
    commit: str | None = None


class Refs(NamedTuple):
    """The commits of a repository's tags and branches, by name."""

    tags: dict[str, str]
    branches: dict[str, str]

    def latest(self, held: str | None) -> str | None:
        """Return the version that an upgrade from `held` leads to, which may be `held` itself.

        A branch stays. Otherwise it is the newest tag, if that is certainly newer.
        """
        best = newest(self.tags)
        if held is None or best is None:
            return held or best
        (rank, now), (_, then) = _order(held), _order(best)
        is_branch = held in self.branches and held not in self.tags
        return best if rank >= 0 and not is_branch and then > now else held


def is_bare(folder: Path) -> bool:
    """Return whether the folder is a git repository without a work tree."""
    return (folder / "objects").is_dir() and (folder / "HEAD").exists()


def work_tree(folder: Path) -> list[str]:
    """Return the paths of the files in a work tree, also new ones, but none that git ignores.

    Raises ScaffoldError if git fails (`pack-unreachable`).
    """
    options = ("-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
    listed = _git(str(folder), str(folder), "", "ls-files", *options)
    paths = listed.decode(errors="surrogateescape").split("\0")[:-1]
    return [path for path in paths if os.path.lexists(folder / path)]


def fetch(address: Address, version: str | None, held: str | None = None) -> Fetched:
    """Fetch a version, by default the one that an upgrade from `held` leads to; see `Refs.latest`.

    Raises ScaffoldError if git fails (`pack-unreachable`), if there is no such version
    (`pack-version`), and for files that no pack may have, as `check_paths` does.
    """
    remote, transport = _remote(address)
    where = address.shown
    known = refs(address)
    tags, version = known.tags, version or known.latest(held)
    if version is None:
        hint = "tag a version, or name a branch or commit: ADDRESS@main"
        raise ScaffoldError.of("pack-version", f"`{where}` has no version tags", where, hint)
    wanted = f"refs/tags/{version}" if version in tags else version
    with tempfile.TemporaryDirectory() as folder:
        _git(folder, where, transport, "init", "--quiet", "--bare", "--template=")
        try:
            _git(folder, where, transport, "fetch", "--quiet", "--depth=1", "--no-tags",
                 "--no-recurse-submodules", "--", remote, wanted)  # fmt: skip
        except ScaffoldError as error:
            if "couldn't find remote ref" not in str(error):
                raise
            latest = ", ".join(sorted(tags, key=_order)[-5:])
            have = f"the latest tags are {latest}" if tags else "the repository has no tags"
            message = f"`{where}` has no version `{version}`"
            raise ScaffoldError.of("pack-version", message, where, have) from error
        commit = _git(folder, where, "", "rev-parse", "FETCH_HEAD^{commit}").decode().strip()
        return Fetched(*_files(folder, where, commit), version, commit)


def refs(address: Address) -> Refs:
    """Ask the repository at an address for its tags and branches.

    Raises ScaffoldError (`pack-unreachable`) if git fails.
    """
    remote, transport = _remote(address)
    options = ("--quiet", "--tags", "--heads", "--", remote)
    with tempfile.TemporaryDirectory() as folder:
        listed = _git(folder, address.shown, transport, "ls-remote", *options)
    result = Refs({}, {})
    for line in listed.decode(errors="replace").splitlines():
        commit, _, ref = line.partition("\trefs/")
        kind, _, name = ref.partition("/")
        kept = result.tags if kind == "tags" else result.branches
        kept[name.removesuffix("^{}")] = commit  # the commit of an annotated tag comes after it
    return result


def newest(tags: Iterable[str]) -> str | None:
    """Return the highest version among tags, by PEP 440; a prerelease only if there is nothing else."""
    best = max(tags, key=lambda tag: (_order(tag), tag), default="")
    return best if _order(best)[0] >= 0 else None


def _order(tag: str) -> tuple[int, Any]:
    """Return the sort key of a tag: no versions, prereleases, then the others, by PEP 440."""
    from packaging.version import Version

    try:
        version = Version(tag)
    except ValueError:
        return -1, tag
    return int(not version.is_prerelease), version


def _remote(address: Address) -> tuple[str, str]:
    """Return the address as git takes it, and the transports that it may use."""
    if address.folder:
        return str(address.folder.resolve()), "file"
    return address.shown, "https:ssh"


def _files(folder: str, where: str, commit: str) -> tuple[Files, frozenset[str]]:
    """Return the files of a commit, and the paths of those that are executable."""
    listed = _git(folder, where, "", "ls-tree", "-r", "-z", "--full-tree", commit)
    names, modes = {}, {}
    for line in listed.decode(errors="surrogateescape").split("\0")[:-1]:
        attributes, _, path = line.partition("\t")
        mode, _, names[path] = attributes.split()
        modes[path] = int(mode, 8)
    paths = check_paths(modes.items(), where)
    wanted = "".join(f"{names[path]}\n" for path in paths).encode()
    blobs = _git(folder, where, "", "cat-file", "--batch", input=wanted)
    files = {}
    for path in paths:
        head, _, blobs = blobs.partition(b"\n")
        length = int(head.split()[2])
        files[path], blobs = blobs[:length], blobs[length + 1 :]
    return files, frozenset(path for path in paths if modes[path] & stat.S_IXUSR)


def _git(folder: str, where: str, transport: str, *arguments: str, input: bytes = b"") -> bytes:
    """Run git in `folder` over `transport` only, and return its output; `where` is for errors.

    Raises ScaffoldError (`pack-unreachable`) if git is missing or fails.
    """
    try:
        return git.run(folder, *arguments, most=_MAX_OUTPUT_BYTES, transport=transport, input=input)
    except git.NoGitError as error:
        message = "git is needed to fetch packs, but is not installed"
        raise ScaffoldError.of("pack-unreachable", message, "git") from error
    except git.GitError as error:
        raise ScaffoldError.of("pack-unreachable", f"git: {error}", where) from error
