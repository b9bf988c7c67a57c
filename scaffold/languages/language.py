"""A programming language as a value: the interface that the rest of mcp-scaffold uses.

A language is a module with these functions, in a folder beside this one. `registry.py` has them by
their names in packs: `language = "…"`. Differences that are not about code, such as the command
that starts a server, are values in `pack.toml`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Protocol, TypeAlias

from msgspec import Struct

from scaffold.base.files import RelPath, RenderedFiles
from scaffold.base.text import Filters
from scaffold.format.draft import Draft
from scaffold.format.spec import Entry, Spec
from scaffold.languages.files import CodeFiles
from scaffold.yaml.finding import Finding


class Named(Struct, frozen=True):
    """A spec entry with a handler, and the handler's names.

    Its function is `function`, in a file of the same name. The names of its types begin with
    `type_name`.
    """

    entry: Entry
    function: str
    type_name: str

    @property
    def arguments_type(self) -> str:
        """The name of the type of its arguments; empty if it takes none."""
        return "" if self.entry.arguments_schema is None else f"{self.type_name}Arguments"

    @property
    def folder(self) -> str:
        """The folder of its file."""
        return f"{self.entry.kind}s"

    @property
    def id(self) -> str:
        """The id of its spec entry, as the lock has it."""
        return f"{self.folder}/{self.entry.about}"


Pair: TypeAlias = tuple[Named, Named]
"""A handler before and after an edit of the spec."""


class Coded(Named, frozen=True, kw_only=True):
    """A handler with its code, which is the language's own."""

    result_type: str
    code: Struct


class Code(Struct, frozen=True, kw_only=True):
    """A spec as code. What templates see under `code`: of the project, its handlers and more.

    `handlers` are in the spec's order. `variables` and `errors` are by their names.
    """

    project: Struct
    handlers: tuple[Coded, ...]
    variables: Mapping[str, Struct]
    errors: Mapping[str, Struct]


Limit: TypeAlias = Callable[[Draft, str, str], Iterator[Finding]]
"""Yields findings for unsupported features in a draft; takes its pack's name and a hint, too."""


class Language(CodeFiles, Protocol):
    """A programming language."""

    @property
    def filters(self) -> Filters:
        """The template filters that quote free text in its code."""

    def package_name(self, server: str) -> str:
        """Return the name of a server's package in code: `blog-search` gives `blog_search`."""

    def command_name(self, server: str) -> str:
        """Return the name of a server's distribution and command."""

    def named(self, spec: Spec, some: Iterable[Entry] | None = None) -> tuple[Named, ...]:
        """Return the names of every handler, in the spec's order; or those of some entries alone."""

    def new_names(
        self, package: tuple[str, str], spec: Spec, pairs: Collection[Pair]
    ) -> Mapping[str, str]:
        """Return the new names of modules, functions and types by the old ones, for the rewriter.

        `package` is the old and the new name of the package, `spec` the new one.
        """

    def code(self, spec: Spec) -> Code:
        """Return a checked spec as code."""

    def formatted(self, files: RenderedFiles, done: Mapping[RelPath, str]) -> RenderedFiles:
        """Return the files with formatted code; `done` has the texts that are known already.

        Raises ScaffoldError if files do not parse, with the template that rendered each.
        """

    @property
    def layout(self) -> str:
        """The options of the formatter. Text formatted with other options is not reused."""

    def faults(self, draft: Draft) -> Iterator[Finding]:
        """Yield a finding for each name in a spec that is not allowed in code."""

    @property
    def limits(self) -> Mapping[str, Limit]:
        """The limits that a pack may have, by the words in its `refuses`."""

    def is_taken(self, name: str) -> bool:
        """Return whether code already uses a name for something other than an error of a spec."""
