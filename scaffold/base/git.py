"""Run git without letting the environment or a repository make it start other programs."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Mapping

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


class GitError(Exception):
    """git failed; the text is its output."""


class NoGitError(GitError):
    """git is not installed."""


class TooMuchError(GitError):
    """The output of git is too large."""


def run(
    folder: str,
    *arguments: str,
    most: int,
    transport: str = "",
    input: bytes = b"",
    extra: Mapping[str, str] | None = None,
) -> bytes:
    """Run git in `folder` over `transport` only, by default over none, and return its output.

    `most` is the maximum number of bytes, `extra` are variables of the environment. Raises GitError
    if git is missing, fails or prints too much.
    """
    environment = {k: v for k, v in os.environ.items() if k not in _OF_A_REPOSITORY}
    environment |= {"GIT_ALLOW_PROTOCOL": transport, "LC_ALL": "C", **(extra or {})}
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as complaints:
        given.write(input)
        given.seek(0)
        try:
            process = subprocess.Popen(  # noqa: S603 - callers check what others can choose
                ["git", *_SETTINGS, *arguments],  # noqa: S607 - the user's own git
                cwd=folder, env=environment, stdin=given, stdout=subprocess.PIPE, stderr=complaints,
            )  # fmt: skip
        except FileNotFoundError as error:
            raise NoGitError("git is not installed") from error
        except OSError as error:
            raise GitError(f"git cannot be started: {error.strerror}") from error
        with process:
            output = process.stdout.read(most) if process.stdout else b""
            if len(output) == most:
                process.kill()
                raise TooMuchError("git printed too much")
        if process.returncode:
            complaints.seek(0)
            raise GitError(complaints.read(most).decode(errors="replace").strip())
    return output
