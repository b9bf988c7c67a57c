"""Read the files of a pack at a version from a git repository.

Nothing is checked out. The objects of one commit are fetched into an empty repository and read from
there, so no hook, filter, attribute or submodule of the pack can run or fetch anything. Only the
transport is the user's own: credentials and proxies.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from scaffold.diagnostics import ScaffoldError
from scaffold.packs.parts import LARGEST, oversized
from scaffold.teams.address import Address
from scaffold.teams.folder import Files, check_paths

_OF_A_REPOSITORY = (
    {"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_CONFIG", "GIT_CONFIG_COUNT"}
    | {"GIT_CONFIG_PARAMETERS", "GIT_DIR", "GIT_GRAFT_FILE", "GIT_IMPLICIT_WORK_TREE"}
    | {"GIT_INDEX_FILE", "GIT_NO_REPLACE_OBJECTS", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX"}
    | {"GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE", "GIT_WORK_TREE"}
)
"""Set when git runs us, as in a hook: they would direct our git to that repository."""

_SETTINGS = (
    "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "gc.auto=0",
    "-c", "maintenance.auto=false", "-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=30",
)  # fmt: skip

_MOST_SAID = 2 * LARGEST
"""The maximum bytes of git's output: a few nested trees can list more files than fit on a disk."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """The files of a template and their version: the tag and commit, if from git."""

    files: Files
    version: str | None = None
    commit: str | None = None


def is_repository(folder: Path) -> bool:
    """Return whether the folder is a git repository itself, not just a folder in one."""
    return (folder / ".git").exists() or (
        (folder / "objects").is_dir() and (folder / "HEAD").exists()
    )


def fetch(address: Address, version: str | None) -> Fetched:
    """Fetch a version, by default the newest tag: the highest by PEP 440, prereleases last.

    Raises ScaffoldError if git fails (`pack-unreachable`), if there is no such version
    (`pack-version`), and for files that no pack may have, as `check_paths` does.
    """
    where = str(address.folder.resolve()) if address.folder else str(address.remote)
    transport = "file" if address.folder else "https:ssh"
    tags = _tags(where, transport)
    if version is None:
        version = newest(tags)
    if version is None:
        hint = "tag a version, or name a branch or commit: ADDRESS@main"
        raise ScaffoldError.of("pack-version", f"`{where}` has no version tags", where, hint)
    wanted = f"refs/tags/{version}" if version in tags else version
    with tempfile.TemporaryDirectory() as folder:
        _git(folder, where, transport, "init", "--quiet", "--bare", "--template=")
        try:
            _git(folder, where, transport, "fetch", "--quiet", "--depth=1", "--no-tags",
                 "--no-recurse-submodules", "--", where, wanted)  # fmt: skip
        except ScaffoldError as error:
            if "couldn't find remote ref" not in str(error):
                raise
            latest = ", ".join(sorted(tags, key=_order)[-5:])
            have = f"the latest tags are {latest}" if tags else "the repository has no tags"
            message = f"`{where}` has no version `{version}`"
            raise ScaffoldError.of("pack-version", message, where, have) from error
        commit = _git(folder, where, "", "rev-parse", "FETCH_HEAD^{commit}").decode().strip()
        return Fetched(dict(_files(folder, where, commit)), version, commit)


def newest(tags: list[str]) -> str | None:
    """Return the highest version among tags; a prerelease only if there is nothing else."""
    ranked = sorted((_order(tag), tag) for tag in tags if _order(tag)[0] >= 0)
    return ranked[-1][1] if ranked else None


def _order(tag: str) -> tuple[int, object]:
    from packaging.version import Version

    try:
        version = Version(tag)
    except ValueError:
        return -1, tag
    return int(not version.is_prerelease), version


def _tags(where: str, transport: str) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        listed = _git(folder, where, transport, "ls-remote", "--tags", "--refs", "--", where)
    lines = listed.decode(errors="replace").splitlines()
    return [line.partition("\trefs/tags/")[2] for line in lines]


def _files(folder: str, where: str, commit: str) -> Iterator[tuple[str, bytes]]:
    listed = _git(folder, where, "", "ls-tree", "-r", "-z", "-l", "--full-tree", commit)
    names, entries = {}, []
    for line in listed.decode(errors="surrogateescape").split("\0")[:-1]:
        attributes, _, path = line.partition("\t")
        mode, _, names[path], size = attributes.split()
        entries.append((path, int(mode, 8), int(size) if size.isdigit() else 0))
    paths = check_paths(entries)
    wanted = "".join(f"{names[path]}\n" for path in paths).encode()
    blobs = _git(folder, where, "", "cat-file", "--batch", input=wanted)
    for path in paths:
        head, _, blobs = blobs.partition(b"\n")
        length = int(head.split()[2])
        yield path, blobs[:length]
        blobs = blobs[length + 1 :]


def _git(folder: str, where: str, transport: str, *arguments: str, input: bytes = b"") -> bytes:
    """Run git in `folder` over `transport` only, and return its output; `where` is for errors.

    Raises ScaffoldError if git is missing, fails or prints too much.
    """
    environment = {k: v for k, v in os.environ.items() if k not in _OF_A_REPOSITORY}
    environment |= {"GIT_ALLOW_PROTOCOL": transport, "LC_ALL": "C"}
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as complaints:
        given.write(input)
        given.seek(0)
        try:
            process = subprocess.Popen(  # noqa: S603 - the address is checked, and behind `--`
                ["git", *_SETTINGS, *arguments],  # noqa: S607 - the user's own git
                cwd=folder, env=environment, stdin=given, stdout=subprocess.PIPE, stderr=complaints,
            )  # fmt: skip
        except FileNotFoundError as error:
            message = "git is not installed, but needed to fetch packs"
            raise ScaffoldError.of("pack-unreachable", message, "git") from error
        with process:
            said = process.stdout.read(_MOST_SAID) if process.stdout else b""
            if len(said) == _MOST_SAID:
                process.kill()
                raise ScaffoldError([oversized(where)])
        if process.returncode:
            complaints.seek(0)
            message = f"git: {complaints.read(_MOST_SAID).decode(errors='replace').strip()}"
            raise ScaffoldError.of("pack-unreachable", message, where)
    return said
