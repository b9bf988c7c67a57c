"""Render a team's template with copier: the only module that imports it.

It runs in a process of its own (`python -m scaffold.teams.copying FOLDER`), because copier runs
untrusted code: with limits of time and memory, without the user's environment, in an empty folder.
FOLDER has `template/` and `request.json`. The output goes to `pack/`, and the answers or the error
to `result.json`.
"""

from __future__ import annotations

import json
import shutil
import sys
import traceback
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import yaml

from scaffold.diagnostics.wording import did_you_mean
from scaffold.limits import limit

QUESTIONS = ("copier.yml", "copier.yaml")

_ASKS = {"_tasks": "tasks", "_migrations": "migrations", "_jinja_extensions": "Jinja extensions"}
_HOST_FILTERS = ("expanduser", "expandvars", "fileglob", "realpath", "relpath")


class RefusedError(Exception):
    """Why a pack is refused: a diagnostic's id, message and hint, and the file concerned."""

    def __init__(
        self, id: str, message: str, hint: str = "", path: str = "", line: int = 0
    ) -> None:
        super().__init__(message)
        self.said: dict[str, Any] = {
            "id": id,
            "message": message,
            "hint": hint,
            "path": path,
            "line": line,
        }


def main(folder: Path) -> None:
    """Carry out the request in `folder`; see the module."""
    request = json.loads((folder / "request.json").read_text("utf-8"))
    limit(**request.pop("limits"))
    try:
        result: dict[str, Any] = _rendered(folder, **request)
    except RefusedError as refusal:
        result = {"refusal": refusal.said}
    except MemoryError:
        result = {"refusal": RefusedError("pack-limit", "the pack needs too much memory").said}
    (folder / "result.json").write_text(json.dumps(result), "utf-8")


def _rendered(
    folder: Path, given: dict[str, Any], answers: dict[str, Any], asking: bool, defaults: bool,
    trust: bool, is_base: bool,
) -> dict[str, Any]:  # fmt: skip
    """Ask the questions and render the template; return answers, questions and messages.

    `given` are answers from the command line, `answers` are earlier ones. Without `asking`, there
    is nobody to ask; with `defaults`, nobody needs to be asked. Unless the pack `is_base` of all
    others, those that it has no question for are returned as `left`.
    """
    template, pack = folder / "template", folder / "pack"
    settings = config(template)
    try:
        _check_config(settings, template, trust)
    except (AttributeError, TypeError, ValueError) as error:
        message = f"invalid setting of the pack: {error}"
        raise RefusedError("pack-questions", message) from error
    questions = {name: value for name, value in settings.items() if not name.startswith("_")}
    left = {name: answer for name, answer in given.items() if name not in questions}
    for name in left if is_base else ():
        hint = did_you_mean(name, questions, f"the questions are {', '.join(questions)}")
        raise RefusedError("pack-answer", f"the pack has no question `{name}`", hint)
    given = {name: answer for name, answer in given.items() if name in questions}
    kept = {name: answer for name, answer in answers.items() if name in questions}
    # The defaults of new questions may refer to answers that the pack no longer asks for.
    found, forgotten, said = _copied(
        template, pack, {**answers, **given}, defaults or not asking, trust
    )
    dropped = {name: answer for name, answer in answers.items() if name not in found}
    if forgotten or dropped:  # an earlier answer to a question that is no longer asked
        shutil.rmtree(pack)
        found, _, said = _copied(template, pack, found, True, trust)
    if not (asking or defaults) and (open_ := [n for n in found if n not in {**kept, **given}]):
        listed = " ".join(f"--data {name}=…" for name in open_)
        hint = f"use {listed}, or --defaults for the pack's defaults"
        if dropped:
            hint += f" (no longer asked: {_listed(dropped)})"
        message = f"no terminal to ask these questions: {', '.join(open_)}"
        raise RefusedError("pack-answer", message, hint)
    result: dict[str, Any] = {
        "answers": found,
        "left": left,
        "messages": said,
        "questions": {name: _asked(questions[name]) for name in found},
    }
    result |= {
        key: str(settings.get(f"_{key}") or "") for key in ("subdirectory", "templates_suffix")
    }
    try:
        json.dumps(result, ensure_ascii=False).encode()
    except (TypeError, ValueError) as error:
        raise RefusedError("pack-answer", f"an answer cannot be recorded: {error}") from error
    return result


