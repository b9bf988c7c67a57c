"""Read the baseline of a comparison: an older spec, a tool list, a project, or a git revision."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct

from scaffold.base.diagnostics import Diagnostic, ScaffoldError
from scaffold.base.diagnostics.wording import quote
from scaffold.base.files import SPEC
from scaffold.breaking.revision import at_revision
from scaffold.disk.records import LAST_SPEC, LOCK
from scaffold.format.check import load
from scaffold.format.entries import Entry, unsent
from scaffold.format.spec import Spec
from scaffold.project import chosen
from scaffold.sources.fitting import fitted
from scaffold.sources.read import read_list
from scaffold.yaml.source import decode, parse, read

_REVISION = "git:"


class Baseline(Struct, frozen=True):
    """The older version of a server; `name` is how the user named it.

    `known` are the keys of the spec that the baseline includes; None stands for all. `left_out`
    describes the parts of a tool list that a spec cannot hold, which are not compared.
    """

    name: str
    spec: Spec
    known: frozenset[str] | None = None
    left_out: tuple[Diagnostic, ...] = ()

    def compared(self, new: Spec) -> Spec:
        """Return the older spec, with its unknown keys as in the new one."""
        if self.known is None:
            return self.spec
        names = {field.alias or name: name for name, field in Spec.model_fields.items()}
        known = {names[key]: getattr(self.spec, names[key]) for key in self.known}
        for key in self.known & self.spec.entries.keys():
            same = {entry.name: entry for entry in new.entries[key]}
            known[names[key]] = tuple(
                entry.model_copy(update=_unsent(same[entry.name])) if entry.name in same else entry
                for entry in self.spec.entries[key]
            )
        return new.model_copy(update=known)

    @property
    def is_missing(self) -> bool:
        """Whether there is no older version, so that nothing is known of it."""
        return self.known == frozenset()

    @property
    def version(self) -> str | None:
        """The version of the server, if it is known."""
        return self.spec.version if self.known is None or "version" in self.known else None


def read_baseline(name: str, path: Path, server: str) -> Baseline:
    """Read the baseline `name` for the spec at `path` of the server `server`.

    The name is `git:REVISION` or the path of a spec, a tool list or a project. Raises ScaffoldError
    if it cannot be read, or is not valid, and NoOlderVersionError if a revision has no such spec.
    """
    file = Path(name)
    if name == _REVISION or not (name.startswith(_REVISION) or file.suffix or file.exists()):
        message = f"there is no file or project {quote(name)}"
        hint = f"compare with a revision: `git:{'main' if name in ('git', _REVISION) else name}`"
        raise ScaffoldError.of("no-baseline", message, name, hint)
    if name.startswith(_REVISION):
        data, where = at_revision(path.resolve(), name.removeprefix(_REVISION))
        return Baseline(name, load(parse(decode(data, where).text, where), chosen.ANY).spec)
    if file.is_dir():
        file = file / (LAST_SPEC if (file / LOCK).exists() else SPEC)
    if file.suffix == ".json" and (source := read_list(file, server)):
        loaded, source, left_out = fitted(source, Path(f"{file.stem}.json"))
        return Baseline(name, loaded.spec, frozenset(source.spec) - source.assumed, left_out)
    return Baseline(name, load(read(file), chosen.ANY).spec)


def _unsent(entry: Entry) -> dict[str, Any]:
    """Return the attributes of an entry that a tool list does not include."""
    keys = unsent(type(entry))
    fields = type(entry).model_fields.items()
    return {name: getattr(entry, name) for name, field in fields if (field.alias or name) in keys}
