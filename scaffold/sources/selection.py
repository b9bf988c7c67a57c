"""Choose the entries of a source to import, by patterns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import compress

from msgspec import Struct
from msgspec.structs import replace

from scaffold.base.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.base.diagnostics.wording import did_you_mean, quote
from scaffold.format.fields import JsonObject
from scaffold.sources.source import KINDS, Source


class Choice(Struct, frozen=True):
    """An entry that can be chosen.

    `labels` are what patterns match. `group` is a pattern for all that belong together.
    """

    name: str
    labels: tuple[str, ...]
    group: str = ""


class TooManyError(ScaffoldError):
    """There are too many entries to import them all unasked; `choices` are those."""

    def __init__(self, source: str, choices: Sequence[Choice]) -> None:
        self.choices = tuple(choices)
        message = f"{len(choices)} operations are too many tools for a model"
        hint = f"choose some with `--include {choices[0].group!r}`, or all with `--include '*'`"
        super().__init__([Diagnostic("too-many-tools", message, Place(source), hint)])


def selected(
    source: Source, include: Sequence[str], exclude: Sequence[str], before: Mapping[str, str]
) -> Source:
    """Return a source with the entries that a pattern of `include` matches and none of `exclude`.

    A pattern such as `get_*` is matched with the name of an entry, and with its URI. Without
    `include`, all entries match. `before` are the names of the last import. Raises ScaffoldError for a pattern that matches nothing.
    """
    if source.choose is not None:
        return source.choose(include, exclude, before)
    kinds = [kind for kind in KINDS if kind in source.listed]
    choices = [_choice(entry, kind) for kind in kinds for entry in source.listed[kind]]
    kept = iter(matching(choices, include, exclude, source.name))
    spec, listed = dict(source.spec), {}
    for kind in kinds:
        wanted = [next(kept) for _ in source.listed[kind]]
        listed[kind] = [*compress(source.listed[kind], wanted)]
        spec[kind] = [*compress(spec[kind], wanted)]
    spec = {key: value for key, value in spec.items() if value or key not in KINDS}
    return replace(source, spec=spec, listed=listed)


def matching(
    choices: Sequence[Choice], include: Sequence[str], exclude: Sequence[str], source: str
) -> list[bool]:
    """Return which choices a pattern of `include` matches, or all without one, and no `exclude`.

    `*` and `**` match any characters, `/x/**` also `/x`. Raises ScaffoldError for a pattern that
    matches nothing.
    """
    for pattern in (*include, *exclude):
        if not any(_matches(choice, pattern) for choice in choices):
            message = f"nothing in the source matches {quote(pattern)}"
            labels = [label for choice in choices for label in choice.labels]
            hint = did_you_mean(pattern, labels, "run `import` without it to see the names")
            raise ScaffoldError.of("not-importable", message, source, hint)

    def any_of(choice: Choice, patterns: Iterable[str]) -> bool:
        return any(_matches(choice, pattern) for pattern in patterns)

    return [
        (not include or any_of(choice, include)) and not any_of(choice, exclude)
        for choice in choices
    ]


def _matches(choice: Choice, pattern: str) -> bool:
    patterns = (pattern, pattern.removesuffix("/**")) if pattern != "/**" else ("*",)
    return any(fnmatchcase(label, pattern) for label in choice.labels for pattern in patterns)


def _choice(entry: JsonObject, kind: str) -> Choice:
    name = str(entry.get("name"))
    return Choice(name, (name, str(entry.get(KINDS[kind]))))
