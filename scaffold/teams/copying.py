"""Render a team's template with copier: the only module that imports it.

Copier runs in a process of its own (`python -m scaffold.teams.copying FOLDER`), without the user's
environment and in an empty folder. FOLDER has `template/` and `request.json`. The output goes to
`pack/`, and the answers or the error to `result.json`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from scaffold.base.diagnostics import Place, ScaffoldError
from scaffold.teams.folder import Files, read_files, write_files
from scaffold.teams.questions import Questions

_HARMLESS = ("PATH", "LANG", "LC_ALL", "TERM", "COLORTERM", "NO_COLOR", "SYSTEMROOT", "COMSPEC")
"""The environment variables that a pack may see."""


class Asked(Struct, frozen=True):
    """How to answer the questions of a pack.

    `given` are new answers by name, as text or as JSON values; `answers` are earlier ones. With
    `defaults`, the other questions get the pack's defaults; otherwise the user is asked, if there
    is a terminal. `trust` allows the pack to run programs.
    """

    given: Mapping[str, Any]
    answers: Mapping[str, Any]
    defaults: bool = False
    trust: bool = False


class Copied(Struct, frozen=True):
    """The output of copier for a template: files, all answers, and its messages for upgrades."""

    files: Files
    answers: Mapping[str, Any]
    messages: str


def copied(files: Files, questions: Questions, asked: Asked, at: str) -> Copied:
    """Render the pack `at`, which has these files and questions, if it is a template of copier.

    Raises ScaffoldError if a question is not answered, and for every error of copier.
    """
    if not questions.file:
        return Copied(files, {}, "")
    person = sys.stdin is not None and sys.stdin.isatty()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        write_files(files, folder / "template")
        (folder / "home").mkdir()
        request = {
            # The defaults of new questions may refer to answers that the pack no longer asks for.
            "data": {**asked.answers, **asked.given},
            "defaults": asked.defaults or not person,
            "trust": asked.trust,
        }
        (folder / "request.json").write_text(json.dumps(request), "utf-8")
        ended = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-m", "scaffold.teams.copying", str(folder)],
            cwd=folder,
            env=_environment(folder / "home"),
            stdin=None if person else subprocess.DEVNULL,
            check=False,
        )
        if ended.returncode:
            raise ScaffoldError.of(
                "pack-render", "Copier was stopped while it rendered the pack", at
            )
        result = json.loads((folder / "result.json").read_text("utf-8"))
        if error := result.get("error"):
            place = Place(f"{at}/{error['path']}" if error["path"] else at, error["line"])
            raise ScaffoldError.of(error["id"], error["message"], place, error["hint"])
        copy = Copied(read_files(folder / "pack", at), result["answers"], result["messages"])
    known = {*asked.given, *asked.answers}
    if not (person or asked.defaults) and (open_ := [n for n in copy.answers if n not in known]):
        listed = " ".join(f"--data {name}=…" for name in open_)
        hint = f"use {listed}, or --defaults for the pack's defaults"
        message = f"no terminal to ask these questions: {', '.join(open_)}"
        raise ScaffoldError.of("pack-answer", message, at, hint)
    return copy


def _environment(home: Path) -> dict[str, str]:
    """Return an environment without the user's secrets and settings of git or copier."""
    kept = {name: value for name in _HARMLESS if (value := os.environ.get(name)) is not None}
    return kept | {
        "HOME": str(home),
        "USERPROFILE": str(home),
        "TMPDIR": str(home),
        "TEMP": str(home),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "PYTHONSAFEPATH": "1",
    }


def main(folder: Path) -> None:
    """Carry out the request in `folder`; see the module."""
    request = json.loads((folder / "request.json").read_text("utf-8"))
    try:
        answers, messages = _run(folder, **request)
        if request["data"].keys() - answers.keys():  # earlier answers that no template may see
            shutil.rmtree(folder / "pack")
            answers, messages = _run(folder, answers, True, request["trust"])
        result: dict[str, Any] = {"answers": answers, "messages": messages}
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - of any template
        result = {"error": _event(error, folder / "template")}
    (folder / "result.json").write_text(json.dumps(result, default=str), "utf-8")


def _run(
    folder: Path, data: dict[str, Any], defaults: bool, trust: bool
) -> tuple[dict[str, Any], str]:
    """Run copier; return the answers to what it asked, and its messages for upgrades."""
    from copier import Settings, run_copy

    worker = run_copy(
        str(folder / "template"),
        folder / "pack",
        data,
        settings=Settings(),
        defaults=defaults,
        overwrite=True,
        quiet=True,
        unsafe=trust,
    )
    hidden = worker.answers.hidden
    answers = {name: value for name, value in worker.answers.user.items() if name not in hidden}
    texts = (worker.template.message_before_update, worker.template.message_after_update)
    # The only way to provide all names that a message may use, such as `_copier_conf`.
    return answers, "\n\n".join(worker._render_string(text) for text in texts if text)


def _event(error: BaseException, template: Path) -> dict[str, Any]:
    """Return the diagnostic for an error of copier or a template, with file and line if known."""
    from copier.errors import ForbiddenPathError

    message = str(error).partition("\n")[0] or type(error).__name__
    event: dict[str, Any] = {"id": "pack-render", "hint": None, "path": "", "line": None}
    if isinstance(error, KeyboardInterrupt):  # as copier's own, for questions, is too
        return event | {"id": "pack-answer", "message": "the questions were not answered"}
    if isinstance(error, ForbiddenPathError):
        return event | {"id": "pack-escape", "message": f"a path is outside the pack: {message}"}
    if re.match("Question|Validation error|Invalid choice", message):
        hint = "give another answer with --data NAME=VALUE"
        return event | {"id": "pack-answer", "message": message, "hint": hint}
    frames = [(f.filename, f.lineno) for f in traceback.extract_tb(error.__traceback__)]
    frames.append((str(getattr(error, "filename", "")), getattr(error, "lineno", None)))
    for file, number in frames:
        if Path(file).is_relative_to(template):
            event |= {"path": Path(file).relative_to(template).as_posix(), "line": number}
    return event | {"message": f"the pack cannot be rendered: {message}"}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
