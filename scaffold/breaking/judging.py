"""Compare a spec with a baseline, and judge the changes by its version and what it accepts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path

from packaging.version import Version

from scaffold.base.diagnostics import Place
from scaffold.breaking.accepted import Found, accepted, found, named, pointers, remaining
from scaffold.breaking.baseline import Baseline, NoOlderVersionError, read_baseline
from scaffold.breaking.change import Level, change_of
from scaffold.breaking.compare import compare
from scaffold.format.check import LoadedSpec, load
from scaffold.project import chosen
from scaffold.project.attachments import attachments
from scaffold.yaml.source import read


@dataclass(frozen=True)
class Judged:
    """A spec, its baseline, and the findings in the order of the spec.

    `next` is the lowest version that the changes ask for, None if the version of the baseline is
    not known.
    """

    loaded: LoadedSpec
    baseline: Baseline
    findings: tuple[Found, ...]
    next: str | None

    @property
    def open(self) -> tuple[Found, ...]:
        """The findings that are not accepted."""
        return tuple(finding for finding in self.findings if finding.accepted is None)

    def place(self, finding: Found) -> Place:
        """Return the place of a finding; of its list if the entry is gone, or else of the spec."""
        document, at = self.loaded.document, finding.change.where
        if finding.change.is_gone:
            at = remaining(finding.where, self._pointers)
            if at.count("/") == 1 and document.node(at) is None:
                return Place(document.name)
        return document.place(at)

    @cached_property
    def _pointers(self) -> Mapping[tuple[str, ...], str]:
        return pointers(self.loaded.spec)


def judge(path: Path, against: str, today: date, allow_new: bool = False) -> Judged:
    """Judge the spec at `path` against a baseline, named as `read_baseline` takes it.

    `today` decides which accepted findings have expired. Raises ScaffoldError if one of the two
    cannot be read, or is not valid. If `allow_new` is true, a revision may lack the spec.
    """
    document = read(path)
    loaded = load(document, chosen.ANY)
    attachments(loaded.spec, document, path.parent)
    try:
        baseline = read_baseline(against, path, loaded.spec.name)
    except NoOlderVersionError as error:
        if not allow_new:
            raise
        # No entry that accepts a finding can match yet.
        note = found("spec-added", "", f"the spec is new: {error}")
        return Judged(loaded, Baseline(against, loaded.spec, frozenset()), (note,), None)
    new = loaded.spec
    old = baseline.compared(new)
    changes = compare(old, new)
    findings = [
        Found(change, named(change.where, old if change.is_gone else new)) for change in changes
    ]
    levels = {change.level for change in changes}
    before, now = baseline.version, new.version
    wanted = before and next_version(before, levels)
    if before and Level.ERROR in levels and not is_raised(before, now):
        message = (
            f"the changes break callers: after `{before}` comes version `{wanted}`, not `{now}`"
        )
        findings.append(found("version-not-raised", "/version", message))
    findings += _left_out(baseline)
    judged = accepted(findings, new.breaking.accept, today)
    return Judged(loaded, baseline, tuple(judged), wanted)


def _left_out(baseline: Baseline) -> Iterator[Found]:
    """Yield a warning for each part of a tool list that cannot be compared."""
    for diagnostic in baseline.left_out:
        if diagnostic.id == "unknown-key":  # a spec cannot have it either
            continue
        message = f"a part of the baseline is not compared: {diagnostic.message}"
        change = change_of(
            "baseline-partial", "server", baseline.name, "", message, is_proved=False
        )
        yield Found(change, diagnostic.pointer or "")


def next_version(old: str, levels: Collection[Level]) -> str:
    """Return the lowest release that changes of these levels ask for after `old`.

    Versions are those of PEP 440, with the promises of semantic versioning. Errors ask for a major version, other changes for a minor one; below 1.0, for a minor version and
    a patch. A prerelease may break anything, so that its own release will do.
    """
    version = _for_users(old)
    if not levels:
        return old
    if version.is_prerelease:
        return version.base_version
    part = _part(version) if Level.ERROR in levels else _part(version) + 1
    padded = (*version.release, *[0] * (part + 1 - len(version.release)))
    numbers = (*padded[:part], padded[part] + 1, *[0] * (len(padded) - part - 1))
    return (f"{version.epoch}!" if version.epoch else "") + ".".join(map(str, numbers))


def is_raised(old: str, new: str) -> bool:
    """Return whether `new` is a version for changes that break what `old` promised."""
    before, after = _for_users(old), _for_users(new)
    if before.is_prerelease:
        return after > before
    part = _part(before)
    return _promise(after, part) > _promise(before, part)


def _for_users(version: str) -> Version:
    """Return a version without build metadata and post-releases, which change nothing for users."""
    return Version(Version(version).public.partition(".post")[0])


def _part(version: Version) -> int:
    """Return the index of the number that a breaking change raises."""
    return 0 if version.major else 1


def _promise(version: Version, part: int) -> tuple[int, ...]:
    """Return the numbers that stay the same as long as nothing breaks."""
    return (version.epoch, *(*version.release, 0, 0)[: part + 1])
