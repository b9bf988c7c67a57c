"""The options that answer the questions of a pack."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from scaffold.base.diagnostics import ScaffoldError
from scaffold.teams.copying import Asked
from scaffold.yaml.source import read

PACK = click.option(
    "--pack", "source", metavar="PACK", help="Use this pack: a name, directory or git URL[@tag]."
)


def refuse_lone_answers(source: str | None, asked: Asked) -> None:
    """Reject `--data` without `--pack`."""
    if source is None and asked.given:
        raise click.UsageError("--data needs --pack: it answers the questions of a pack")


def answering(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that answer a pack's questions, passed as the argument `asked`."""

    @click.option(
        "--data", metavar="KEY=VALUE", multiple=True, help="Answer a question of the pack."
    )
    @click.option(
        "--data-file",
        metavar="FILE",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="Answer questions from a YAML file; --data takes precedence.",
    )
    @click.option(
        "--defaults", is_flag=True, help="Use the pack's defaults for all other questions."
    )
    @click.option("--trust", is_flag=True, help="Allow the pack to run code.")
    @functools.wraps(command)
    def with_answers(
        data: tuple[str, ...], data_file: Path | None, defaults: bool, trust: bool, **others: Any
    ) -> Any:
        if invalid := [pair for pair in data if "=" not in pair]:
            raise click.BadParameter(f"{invalid[0]!r} is not KEY=VALUE", param_hint="--data")
        answers = {name: value for name, _, value in (pair.partition("=") for pair in data)}
        answers = {**(_answers_in(data_file) if data_file else {}), **answers}
        return command(asked=Asked(answers, {}, defaults, trust), **others)

    return with_answers


def _answers_in(file: Path) -> Mapping[str, Any]:
    """Read answers from a YAML or JSON file. Raises ScaffoldError unless it maps names to them."""
    answers = read(file).value
    if isinstance(answers, dict):
        return answers
    hint = "write a line `NAME: ANSWER` for each question"
    raise ScaffoldError.of("pack-answer", "the answers are not a mapping", file, hint)
