"""The pack of a project after git has merged two branches: the later one, with the answers of both.

A run can restore a pack that one branch had. What no branch had, such as the newer pack with the
answers of the other, only an upgrade can make.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from scaffold.diagnostics import Diagnostic, Place, Severity
from scaffold.disk.merged import blob, find_merge, git
from scaffold.disk.pack_source import Beneath, Record, fingerprint, pack_metadata, parse_record
from scaffold.disk.records import PACK, SOURCE, Metadata
from scaffold.disk.tree import Tree, digest
from scaffold.files import RECORDS
from scaffold.packs.parts import Parts, is_part, read_parts

if TYPE_CHECKING:
    from packaging.version import Version


class MergedPack(Struct, frozen=True):
    """The pack that a merge should have left: the files to write, and warnings about it.

    `record` has the answers of both branches. `undecided` says what no run can decide, by what
    decides it: `PACK`, or the name of a question. `unrendered` says which answers `parts` lacks.
    """

    record: Record
    parts: Parts
    metadata: Metadata
    warnings: tuple[Diagnostic, ...]
    undecided: Mapping[str, Diagnostic]
    unrendered: tuple[Diagnostic, ...]

    @property
    def problems(self) -> tuple[Diagnostic, ...]:
        """What keeps a project from having the pack, until someone upgrades it."""
        return (*self.undecided.values(), *self.unrendered)


class _Side(Struct, frozen=True):
    """The pack of one branch."""

    commit: str
    record: Record
    parts: Parts


def merged_pack(root: Path) -> MergedPack | None:
    """Return the pack that the last merge should have left, if the project has another one.

    If one branch alone has changed its version or switched to another, it is that branch's; if both
    have upgraded it, that of the higher version. Answers are merged. Returns None without a merge
    or without git, for a merge that took nothing but one branch, and after an upgrade in the merge.
    """
    found = Tree(root).read(SOURCE)
    merge = find_merge(root) if found else None
    if found is None or merge is None:
        return None
    if not merge.ongoing and digest(git(root, *blob("HEAD", SOURCE))) != found.sha256:
        return None  # the merge is over: someone has upgraded the pack since
    ours, theirs, before = (_side(root, commit) for commit in (*merge.commits, merge.base))
    if ours is None or theirs is None:
        return None
    present: Record | None = None
    with suppress(ValueError, RecursionError):
        present = parse_record(found.data)
    parts = read_parts(root / PACK)
    is_whole = present and not present.is_edited and fingerprint(parts) == present.sha256
    known = [side.record for side in (ours, theirs, before) if side]
    if is_whole and present not in known:
        return None  # someone has upgraded the pack in the merge
    undecided: dict[str, Diagnostic] = {}
    ranked = _ranked(ours, theirs, before)
    if ranked is None and present in (ours.record, theirs.record):
        ranked = (ours, theirs) if present == ours.record else (theirs, ours)
    elif ranked is None:
        ranked = ours, theirs
        undecided[PACK] = _switched(root, ours.record, theirs.record)
    chosen, other = ranked
    answers = _answers(chosen.record, other.record, before.record if before else None)
    undecided |= {name: _torn(root, name, chosen.record, other.record) for name in answers.torn}
    unasked = answers.merged.keys() - chosen.record.answers.keys()
    unrendered = tuple(_unrendered(root, chosen.record, answers.merged))
    if not _is_known(chosen.record, other.record, before.record if before else None):
        unrendered = (*unrendered, _unknown(root, chosen.record))
    settled = not undecided and len(unrendered) == len(unasked)  # an upgrade may drop these
    settled = settled or _took_all_of(root, chosen.commit)
    if present == chosen.record and is_whole and settled:
        return None
    if present == other.record and _took_all_of(root, other.commit, f":(exclude){RECORDS}"):
        return None
    record = replace(chosen.record, answers=answers.merged)
    metadata = pack_metadata(chosen.record, chosen.parts, parts)
    warnings = tuple(_warnings(root, chosen.record, other.record))
    return MergedPack(record, chosen.parts, metadata, warnings, undecided, unrendered)


def _ranked(ours: _Side, theirs: _Side, before: _Side | None) -> tuple[_Side, _Side] | None:
    """Return the two sides, first the one whose pack counts; None if both switched to others."""
    for one, other in ((ours, theirs), (theirs, ours)):
        if before and other.record == before.record:
            return one, other
    for one, other in ((ours, theirs), (theirs, ours)):
        if before and _is_same(other.record, before.record):
            return one, other
    if ours.record.source != theirs.record.source:
        for one, other in ((ours, theirs), (theirs, ours)):
            if before and other.record.source == before.record.source:
                return one, other
        return None
    return (theirs, ours) if _is_later(theirs.record, ours.record) else (ours, theirs)


def _is_later(record: Record, than: Record) -> bool:
    """Return whether a pack is certainly later: it or one beneath is, and none is earlier."""
    others = {one.name: one for one in than.beneath}
    pairs: list[tuple[Record | Beneath, Record | Beneath]] = [(record, than)]
    pairs += [(one, others[one.name]) for one in record.beneath if one.name in others]
    changed = [(a, b) for a, b in pairs if (a.version, a.commit) != (b.version, b.commit)]
    versions = [(_version(one), _version(other)) for one, other in changed]
    return bool(versions) and all(a is not None and b is not None and a > b for a, b in versions)


def _is_same(record: Record, other: Record) -> bool:
    """Return whether two packs are certainly of one commit, and those beneath them too."""
    packs = [(one.source, one.version, one.commit, one.beneath) for one in (record, other)]
    return packs[0] == packs[1] and all([record.commit, *(one.commit for one in record.beneath)])


def _version(record: Record | Beneath) -> Version | None:
    from packaging.version import InvalidVersion, Version  # rarely needed

    try:
        return Version(record.version or "")
    except InvalidVersion:
        return None


def _is_known(chosen: Record, other: Record, before: Record | None) -> bool:
    """Return whether the pack of `chosen` is certainly the later one of two from one source."""
    if chosen.source != other.source or before in (chosen, other):
        return True
    if _is_same(chosen, other) or (before and _is_same(before, other)):
        return True
    if before and any(_is_later(before, one) for one in (chosen, other)):
        return False  # one branch has gone back to an earlier version
    return chosen.sha256 == other.sha256 or _is_later(chosen, other)


class _Answers(NamedTuple):
    """The answers of two branches, and the names of those that both gave differently."""

    merged: Mapping[str, Any]
    torn: Sequence[str]


def _answers(chosen: Record, other: Record, before: Record | None) -> _Answers:
    """Merge the answers to the questions that the chosen pack asks, and those new to the other."""
    merged, torn = dict(chosen.answers), []
    was = before.answers if before else {}
    for name in other.answers.keys() - chosen.answers.keys():
        if name not in was or other.answers[name] != was[name]:
            merged[name] = other.answers[name]
    for name in chosen.answers.keys() & other.answers.keys():
        ours, theirs = chosen.answers[name], other.answers[name]
        is_new = name not in was
        if ours == theirs or (not is_new and theirs == was[name]):
            continue
        if not is_new and ours == was[name]:
            merged[name] = theirs
        else:
            torn.append(name)
    return _Answers(merged, sorted(torn))


def _switched(root: Path, ours: Record, theirs: Record) -> Diagnostic:
    message = f"both branches switched the pack: to {_name(ours)}, and to {_name(theirs)}"
    hint = "run `mcp-scaffold pack upgrade --pack ADDRESS` with the one to keep"
    return _of_branches(root, message, hint)


def _torn(root: Path, name: str, ours: Record, theirs: Record) -> Diagnostic:
    answers = " and ".join(_shown(one.answers[name]) for one in (ours, theirs))
    message = f"the branches answer `{name}` of the pack differently: {answers}"
    hint = f"run `{_upgrade(ours)} --data {name}=…` with the one to keep"
    return _of_branches(root, message, hint)


def _unrendered(root: Path, chosen: Record, answers: Mapping[str, Any]) -> Iterator[Diagnostic]:
    for name, answer in sorted(answers.items()):
        if name not in chosen.answers or answer != chosen.answers[name]:
            message = (
                f"one branch answers `{name}` with {_shown(answer)}, but the pack of the other "
                "was rendered without it"
            )
            hint = f"run `{_upgrade(chosen)}`, which renders the pack with the answers of both"
            yield _of_branches(root, message, hint)


def _unknown(root: Path, chosen: Record) -> Diagnostic:
    message = (
        f"both branches changed the pack from {_name(chosen)}, and it is unknown which is later"
    )
    return _of_branches(root, message, f"run `{_upgrade(chosen)}`")


def _of_branches(root: Path, message: str, hint: str) -> Diagnostic:
    return Diagnostic("pack-branches", message, Place(str(root / SOURCE)), hint)


def _upgrade(record: Record) -> str:
    """Return the command that renders the pack at its version again."""
    return "mcp-scaffold pack upgrade" + (f" --to {record.version}" if record.version else "")


def _name(record: Record) -> str:
    return f"`{record.source}`" + (f" {record.version}" if record.version else "")


def _shown(answer: object) -> str:
    return f"`{json.dumps(answer, ensure_ascii=False)}`"


def _warnings(root: Path, chosen: Record, other: Record) -> Iterator[Diagnostic]:
    place = Place(str(root / SOURCE))
    version = chosen.version or chosen.source
    message = f"a merge left an incomplete pack: `{PACK}` was restored to {version}"
    yield Diagnostic("pack-merged", message, place, None, Severity.WARNING)
    if chosen.source != other.source:
        message = (
            f"the pack of one branch, {_name(chosen)}, replaces that of the other, {_name(other)}"
        )
        yield Diagnostic("pack-merged", message, place, None, Severity.WARNING)


def _side(root: Path, commit: str) -> _Side | None:
    """Return the pack in a commit; None if it has none, or none that fits an unedited record."""
    try:
        record = parse_record(git(root, *blob(commit, SOURCE)))
    except (ValueError, RecursionError):
        return None
    if record.is_edited:
        return None
    listed = git(root, "ls-tree", "-r", "-z", "--name-only", commit, "--", f"{PACK}/")
    paths = listed.decode(errors="surrogateescape").split("\0")[:-1]
    parts = {
        path.removeprefix(f"{PACK}/"): git(root, *blob(commit, path))
        for path in sorted(paths)
        if is_part(path.removeprefix(f"{PACK}/"))
    }
    return _Side(commit, record, parts) if fingerprint(parts) == record.sha256 else None


def _took_all_of(root: Path, commit: str, *but: str) -> bool:
    """Return whether the project is that of a commit, but for some paths."""
    options = ("--no-ext-diff", "--no-textconv", "--name-only")
    return not git(root, "diff", *options, commit, "--", ".", *but)
