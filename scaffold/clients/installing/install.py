"""Install a server into a client."""

from __future__ import annotations

import shlex
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from scaffold.clients.client import Client
from scaffold.clients.commands import remove_command
from scaffold.clients.entry import document
from scaffold.clients.installing.choose import Asked, Choice, choose, missing
from scaffold.clients.installing.configuration import Configuration, digest, undisturbed
from scaffold.clients.installing.own_command import run_command
from scaffold.clients.installing.receipts import Receipt, Store, entry_hash
from scaffold.clients.installing.running import running
from scaffold.clients.installing.subject import Subject
from scaffold.clients.installing.taken import taken
from scaffold.clients.installing.without import is_lost, kept_bytes, without
from scaffold.clients.links import links
from scaffold.clients.places import Machine
from scaffold.clients.written import written
from scaffold.diagnostics import ScaffoldError


class Installation(Struct, frozen=True):
    """What installing into one client does.

    `found` is the client's file, if it has one, and `held` the entry in it. `base` is the file
    without the entry, and `new` the file with it; both are None unless we write the file. `receipt` is that of an earlier
    installation. An installation that is `done` has nothing to do. `steps` are left to the user.
    """

    subject: Subject
    choice: Choice
    found: Configuration | None
    held: Any = None
    base: bytes | None = None
    new: bytes | None = None
    inputs: tuple[dict[str, object], ...] = ()
    receipt: Receipt | None = None
    done: bool = False
    steps: tuple[str, ...] = ()


def install(
    subject: Subject, client: Client, asked: Asked, machine: Machine, store: Store
) -> Installation:
    """Install a server into a client, and return what was done. Raises ScaffoldError."""

    def attempt() -> Installation:
        made = plan(subject, client, asked, machine, store)
        carry_out(made, store)
        return made

    with store.exclusive(Path(machine.home)):
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
        raise taken(client, choice.path, name, receipt, theirs)
    if choice.means == "command":
        return plan
    if choice.means == "file" and (app := running(client.running)):
        message = f"{client.name} runs (`{app}`), and would overwrite the file"
        raise ScaffoldError.of("client-running", message, choice.path, f"quit {client.name} first")
    found.check_replaceable()
    return _edit(plan)


def carry_out(plan: Installation, store: Store) -> None:
    """Install. Raises ScaffoldError; then nothing has changed, unless a client's command did it."""
    if plan.done or plan.steps:
        return
    if plan.choice.means == "command":
        _run(plan, store)
    else:
        _write(plan, store)


def _edit(plan: Installation) -> Installation:
    """Return the plan with the file before and after."""
    found, choice, receipt = plan.found, plan.choice, plan.receipt
    assert found
    name, entry = plan.subject.server.name, choice.entry
    base = found.data
    if receipt and plan.held is not None:
        base = without(found, receipt)
    text = "" if base is None else replace(found, data=base).text
    if base is None:
        new = written(document(choice.client, name, entry), choice.client.format)
        inputs = entry.inputs
    else:
        inputs = found.new_inputs(text, entry.inputs)
        new = found.put(found.add_inputs(text, inputs), name, entry.fields)
    return replace(plan, base=base, new=found.encoded(new), inputs=tuple(map(dict, inputs)))


def _write(plan: Installation, store: Store) -> None:
    """Write the receipt, then the copy of the old file, then the file: each may be the last."""
    found, old = plan.found, plan.receipt
    assert found
    assert plan.new is not None
    before = None if plan.base is None else digest(plan.base)
    receipt = _receipt(plan, before, digest(plan.new))
    is_kept = old is not None and old.before == before and kept_bytes(old) is not None
    store.write(receipt)
    try:
        if plan.base is not None and receipt.kept and not is_kept:
            found.keep(plan.base, receipt.kept)
        found.replace(plan.new, {before, receipt.after, *((old.before, old.after) if old else ())})
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
    is_ours = old is not None and found.sha256 == old.after
    if old and plan.held is not None:
        if words := remove_command(client, name, choice.scope):
            run_command((choice.command[0], *words[1:]), client, folder)
        found = Configuration.read(found.path, client)
    receipt = _receipt(plan, found.sha256, None)
    if old and is_ours:
        receipt = replace(receipt, before=old.before, kept=old.kept)
    store.write(receipt)
    try:
        if not (old and is_ours) and found.data is not None and receipt.kept:
            found.keep(found.data, receipt.kept)
        run_command(choice.command, client, folder, choice.secrets)
        now = found.after_command(name)
        if now is None:
            message = f"the command of {client.name} succeeded, but there is no entry `{name}`"
            raise ScaffoldError.of(
                "client-command-failed", message, found.path, "try `--via file` or `--via project`"
            )
    except ScaffoldError:
        now = Configuration.read(found.path, client)
        if name not in now.entries():
            _undo(receipt, old, store)
            _put_back(plan, found, now)
        raise
    if now.path != found.path:
        _undo(receipt, None, store)
        receipt = replace(receipt, path=str(now.path), before=None, kept=None)
    wrote = entry_hash(now.entries()[name])
    store.write(replace(receipt, after=now.sha256, entries=(wrote,)))


def _put_back(plan: Installation, without: Configuration, now: Configuration) -> None:
    """Put back the entry that the client's command removed, as the file is `now`."""
    name, before = plan.subject.server.name, plan.found
    assert before
    entries = before.entries()
    if name in entries:
        same = now.data == without.data
        now.replace(before.data if same else now.encoded(now.put(now.text, name, entries[name])))


def _undo(receipt: Receipt, old: Receipt | None, store: Store) -> None:
    """Forget an installation that failed, or go back to the receipt of the one before."""
    if old:
        store.write(old)
        return
    store.forget(receipt)
    if receipt.kept:
        Path(receipt.kept).unlink(missing_ok=True)


def _receipt(plan: Installation, before: str | None, after: str | None) -> Receipt:
    """Return the receipt, with the names that the run will use."""
    found, choice, old = plan.found, plan.choice, plan.receipt
    assert found
    folders = map(str, found.missing_folders())
    entries = [choice.entry.fields, *([] if plan.held is None else [plan.held])]
    kept = (
        old.kept
        if old and old.kept and (plan.held is not None or not is_lost(found, old))
        else None
    )
    if kept is None and before is not None:
        kept = str(found.free_name())
    return Receipt(
        client=choice.client.id,
        server=plan.subject.server.name,
        project=str(plan.subject.project),
        scope=choice.scope,
        means=choice.means,
        transport=choice.transport,
        path=str(found.path),
        before=before,
        after=after,
        kept=kept,
        folders=tuple(dict.fromkeys((*folders, *(old.folders if old else ())))),
        inputs=plan.inputs,
        when=datetime.now().astimezone().isoformat(),
        entries=tuple(map(entry_hash, entries)),
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
