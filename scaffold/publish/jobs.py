"""The workflows of GitHub: their jobs, and what their steps do, in order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

from msgspec import Struct

from scaffold.diagnostics import Place
from scaffold.publish.shell import Command, commands
from scaffold.publish.spots import Spot, root_of
from scaffold.yaml.document import Document

_NEVER = re.compile(r"false|0|null|''|!\s*true|false\s*&&[^|]*|[^|]*&&\s*false")
_BRACES = re.compile(r"\$\{\{(.*)\}\}", re.DOTALL)
_EVENT = re.compile(r"github\.event_name\s*==\s*'(\w+)'")
_DESPITE = re.compile(r"\b(always|failure|cancelled)\s*\(")
_DEEPEST = 4
"""The maximum number of workflows that call each other (GitHub allows ten)."""


class Job(Struct, frozen=True):
    """A job, or one of a workflow that it calls.

    `needs` are the names of the jobs that it waits for, directly or not. `permissions` are None if
    nothing is said about them: the settings of the repository hold then. The flags are those of an
    `Action`, for all that the job does.
    """

    name: str
    needs: frozenset[str]
    permissions: Mapping[str, Any] | str | None
    is_hosted: bool
    runs: bool
    is_decisive: bool
    is_stopped: bool

    def may(self, permission: str) -> bool:
        """Return whether the job has a permission to write, or the settings may give it."""
        if self.permissions is None:
            return permission != "id-token"
        if isinstance(self.permissions, str):
            return self.permissions == "write-all"
        return self.permissions.get(permission) == "write"


class Action(Struct, frozen=True):
    """A command that a step runs, or an action that it uses with `inputs`.

    `variables` are those of its environment. `runs` is False if a condition never holds. It is
    decisive if nothing follows its failure, and stopped if it does not follow that of others.
    """

    document: Document
    at: str
    job: Job
    number: int
    uses: str
    inputs: Mapping[str, Any]
    command: Command
    variables: Mapping[str, Any]
    runs: bool
    is_decisive: bool
    is_stopped: bool

    @property
    def place(self) -> Place:
        """The place of the command, or of the step."""
        node = self.document.node(self.at)
        line = self.command.text.partition("\n")[0]
        start = self.document.text.find(line, node.start, node.end) if node and line else -1
        if start < 0:
            return self.document.place(self.at)
        return self.document.at(start, start + len(line))

    @property
    def text(self) -> str:
        """What is run or used."""
        return self.uses or " ".join(self.command.words)

    def is_before(self, other: Action) -> bool:
        """Return whether this always ends before another begins."""
        if self.job.name == other.job.name:
            return self.number < other.number
        return any(f"{self.job.name}/".startswith(f"{name}/") for name in other.job.needs)


def triggers(document: Document) -> frozenset[str]:
    """Return the events for which a workflow runs."""
    found = root_of(document).value.get("on")
    names = [found] if isinstance(found, str) else found if isinstance(found, (list, dict)) else ()
    return frozenset(name for name in names if isinstance(name, str))


def actions(document: Document, documents: Mapping[str, Document]) -> tuple[Action, ...]:
    """Return what a workflow does, with the workflows that it calls; `documents` has their paths."""
    events, numbers = triggers(document), count()
    found = _jobs(document, documents, None, events, 0)
    return tuple(
        action for one, spot, job in found for action in _actions(one, spot, job, events, numbers)
    )


def _jobs(
    document: Document,
    documents: Mapping[str, Document],
    caller: Job | None,
    events: frozenset[str],
    depth: int,
) -> Iterator[tuple[Document, Spot, Job]]:
    """Yield the jobs of a workflow; in place of those that call another, the jobs of that."""
    jobs = root_of(document).below("jobs") or Spot({}, "/jobs")
    for name in jobs.value:
        spot = jobs.below(name)
        if spot is None:
            continue
        job = _job(name, spot, jobs, root_of(document), caller, events)
        called = documents.get((spot.text("uses") or "").removeprefix("./"))
        if called and depth < _DEEPEST:
            yield from _jobs(called, documents, job, events, depth + 1)
        else:
            yield document, spot, job


def _job(
    name: str, spot: Spot, jobs: Spot, workflow: Spot, caller: Job | None, events: frozenset[str]
) -> Job:
    before = f"{caller.name}/" if caller else ""
    needs = {f"{before}{one}" for one in _needed(name, jobs, set())}
    own = spot.value.get("permissions", workflow.value.get("permissions"))
    permissions = own if isinstance(own, (dict, str)) else caller.permissions if caller else None
    return Job(
        name=f"{before}{name}",
        needs=frozenset(needs | (caller.needs if caller else set())),
        permissions=permissions,
        is_hosted="self-hosted" not in str(spot.value.get("runs-on")),
        runs=_may_run(spot, events) and (caller is None or caller.runs),
        is_decisive=not _is_forgiven(spot) and (caller is None or caller.is_decisive),
        is_stopped=_is_stopped(spot) and (caller is None or caller.is_stopped),
    )


def _needed(job: str, jobs: Spot, seen: set[str]) -> set[str]:
    """Return the jobs that a job waits for, directly or not."""
    spot = jobs.below(job)
    needs = spot.value.get("needs") if spot else None
    for name in [needs] if isinstance(needs, str) else needs if isinstance(needs, list) else ():
        if isinstance(name, str) and name not in seen:
            seen.add(name)
            _needed(name, jobs, seen)
    return seen


def _actions(
    document: Document, spot: Spot, job: Job, events: frozenset[str], numbers: Iterator[int]
) -> Iterator[Action]:
    for step in (spot, *spot.items("steps")):
        uses, script = step.text("uses"), step.text("run")
        is_decisive = job.is_decisive and not _is_forgiven(step)
        found = [Command((), frozenset(), "", is_decisive=True)] if uses else []
        if script and not uses:
            found = [*_commands(script, step, spot, root_of(document))]
        inputs = step.below("with")
        for command in found:
            yield Action(
                document=document,
                at=f"{step.at}/{'uses' if uses else 'run'}",
                job=job,
                number=next(numbers),
                uses=uses or "",
                inputs=inputs.value if inputs else {},
                command=command,
                variables={
                    **_set(root_of(document)),
                    **_set(spot),
                    **_set(step),
                    **dict.fromkeys(command.variables),
                },
                runs=job.runs and _may_run(step, events),
                is_decisive=is_decisive and command.is_decisive,
                is_stopped=job.is_stopped and _is_stopped(step),
            )


def _commands(script: str, step: Spot, job: Spot, workflow: Spot) -> Iterator[Command]:
    """Yield the commands of a step, as the shell runs them that GitHub starts for it."""
    shell = step.text("shell")
    for spot in (job, workflow):
        defaults = spot.below("defaults")
        run = defaults.below("run") if defaults else None
        shell = shell or (run.text("shell") if run else None)
    errors = shell in (None, "bash", "sh") or " -e" in shell
    return commands(script, errors=errors, pipes=shell == "bash" or "pipefail" in (shell or ""))


def _set(spot: Spot) -> Mapping[str, Any]:
    """Return the variables that are set for a step, a job or a workflow."""
    found = spot.below("env")
    return found.value if found else {}


def _condition(spot: Spot, key: str) -> str:
    """Return the expression of a key, without the braces around it."""
    found = spot.value.get(key)
    text = str(found).lower() if isinstance(found, bool) else found
    text = text.strip() if isinstance(text, str) else ""
    whole = _BRACES.fullmatch(text)
    return whole[1].strip() if whole else text


def _may_run(spot: Spot, events: frozenset[str]) -> bool:
    condition = _condition(spot, "if")
    event = _EVENT.fullmatch(condition)
    return not _NEVER.fullmatch(condition) and (not event or event[1] in events)


def _is_forgiven(spot: Spot) -> bool:
    return _condition(spot, "continue-on-error") == "true"


def _is_stopped(spot: Spot) -> bool:
    return not _DESPITE.search(_condition(spot, "if"))
