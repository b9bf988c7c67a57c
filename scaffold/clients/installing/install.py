"""Install a server into a client."""

from __future__ import annotations

import shlex
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from scaffold.clients.client import Client, read_client
from scaffold.clients.commands import remove_command, run_command
from scaffold.clients.entry import document
from scaffold.clients.installing.choose import Asked, Choice, choose, missing
from scaffold.clients.installing.configuration import Configuration, digest, undisturbed
from scaffold.clients.installing.receipts import Receipt, Store, entry_hash
from scaffold.clients.installing.running import running
from scaffold.clients.installing.subject import Subject
from scaffold.clients.links import links
from scaffold.clients.places import Machine
from scaffold.clients.reading import starts
from scaffold.clients.written import written
from scaffold.diagnostics import ScaffoldError
from scaffold.yaml.document import mask


class Installation(Struct, frozen=True):
    """What installing into one client does.

    `found` is the client's file, if it has one, `held` the entry in it, and `new` the file with ours;
    it is None unless we write the file. `inputs` are added to it. `receipt` is that of an earlier
    installation. An installation that is `done` has nothing to do. `steps` are left to the user.
    """

    subject: Subject
    choice: Choice
    found: Configuration | None
    held: Any = None
    new: bytes | None = None
    inputs: tuple[dict[str, object], ...] = ()
    receipt: Receipt | None = None
    done: bool = False
    steps: tuple[str, ...] = ()

    @property
    def change(self) -> str:
        """What is written into the file, as a new file would have it, each line with a plus.

        Secrets are masked. It has no line of the file itself, which may hold those of other servers.
        """
        choice, name = self.choice, self.subject.server.name
        whole: dict[str, Any] = document(choice.client, name, choice.shown)
        if self.found and self.found.data is not None:
            inputs = {"inputs": [*self.inputs]} if self.inputs else {}
            whole = {**inputs, choice.client.root: whole[choice.client.root]}
        lines = written(whole, choice.client.format).splitlines()
        return mask("\n".join(f"+{line}" for line in lines))

    @property
    def is_exact(self) -> bool:
        """Whether the file without the entry is known: there is none, or nobody else wrote since."""
        old, found = self.receipt, self.found
        return self.held is None or bool(old and found and old.after == found.sha256)


def install(
    subject: Subject, client: Client, asked: Asked, machine: Machine, store: Store
) -> Installation:
    """Install a server into a client, and return what was done. Raises ScaffoldError."""

    def attempt() -> Installation:
        made = plan(subject, client, asked, machine, store)
        carry_out(made, store)
        return made

    with store.exclusive():
        return undisturbed(attempt)


def plan(
    subject: Subject, client: Client, asked: Asked, machine: Machine, store: Store
) -> Installation:
    """Return what installing into a client would do. Nothing is written. Raises ScaffoldError."""
    choice = choose(subject, client, asked, machine)
    if choice.means in ("bundle", "link"):
        return Installation(subject, choice, None, steps=tuple(_steps(subject, choice)))
    if error := missing(choice):
        raise error
    if choice.transport == "stdio" and subject.file and not subject.file.exists():
        message = "the file that clients start is missing"
        raise ScaffoldError.of("client-program", message, subject.file, "run `python3 bundle.py`")
    name = subject.server.name
    if choice.path is None:
        return Installation(subject, choice, None)
    found = Configuration.read(choice.path, client)
    if choice.scope == "project" and not found.target.is_relative_to(subject.project.resolve()):
        message, hint = "the link leads out of the project", "replace it with a file"
        raise ScaffoldError.of("symlink", message, choice.path, hint)
    receipts = store.on(found.path, name)
    receipt = next((r for r in receipts if r.is_for(client.id, subject.project)), None)
    held = found.entries().get(name)
    plan = Installation(subject, choice, found, held, receipt=receipt)
    if held == choice.entry.fields:
        return replace(plan, done=True)
    if held is not None and not (receipt and receipt.wrote(held)):
        theirs = next((r for r in receipts if r != receipt and r.wrote(held)), None)
        if receipt or theirs or not starts(client, held, subject.server, subject.program):
            raise taken(client, choice.path, name, receipt, theirs)
    if choice.means == "command":
        return plan
    if choice.means == "file" and (app := running(client.running)):
        message = f"{client.name} runs (`{app}`), and would overwrite the file"
        raise ScaffoldError.of("client-running", message, choice.path, f"quit {client.name} first")
    found.check_replaceable()
    entry, inputs = choice.entry, found.new_inputs(choice.entry.inputs)
    if found.data is None:
        new = written(document(client, name, entry), client.format).encode()
    else:
        new = found.put(name, entry.fields, inputs)
    return replace(plan, new=new, inputs=tuple(map(dict, inputs)))


def carry_out(plan: Installation, store: Store) -> None:
    """Install. Raises ScaffoldError; then nothing has changed, unless a client's command did it."""
    if plan.done or plan.steps:
        return
    if plan.choice.means == "command":
        _run(plan, store)
    else:
        _write(plan, store)


