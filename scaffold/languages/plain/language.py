"""Any language: handlers have names, and there are no types, no formatter and no renames in code.

The templates of a pack decide how to use a schema: `tool.written.inputSchema`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType

from msgspec import Struct

from scaffold.base.files import RelPath, RenderedFiles
from scaffold.base.text import Filters
from scaffold.format.draft import Draft
from scaffold.format.spec import Entry, Spec
from scaffold.languages.files import Import, Renaming, Rewriter, Rewritten
from scaffold.languages.language import Code, Coded, Limit, Named, Pair
from scaffold.languages.names import identifiers, spelled, words
from scaffold.yaml.finding import Finding

_NONE = Struct()


_DATA = (".json", ".lock", ".md", ".toml", ".txt", ".yaml", ".yml")
"""The suffixes of files that are not code in any language."""


class _Unchanged:
    """Renames in code of an unknown language: only the lines with old names are reported."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._word = re.compile(rf"\b({'|'.join(map(re.escape, names))})_?\b")

    def rewrite(self, path: RelPath, text: str) -> Rewritten:
        """Return the text as it is, with the lines that have an old name."""
        lines = enumerate(text.splitlines(), 1)
        return Rewritten(
            text, tuple((n, match[1]) for n, t in lines for match in self._word.finditer(t))
        )

    def mentions(self, text: str) -> bool:
        """Return whether an old name occurs in a text."""
        return self._word.search(text) is not None


class Plain:
    """See `Language`."""

    filters: Filters = MappingProxyType({})
    limits: Mapping[str, Limit] = MappingProxyType({})

    def is_source(self, path: str) -> bool:
        return not path.endswith(_DATA)

    def package(self, path: RelPath) -> RelPath | None:
        return None

    def rewriter(self, renaming: Renaming) -> Rewriter:
        return _Unchanged(renaming.names)

    def definitions(self, text: bytes) -> frozenset[str]:
        return frozenset()

    def imports(self, text: str, path: str = "") -> Iterator[Import]:
        return iter(())

    possible_imports = imports

    def package_name(self, server: str) -> str:
        return "_".join(words(server)).lower()

    def command_name(self, server: str) -> str:
        return server

    def named(self, spec: Spec, some: Iterable[Entry] | None = None) -> tuple[Named, ...]:
        entries = tuple(spec.handled if some is None else some)
        names_by_kind = {
            kind: identifiers([e.about for e in entries if e.kind == kind], kind, _never, _never)
            for kind in _KINDS
        }
        names = ((entry, names_by_kind[entry.kind][entry.about]) for entry in entries)
        return tuple(Named(entry, own.function, own.type_name) for entry, own in names)

    def new_names(
        self, package: tuple[str, str], spec: Spec, pairs: Collection[Pair]
    ) -> Mapping[str, str]:
        return {
            name: spelled(after.function)[case]
            for before, after in pairs
            if before.function != after.function
            for case, name in spelled(before.function).items()
        }

    def code(self, spec: Spec) -> Code:
        return Code(
            project=_NONE,
            handlers=tuple(map(_coded, self.named(spec))),
            variables={item.name: _NONE for item in spec.env},
            errors={item.name: _NONE for item in spec.errors},
        )

    layout = ""

    def formatted(self, files: RenderedFiles, done: Mapping[RelPath, str]) -> RenderedFiles:
        return files

    def faults(self, draft: Draft) -> Iterator[Finding]:
        return iter(())

    def is_taken(self, name: str) -> bool:
        return False


_KINDS = ("tool", "resource", "prompt")


def _never(name: str) -> bool:
    """Accept every name: the reserved words of the language are unknown."""
    return False


def _coded(handler: Named) -> Coded:
    names = (handler.entry, handler.function, handler.type_name)
    return Coded(*names, result_type=f"{handler.type_name}Result", code=_NONE)