def _listed(answers: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {shown(answer)}" for name, answer in answers.items())


def shown(answer: object) -> str:
    """Return an answer for people to read."""
    return json.dumps(answer, ensure_ascii=False)


def _copied(
    template: Path, pack: Path, data: dict[str, Any], defaults: bool, trust: bool
) -> tuple[dict[str, Any], set[str], str]:
    """Run copier and return the answers to what it asked.

    Also returned are the names in `data` that it did not ask, and the pack's messages for updates.
    """
    from copier import Settings, run_copy
    from copier.errors import CopierAnswersInterrupt, ForbiddenPathError, UnsafeTemplateError

    _close_the_host()
    try:
        worker = run_copy(
            str(template),
            pack,
            data,
            settings=Settings(),
            defaults=defaults,
            overwrite=True,
            quiet=True,
            unsafe=trust,
        )
        texts = (worker.template.message_before_update, worker.template.message_after_update)
        messages = [worker._render_string(text) for text in texts if text]
    except (RefusedError, MemoryError):
        raise
    except ForbiddenPathError as error:
        said = str(error).partition("\n")[0]
        raise RefusedError("pack-escape", f"a path is outside the pack: {said}") from error
    except UnsafeTemplateError as error:
        raise RefusedError("pack-untrusted", str(error), _TRUST) from error
    except (CopierAnswersInterrupt, KeyboardInterrupt) as error:
        raise RefusedError("pack-answer", "the questions were not answered") from error
    except Exception as error:
        raise _failure(error, template) from error
    hidden = worker.answers.hidden
    answers = {name: value for name, value in worker.answers.user.items() if name not in hidden}
    return answers, data.keys() & hidden, "\n\n".join(messages)


_TRUST = "use --trust if you allow the pack to run code with your permissions"


def config(template: Path) -> dict[str, Any]:
    """Return the pack's questions, read as plain YAML: copier's `!include` could hide some."""
    name, *others = [name for name in QUESTIONS if (template / name).exists()]
    if others:
        message = f"the pack defines its questions in both {name} and {others[0]}"
        raise RefusedError("pack-questions", message, "remove one of them", others[0])
    try:
        documents = list(yaml.safe_load_all((template / name).read_bytes()))
        merged: dict[str, Any] = {}
        for document in documents:
            merged |= {str(key): value for key, value in (document or {}).items()}
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 0
        message = f"the questions are not plain YAML: {error.problem}"
        raise RefusedError("pack-questions", message, path=name, line=line) from error
    except (yaml.YAMLError, AttributeError, RecursionError, ValueError) as error:
        message = f"the questions are not plain YAML: {error}"
        raise RefusedError("pack-questions", message, path=name) from error
    return merged


def _check_config(config: Mapping[str, Any], template: Path, trust: bool) -> None:
    wants = [word for key, word in _ASKS.items() if config.get(key)]
    if wants and not trust:
        message = f"the pack has {' and '.join(wants)}, which can run code"
        raise RefusedError("pack-untrusted", message, _TRUST, QUESTIONS[0])
    details = {name: value for name, value in config.items() if isinstance(value, dict)}
    secrets = [*(config.get("_secret_questions") or [])]
    secrets += [name for name, value in details.items() if value.get("secret")]
    if secrets:
        message = f"the pack asks for the secret `{secrets[0]}`, which would be committed"
        raise RefusedError("pack-secret", message, "read it from the server's environment")
    subdirectory = str(config.get("_subdirectory") or "")
    if not set(subdirectory) & set("<>{}[]%$") and not (template / subdirectory).is_dir():
        message = f"`_subdirectory` is `{subdirectory}`, which does not exist"
        raise RefusedError("pack-missing", message, path=QUESTIONS[0])
    suffix = config.get("_templates_suffix", ".jinja")
    marks = config.get("_envops") or {}
    plain = marks.get("variable_start_string", "{{") == "{{"
    names = sorted(path.relative_to(template).as_posix() for path in template.rglob("*"))
    mixed = [name for name in names if suffix and name.endswith(f".j2{suffix}")]
    if (mixed and plain) or (not suffix and plain):
        raise RefusedError(
            "pack-delimiters",
            "the pack uses `{{ … }}` both for its questions and for the server's templates",
            "set `_templates_suffix: .copier`, and other delimiters in `_envops`, such as << … >>",
            mixed[0] if mixed else QUESTIONS[0],
        )


def _asked(question: object) -> str:
    """Return the words of a question, for people who read the answer later."""
    text = question.get("help", "") if isinstance(question, dict) else ""
    return str(text).strip()


def _close_the_host() -> None:
    """Remove the filters that read this machine from copier's templates."""

    def refused(name: str) -> Any:
        def refuse(*_: object, **__: object) -> NoReturn:
            message = f"the pack uses the filter `{name}`, which reads from your machine"
            raise RefusedError("pack-host", message, "ask a question instead")

        return refuse

    filters: Any = import_module("jinja2_ansible_filters.core_filters").FilterModule
    original = filters.filters
    filters.filters = lambda self: original(self) | {name: refused(name) for name in _HOST_FILTERS}


def _failure(error: Exception, template: Path) -> RefusedError:
    """Return a refusal for an error of copier or a template, with file and line if known."""
    message = str(error) or type(error).__name__
    trace = traceback.extract_tb(error.__traceback__)
    if "is required" in message or {"parse_answer", "validate_answer"} & {f.name for f in trace}:
        asked = next(
            filter(None, (_asked_in(f) for f, _ in traceback.walk_tb(error.__traceback__))), ""
        )
        hint = f"give another answer with --data {asked or 'NAME'}=VALUE"
        whose = f"the answer to `{asked}`" if asked else "an answer"
        return RefusedError("pack-answer", f"{whose} is invalid: {message}", hint)
    if "too large" in message:
        return RefusedError("pack-limit", f"the pack creates too large a file: {message}")
    frames = [(f.filename, f.lineno or 0) for f in trace]
    frames.append((str(getattr(error, "filename", "")), int(getattr(error, "lineno", 0) or 0)))
    path, line = "", 0
    for file, number in frames:
        if Path(file).is_relative_to(template):
            path, line = Path(file).relative_to(template).as_posix(), number
    return RefusedError(
        "pack-render", f"the pack cannot be rendered: {message}", path=path, line=line
    )


def _asked_in(frame: FrameType) -> str:
    """Return the name of the copier question that a frame is working on, or an empty string."""
    return str(getattr(frame.f_locals.get("self"), "var_name", ""))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
