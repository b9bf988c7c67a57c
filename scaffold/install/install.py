"""Install a server into a client."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.secrets import mask
from scaffold.clients.client import Client
from scaffold.clients.commands import remove_command, run_command
from scaffold.clients.entry import document
from scaffold.clients.links import links
from scaffold.clients.places import Machine, running
from scaffold.clients.reading import starts
from scaffold.editing.formats import written
from scaffold.install.choose import Asked, Choice, choose, missing
from scaffold.install.configuration import Configuration
from scaffold.install.listing import is_ours
from scaffold.install.subject import Subject


class Installation(Struct, frozen=True):
    """What installing into one client does.

    `configuration` is the client's file, if it has one, `held` the entry in it, and `new` the file
    with ours; it is None unless we write the file. An installation that is `done` has nothing to do.
    `steps` are left to the user.
    """

    subject: Subject
    choice: Choice
    configuration: Configuration | None
    held: Any = None
    new: bytes | None = None
    done: bool = False
    steps: tuple[str, ...] = ()

    @property
    def change(self) -> str:
        """What is written into the file, as a new file would have it, each line with a plus.

        Secrets are masked. It has no line of the file itself, which may hold those of other servers.
        """
        choice, name = self.choice, self.subject.server.name
        whole: dict[str, Any] = document(choice.client, name, choice.shown)
        if self.configuration and self.configuration.data is not None:
            inputs = [*self.configuration.new_inputs(choice.shown.inputs)]
            own = {choice.client.root: whole[choice.client.root]}
            whole = {"inputs": inputs, **own} if inputs else own
        lines = written(whole, choice.client.format).splitlines()
        return mask("\n".join(f"+{line}" for line in lines))


def plan(subject: Subject, client: Client, asked: Asked, machine: Machine) -> Installation:
    """Return what installing into a client would do. Nothing is written. Raises ScaffoldError."""
    choice = choose(subject, client, asked, machine)
    if choice.means in ("bundle", "link"):
        return Installation(subject, choice, None, steps=tuple(_steps(subject, choice)))
    if error := missing(choice):
        raise error
    file = subject.program.command[-1]  # of what is built, it is the last word
    if choice.transport == "stdio" and subject.built and not Path(file).exists():
        message = "the file that clients start is missing"
        raise ScaffoldError.of("client-program", message, file, f"run `{subject.built}`")
    assert choice.path
    name = subject.server.name
    configuration = Configuration.read(choice.path, client)
    project = subject.project.resolve()
    if choice.scope == "project" and not configuration.target.is_relative_to(project):
        message, hint = "the link leads out of the project", "replace it with a file"
        raise ScaffoldError.of("symlink", message, choice.path, hint)
    held = configuration.entries().get(name)
    plan = Installation(subject, choice, configuration, held)
    if held == choice.entry.fields:
        return replace(plan, done=True)
    if held is not None and not starts(client, held, subject.server, subject.program):
        message = f"{client.name} has another entry `{name}`, which starts something else"
        hint = "remove or rename that entry first"
        raise ScaffoldError.of("entry-exists", message, choice.path, hint)
    if choice.means == "command":
        return plan
    if choice.means == "file":
        check_quit(client, configuration)
    configuration.check_replaceable()
    return replace(plan, new=configuration.put(name, choice.entry))


def check_quit(client: Client, configuration: Configuration) -> None:
    """Raise ScaffoldError (`client-running`) if the application runs and would overwrite its file."""
    if app := running(client.running):
        message = f"{client.name} runs (`{app}`), and would overwrite the file"
        raise ScaffoldError.of(
            "client-running", message, configuration.path, f"quit {client.name} first"
        )


def carry_out(plan: Installation, machine: Machine) -> None:
    """Install. Raises ScaffoldError; then nothing has changed, unless a client's command did it."""
    choice, configuration = plan.choice, plan.configuration
    if plan.done or plan.steps:
        return
    assert configuration
    if plan.new is not None:
        configuration.replace(plan.new, keep=True)
        return
    assert choice.command
    name, client = plan.subject.server.name, choice.client
    if plan.held is not None:
        if not is_ours(plan.held, plan.subject, client, choice.scope, machine):
            configuration.keep()
        if words := remove_command(client, name, machine):
            run_command(words, client)
    run_command(choice.command, client)
    if name not in Configuration.read(configuration.path, client).entries():
        message = f"the command of {client.name} succeeded, but there is no entry `{name}`"
        raise ScaffoldError.of(
            "client-command-failed", message, configuration.path, "try `--via project`"
        )


def _steps(subject: Subject, choice: Choice) -> list[str]:
    """Return what the user has to do for a bundle or a link."""
    if choice.means == "bundle":
        return [
            f"mcp-scaffold publish --bundle {shlex.quote(str(subject.project))}",
            f"open the bundle with {choice.client.name}",
        ]
    addresses = links(subject.server, choice.client, choice.transport, subject.program)
    if not addresses:
        message = f"no link of {choice.client.name} can carry this server"
        hint = f"paste what `mcp-scaffold clients show --client {choice.client.id}` prints"
        raise ScaffoldError.of("no-means", message, choice.client.id, hint)
    _, url = addresses[0]
    return [f"open {url}"]