def _write(plan: Installation, store: Store) -> None:
    """Write the receipt, then the copy of the old file, then the file: each may be the last."""
    found, old = plan.found, plan.receipt
    assert found
    assert plan.new is not None
    receipt = _receipt(plan, plan.held, digest(plan.new))
    store.write(receipt)
    try:
        _keep(found, receipt)
        found.replace(plan.new, {receipt.before, *((old.before, old.after) if old else ())})
    except ScaffoldError:
        _undo(receipt, old, store)
        raise


def _run(plan: Installation, store: Store) -> None:
    """Add the entry with the client's own command; it must be in the client's file then."""
    choice, found, old = plan.choice, plan.found, plan.receipt
    assert choice.command
    assert found
    name, client = plan.subject.server.name, choice.client
    folder = plan.subject.project if choice.scope == "project" else None
    receipt = _receipt(plan, plan.held, None)
    store.write(receipt)
    try:
        _keep(found, receipt)
        if plan.held is not None and (words := remove_command(client, name, choice.scope)):
            run_command((choice.command[0], *words[1:]), client, folder)
        run_command(choice.command, client, folder)
        now = found.after_command(name)
        if now is None:
            message = f"the command of {client.name} succeeded, but there is no entry `{name}`"
            raise ScaffoldError.of(
                "client-command-failed", message, found.path, "try `--via file` or `--via project`"
            )
    except ScaffoldError:
        _undo(receipt, old, store)
        raise
    if now.path != found.path:
        _undo(receipt, None, store)
        receipt = replace(receipt, path=str(now.path), before=None, kept=None)
    after = now.sha256 if plan.is_exact else None
    store.write(replace(receipt, after=after, entries=(entry_hash(now.entries()[name]),)))


def _keep(found: Configuration, receipt: Receipt) -> None:
    if receipt.kept and not Path(receipt.kept).exists():
        found.keep(receipt.kept)


def _undo(receipt: Receipt, old: Receipt | None, store: Store) -> None:
    """Forget an installation that failed, or go back to the receipt of the one before."""
    if receipt.kept and not (old and old.kept == receipt.kept):
        Path(receipt.kept).unlink(missing_ok=True)
    if old:
        store.write(old)
    else:
        store.forget(receipt)


def _receipt(plan: Installation, held: object, after: str | None) -> Receipt:
    """Return the receipt, with the names that the run will use."""
    found, choice, old = plan.found, plan.choice, plan.receipt
    assert found
    before, kept = found.sha256, None
    if old and (held is not None or old.before == before):
        before, kept = old.before, old.kept
    if found.data is not None and not kept and not (old and held is not None):
        kept = str(found.free_name())
    folders = dict.fromkeys((*map(str, found.missing_folders()), *(old.folders if old else ())))
    return Receipt(
        client=choice.client.id,
        server=plan.subject.server.name,
        project=str(plan.subject.project),
        scope=choice.scope,
        means=choice.means,
        transport=choice.transport,
        path=str(found.path),
        before=before,
        after=after if plan.is_exact else None,
        kept=kept,
        folders=tuple(folders),
        inputs=(*(old.inputs if old and held is not None else ()), *plan.inputs),
        when=datetime.now().astimezone().isoformat(),
        entries=tuple(map(entry_hash, filter(None, (choice.entry.fields, held)))),
    )


def _steps(subject: Subject, choice: Choice) -> list[str]:
    """Return what the user has to do for a bundle or a link."""
    if choice.means == "bundle":
        return [
            f"mcp-scaffold publish --bundle {shlex.quote(str(subject.project))}",
            f"open the bundle with {choice.client.name}",
        ]
    found = links(subject.server, choice.client, choice.transport, subject.program, web=True)
    if not found:
        message = f"no link of {choice.client.name} can carry this server"
        raise ScaffoldError.of("no-means", message, choice.client.id)
    _, url = found[0]
    return [f"open {url}"]


def taken(
    client: Client, path: Path, name: str, mine: Receipt | None, theirs: Receipt | None
) -> ScaffoldError:
    """Return the error about an entry that is not ours.

    `mine` is the receipt of an earlier installation, and `theirs` that of the one that wrote the
    entry: for another project, or for another client that reads the same file.
    """
    if theirs and theirs.client != client.id:
        other = read_client(theirs.client).name
        message = f"{other} has the entry `{name}` in the same file, over {theirs.transport}"
    elif theirs:
        message = f"the entry `{name}` of {client.name} is for the project `{theirs.project}`"
    elif mine:
        message = f"the entry `{name}` of {client.name} was changed since it was installed"
        return ScaffoldError.of("entry-changed", message, path, "remove or rename that entry first")
    else:
        message = f"{client.name} has another entry `{name}`, which starts something else"
        return ScaffoldError.of("entry-exists", message, path, "remove or rename that entry first")
    command = ("mcp-scaffold", "clients", "remove", "--client", theirs.client, theirs.project)
    hint = f"remove it there first: `{shlex.join(command)}`"
    return ScaffoldError.of("entry-exists", message, path, hint)
