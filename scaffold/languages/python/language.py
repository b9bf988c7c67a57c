"""Python 3.11 and newer, as a `Language`.

Checking a spec needs little of it: modules that generate and format code are imported on use.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from scaffold.languages.python import errors, modules, names, text

if TYPE_CHECKING:
    from scaffold.base.files import RelPath, RenderedFiles
    from scaffold.format.spec import Entry, Spec
    from scaffold.languages.language import Code, Limit, Named, Pair


class Python:
    """See `Language`."""

    is_source = staticmethod(modules.is_source)
    package = staticmethod(modules.package)
    rewriter = staticmethod(modules.rewriter)
    definitions = staticmethod(modules.definitions)
    imports = staticmethod(modules.imports)
    possible_imports = staticmethod(modules.possible_imports)
    filters = text.FILTERS
    package_name = staticmethod(names.package_name)
    command_name = staticmethod(names.command_name)
    faults = staticmethod(errors.faults)
    is_taken = staticmethod(errors.is_taken)

    def named(self, spec: Spec, some: Iterable[Entry] | None = None) -> tuple[Named, ...]:
        from scaffold.languages.python import handlers

        return handlers.named(spec, some)

    def new_names(
        self, package: tuple[str, str], spec: Spec, pairs: Collection[Pair]
    ) -> Mapping[str, str]:
        from scaffold.languages.python import handlers

        return handlers.new_names(package, spec, pairs)

    def code(self, spec: Spec) -> Code:
        from scaffold.languages.python import code

        return code.code(spec)

    def formatted(self, files: RenderedFiles, done: Mapping[RelPath, str]) -> RenderedFiles:
        from scaffold.languages.python import format

        return format.formatted(files, done)

    @property
    def layout(self) -> str:
        from scaffold.languages.python import format

        return format.OPTIONS

    @property
    def limits(self) -> Mapping[str, Limit]:
        from scaffold.languages.python.stdlib import limits

        return limits.LIMITS
