"""The questions of a pack, `copier.yml`: read and checked before copier renders anything."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import yaml
from msgspec import Struct

from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.diagnostics.wording import did_you_mean, join
from scaffold.teams.folder import Files
from scaffold.yaml.source import decode, parse

QUESTIONS = ("copier.yml", "copier.yaml")
"""The names that the file with the questions can have."""

_ASKS = {"_tasks": "tasks", "_migrations": "migrations", "_jinja_extensions": "Jinja extensions"}
_SETTINGS: Mapping[str, type] = {
    "_envops": dict,
    "_secret_questions": list,
    "_subdirectory": str,
    "_templates_suffix": str,
}


class Questions(Struct, frozen=True):
    """The questions of a pack by name, each as a mapping, and copier's settings, such as `_tasks`.

    `file` is where they are; empty if the pack is no template of copier.
    """

    file: str
    details: Mapping[str, Mapping[str, Any]]
    settings: Mapping[str, Any]

    @property
    def folder(self) -> str:
        """The folder of the template in the pack, with `/` at the end; empty if it is at the top."""
        folder = self.settings.get("_subdirectory")
        return f"{folder}/" if folder else ""

    @property
    def suffix(self) -> str:
        """The suffix of the files that copier renders."""
        return str(self.settings.get("_templates_suffix", ".jinja"))

    def texts(self, names: Mapping[str, Any]) -> dict[str, str]:
        """Return the texts of some questions, for people who read the answers later."""
        return {name: str(self.details[name].get("help", "")).strip() for name in names}

    def choices(self, name: str) -> list[Any]:
        """Return the answers to choose from; none if the answer is free or a template has them."""
        question = self.details[name]
        if question.get("type") == "bool":
            return [True, False]
        choices = question.get("choices", [])
        if isinstance(choices, Mapping):
            choices = list(choices.values())
        elif not isinstance(choices, list):
            return []
        choices = [
            choice[1] if isinstance(choice, list) and len(choice) == 2 else choice
            for choice in choices
        ]
        return [
            choice.get("value") if isinstance(choice, Mapping) else choice for choice in choices
        ]

    def check_answers(self, given: Mapping[str, Any], at: str) -> None:
        """Raise ScaffoldError (`pack-answer`) for an answer to no question, or of another type."""
        for name, answer in given.items():
            if name not in self.details:
                known = list(self.details)
                hint = did_you_mean(
                    name, known, f"the questions are {join(known)}" if known else ""
                )
                message = f"the pack has no question `{name}`"
                raise ScaffoldError.of("pack-answer", message, at, hint or None)
            question = self.details[name]
            default = question.get("default")
            kind = str(question.get("type") or type(default).__name__)
            try:
                if isinstance(answer, str):
                    answer.encode()
                    _CASTS.get(kind, str)(answer)
            except ValueError as error:
                message = (
                    f"the answer to `{name}` is invalid: {json.dumps(answer)} is not of type {kind}"
                )
                hint = f"give another answer with --data {name}=VALUE"
                raise ScaffoldError.of("pack-answer", message, at, hint) from error


def read_questions(files: Files, at: str, trust: bool) -> Questions:
    """Return the questions of the pack `at`, which has none if it has no file for them.

    Raises ScaffoldError if they are not plain YAML or ask for what no pack may have, such as
    programs without `trust`, and as `parse` does.
    """
    name, *others = [name for name in QUESTIONS if name in files] or [""]
    if not name:
        return Questions("", {}, {})
    place = f"{at}/{name}"
    if others:
        message = f"the pack defines its questions in both {name} and {others[0]}"
        raise ScaffoldError.of("pack-questions", message, f"{at}/{others[0]}", "remove one of them")
    text = decode(files[name], place).text
    parse(text, place)  # refuses tags, such as copier's `!include`, and questions that are repeated
    written = yaml.safe_load(text) or {}
    if not isinstance(written, dict):
        raise ScaffoldError.of("pack-questions", "the questions are not a mapping", place)
    settings = {key: value for key, value in written.items() if str(key).startswith("_")}
    details = {
        str(key): value if isinstance(value, dict) else {"default": value}
        for key, value in written.items()
        if key not in settings
    }
    questions = Questions(place, details, settings)
    _check(questions, files, at, trust)
    return questions


def _check(questions: Questions, files: Files, at: str, trust: bool) -> None:
    def refuse(id: str, message: str, hint: str = "", path: str = questions.file) -> NoReturn:
        raise ScaffoldError.of(id, message, path, hint or None)

    settings = questions.settings
    for key, kind in _SETTINGS.items():
        if not isinstance(settings.get(key, kind()), kind):
            refuse("pack-questions", f"`{key}` has a value of another type than {kind.__name__}")
    if (wants := [word for key, word in _ASKS.items() if settings.get(key)]) and not trust:
        message = f"the pack has {' and '.join(wants)}, which can run code"
        hint = "use --trust if you allow the pack to run code with your permissions"
        refuse("pack-untrusted", message, hint)
    secrets = [*settings.get("_secret_questions", [])]
    secrets += [name for name, value in questions.details.items() if value.get("secret")]
    if secrets:
        message = f"the pack asks for the secret `{secrets[0]}`, which would be committed"
        refuse("pack-secret", message, "read it from the server's environment")
    for name, question in questions.details.items():
        choices = questions.choices(name)
        if question.get("type") != "bool" and any(isinstance(choice, bool) for choice in choices):
            message = f"a choice of `{name}` is true or false, as YAML reads `yes`, `no` and `on`"
            refuse("pack-questions", message, "quote the choices, or set `type: bool`")
    folder = questions.folder
    if not set(folder) & set("<>{}[]%$") and not any(path.startswith(folder) for path in files):
        refuse("pack-missing", f"`_subdirectory` is `{folder[:-1]}`, which does not exist")
    marks = settings.get("_envops", {})
    suffix = questions.suffix
    mixed = [path for path in sorted(files) if suffix and path.endswith(f".j2{suffix}")]
    if marks.get("variable_start_string", "{{") == "{{" and (mixed or not suffix):
        message = "the pack uses `{{ … }}` both for its questions and for the server's templates"
        hint = (
            "set `_templates_suffix: .copier`, and other delimiters in `_envops`, such as << … >>"
        )
        refuse("pack-delimiters", message, hint, f"{at}/{mixed[0]}" if mixed else questions.file)
    for path in files if suffix else ():
        if (rendered := path.removesuffix(suffix)) != path and rendered in files:
            message = f"`{path}` and `{rendered}` make the same file"
            refuse("pack-clash", message, "remove one of them", f"{at}/{path}")


def _boolean(text: str) -> None:
    if text.strip().lower() not in ("true", "false", "yes", "no", "y", "n", "on", "off", "1", "0"):
        raise ValueError(text)


_CASTS: Mapping[str, Callable[[str], object]] = {"int": int, "float": float, "bool": _boolean}
"""Parsers of answers that are given as text: copier would take any text for true."""
