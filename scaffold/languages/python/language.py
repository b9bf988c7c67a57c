"""Python as a `Language`. What is slow to import is imported when it is needed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from scaffold.languages.python import modules

if TYPE_CHECKING:
    from scaffold.base.files import RelPath, RenderedFiles
    from scaffold.base.text import Filters
    from scaffold.languages.language import Code, Limit, Named, Pair
    from scaffold.spec.draft import Draft
    from scaffold.spec.format import Entry, Spec
    from scaffold.yaml.finding import Finding


class Python:
    """Python 3.11 and newer; see `Language`."""

    is_source = staticmethod(modules.is_source)
    package = staticmethod(modules.package)
    rewriter = staticmethod(modules.rewriter)
    definitions = staticmethod(modules.definitions)
    imports = staticmethod(modules.imports)

    def filters(self) -> Filters:
        """Return `py`, `doc` and `identifier`."""
        from scaffold.languages.python import text

        return text.FILTERS

    def package_name(self, server: str) -> str:
        """Return the import name of a server."""
        from scaffold.languages.python import names

        return names.package_name(server)

    def command_name(self, server: str) -> str:
        """Return the name of a server's distribution and command."""
        from scaffold.languages.python import names

        return names.command_name(server)

    def named(self, spec: Spec, some: Iterable[Entry] | None = None) -> tuple[Named, ...]:
        """Return the names of handlers."""
        from scaffold.languages.python import handlers

        return handlers.named(spec, some)

    def new_names(
        self, package: tuple[str, str], spec: Spec, pairs: Collection[Pair]
    ) -> Mapping[str, str]:
        """Return the new dotted names of modules, functions and types, by old dotted name."""
        from scaffold.languages.python import handlers

        return handlers.new_names(package, spec, pairs)

    def code(self, spec: Spec) -> Code:
        """Return a spec as Python."""
        from scaffold.languages.python import code

        return code.code(spec)

    def formatted(self, files: RenderedFiles, done: Mapping[RelPath, str]) -> RenderedFiles:
        """Return the files as ruff formats them."""
        from scaffold.languages.python import format

        return format.formatted(files, done)

    def faults(self, draft: Draft) -> Iterator[Finding]:
        """Yield a finding for each name that Python cannot use."""
        from scaffold.languages.python import errors

        return errors.faults(draft)

    def limits(self) -> Mapping[str, Limit]:
        """Return what servers without libraries cannot do."""
        from scaffold.languages.python import limits

        return limits.LIMITS

    def is_taken(self, name: str) -> bool:
        """Return whether a name means something in the module of the errors."""
        from scaffold.languages.python import errors

        return errors.is_taken(name)
