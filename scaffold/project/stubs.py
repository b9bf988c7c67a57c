"""Changes of the templates of owned files, which files that people have edited do not get."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from scaffold.base.diagnostics import Diagnostic, Place, Severity
from scaffold.base.files import Owner, RelPath, RenderedFile
from scaffold.disk.diff import unified
from scaffold.disk.lock import Entry
from scaffold.disk.step import Step
from scaffold.disk.tree import folded, is_binary

_NAMED = 5
"""The maximum number of files listed in a message."""


class TemplateChange(Struct, frozen=True):
    """A changed template, the edited files that were made from it, and the difference in one."""

    template: str
    paths: tuple[RelPath, ...]
    diff: str

    def warning(self, root: Path) -> Diagnostic:
        """Return the warning about the files of the project at `root`."""
        paths, more = self.paths[:_NAMED], len(self.paths) - _NAMED
        listed = ", ".join(f"`{path}`" for path in paths) + (f" and {more} more" * (more > 0))
        message = f"the template `{self.template}` has changed, but these were edited: {listed}"
        hint = "apply the change where it matters"
        place = Place(str(root / paths[0]))
        return Diagnostic("template-missed", message, place, hint, Severity.WARNING)


def missed(
    steps: Sequence[Step],
    last: Mapping[RelPath, Entry],
    rendered: Mapping[RelPath, RenderedFile],
    written: Mapping[RelPath, RenderedFile],
) -> Iterator[TemplateChange]:
    """Yield the template changes that edited owned files miss.

    `last` are the files as the lock has them, `rendered` what the present templates make of the spec
    of the last run, and `written` what the templates of that run made of it, if they are known. The
    difference is that to the text of the last run or, if that is lost, to the edited file.
    """
    moved = _moved(rendered)
    found: dict[str, list[tuple[Step, RenderedFile]]] = {}
    for step in steps:
        path = step.source or step.path
        if not (step.owner is Owner.OWNED and step.wanted and step.before and path in last):
            continue
        entry = last[path]
        now = rendered.get(path) or moved.get((step.wanted.template, entry.id))
        is_changed = now and Entry.of(now).sha256 != entry.sha256
        if now and is_changed and entry.sha256 != step.before.sha256 and not entry.orphan:
            found.setdefault(step.wanted.template, []).append((step, now))
    for template, edited in found.items():
        step, now = edited[0]
        path = step.source or step.path
        names, was = (f"a/{path}", f"b/{step.path}"), written.get(path)
        before = was.text if was and Entry.of(was).sha256 == last[path].sha256 else step.text
        diff = unified(before, folded(now.content), *names)
        if any(map(is_binary, (now.content, step.before.data if step.before else b""))):
            diff = f"Binary files {names[0]} and {names[1]} differ\n"
        yield TemplateChange(template, tuple(step.path for step, _ in edited), diff)


def _moved(rendered: Mapping[RelPath, RenderedFile]) -> dict[tuple[str, str | None], RenderedFile]:
    """Return the files by template and spec entry, for those whose path has changed."""
    uses = Counter((file.template, file.id) for file in rendered.values())
    files = (((file.template, file.id), file) for file in rendered.values())
    return {key: file for key, file in files if uses[key] == 1}
