"""Run the jobs of a GitHub workflow with a shell, in the order that GitHub runs them.

Steps that `use` an action are functions: what the action does for the steps after it.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from tests.shell import bash

Action = Callable[[Path, Mapping[str, str]], None]
"""What an action does in the folder of a job, with the inputs of its step."""

_EXPRESSION = re.compile(r"\$\{\{ (.*?) \}\}")


def read(path: Path) -> dict[str, Any]:
    """Return a workflow."""
    loaded: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    return loaded


def in_order(jobs: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of the jobs, each after those that it needs."""
    left = dict(jobs)
    while left:
        name = next(name for name, job in left.items() if job.get("needs") not in left)
        del left[name]
        yield name


def run(
    workflow: Mapping[str, Any],
    folder: Path,
    env: Mapping[str, str],
    actions: Mapping[str, Action],
    context: Mapping[str, str],
) -> list[tuple[str, subprocess.CompletedProcess[str]]]:
    """Run all jobs, each in an empty folder below `folder`, until a step fails.

    `actions` are by name, such as `actions/checkout`; `context` has the values of expressions, such as
    `github.token`. Of a matrix, the first row is run. Return the command of each step, with how it
    ended. Raises KeyError for an action or an expression that is not there.
    """
    finished = []
    for name in in_order(workflow["jobs"]):
        job = workflow["jobs"][name]
        values = {**context, **_first_row(job.get("strategy", {}).get("matrix", {}))}
        here = folder / name
        here.mkdir(parents=True)
        for step in job["steps"]:
            if uses := step.get("uses"):
                inputs = {key: _expanded(str(v), values) for key, v in step.get("with", {}).items()}
                actions[uses.partition("@")[0]](here, inputs)
                continue
            given = {key: _expanded(value, values) for key, value in step.get("env", {}).items()}
            completed = bash(
                _expanded(step["run"], values), here, {**env, **job.get("env", {}), **given}
            )
            finished.append((step["run"], completed))
            if completed.returncode:
                return finished
    return finished


def _first_row(matrix: Mapping[str, Any]) -> dict[str, str]:
    rows = matrix.get("include", [{key: values[0] for key, values in matrix.items()}])
    return {f"matrix.{key}": value for key, value in rows[0].items()}


def _expanded(text: str, values: Mapping[str, str]) -> str:
    return _EXPRESSION.sub(lambda match: values[match[1]], text)
