"""Findings that a spec accepts, each with a reason, and acceptances that match nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from msgspec import Struct

from scaffold.base.diagnostics.wording import did_you_mean, quote
from scaffold.breaking.change import Change, change_of, rules
from scaffold.changes.compare import identity, lists
from scaffold.format.settings import Acceptance
from scaffold.format.spec import Prompt, Spec
from scaffold.yaml.document import pointer, tokens


class Found(Struct, frozen=True):
    """A change, or a finding about versions or accepted findings.

    `where` is its place as a JSON Pointer with names in place of numbers, such as
    `/tools/search/inputSchema`. `accepted` is the entry of the spec that accepts it, if any.
    """

    change: Change
    where: str
    accepted: Acceptance | None = None


def named(at: str, spec: Spec) -> str:
    """Return a JSON Pointer with the names of entries in place of their numbers.

    The name is the unique key in the list: the URI of a resource, the name of a tool.
    """
    match tokens(at):
        case [key, number, *rest] if key in (known := lists(spec)) and number.isdecimal():
            entry = known[key][int(number)]
            if isinstance(entry, Prompt) and rest[:1] == ["arguments"] and len(rest) > 1:
                rest[1] = entry.arguments[int(rest[1])].name
            return pointer(key, identity(entry), *rest)
    return at


def pointers(spec: Spec) -> Mapping[tuple[str, ...], str]:
    """Return the JSON Pointer of each entry, by the key of its list and its name there."""
    return {
        (key, identity(entry)): entry.pointer
        for key, entries in lists(spec).items()
        for entry in reversed(entries)
    }


def remaining(where: str, entries: Mapping[tuple[str, ...], str]) -> str:
    """Return the JSON Pointer for `where`, which has names in place of numbers.

    `entries` are the `pointers` of the new spec. It is the pointer of the list if the entry is gone.
    """
    key, *rest = tokens(where)
    entry = entries.get((key, *rest[:1]))
    return pointer(key) if entry is None else entry + pointer(*rest[1:])


def accepted(
    findings: Sequence[Found], entries: Sequence[Acceptance], today: date
) -> Iterator[Found]:
    """Yield the findings, those that entries accept with the entry, then errors about entries.

    An entry is an error if it matches nothing, or if `today` is after its last day.
    """
    valid = {
        (entry.id, entry.where): entry for entry in reversed(entries) if not _expired(entry, today)
    }
    for finding in findings:
        yield Found(finding.change, finding.where, valid.get((finding.change.id, finding.where)))
    known = {(finding.change.id, finding.where) for finding in findings}
    for number, entry in enumerate(entries):
        at = pointer("breaking", "accept", number)
        if (entry.id, entry.where) not in known:
            yield found("acceptance-unused", at, _unused(entry, findings))
        elif _expired(entry, today):
            message = f"{quote(entry.id)} at {quote(entry.where)} was accepted until {entry.until}"
            yield found("acceptance-expired", at, message)


def _expired(entry: Acceptance, today: date) -> bool:
    return entry.until is not None and entry.until < today.isoformat()


def _unused(entry: Acceptance, findings: Sequence[Found]) -> str:
    """Return why an entry matches nothing."""
    if entry.id not in rules():
        near = did_you_mean(entry.id, rules())
        return f"{quote(entry.id)} is no finding" + (f", {near}" if near else "")
    same = [finding.where for finding in findings if finding.change.id == entry.id]
    near = did_you_mean(entry.where, same, "the list of accepted findings is outdated")
    return f"nothing to accept: no {quote(entry.id)} at {quote(entry.where)}; {near}"


def found(id: str, at: str, message: str) -> Found:
    """Return a finding about the server, or about an entry that accepts findings."""
    return Found(change_of(id, "server", "", at, message), at)
