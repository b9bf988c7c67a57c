"""The interface to a programming language, for the stages that know the spec."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from scaffold.files import RelPath, RenderedFiles
from scaffold.project.model import Existing, HttpRequest, Plain
from scaffold.spec.format import DomainError, Entry, Spec, Variable
from scaffold.spec.handled import Handled
from scaffold.text import Filters


class Code(Struct, frozen=True, kw_only=True):
    """A handler in code, with attributes of `Handler` in the template contract."""

    function: str
    module: str
    alias: str
    arguments_type: str
    result_type: str
    signature: str
    row: str
    passed_on: str
    existing: Existing | None


class Coded(Protocol):
    """A handler and its code; `sources` define its types, except those of earlier handlers."""

    @property
    def of(self) -> Handled: ...

    @property
    def code(self) -> Code: ...

    @property
    def request(self) -> HttpRequest | None: ...

    @property
    def sources(self) -> Sequence[str]: ...


class Named(Struct, frozen=True):
    """A spec entry with a handler, and the handler's names; `kind` is its folder."""

    kind: str
    about: str
    entry: Entry
    module: str
    function: str
    type_name: str


class View(Protocol):
    """A programming language as templates and renames see it; a module of functions can be one.

    `filters` quote free text for code. `entry_point` is the file of a package that starts it.
    """

    filters: Filters
    entry_point: str

    def package_name(self, server: str) -> str:
        """Return the name of a server's package."""

    def command_name(self, server: str) -> str:
        """Return the name of a server's distribution and command."""

    def attributes(self, variables: Iterable[str]) -> Mapping[str, str]:
        """Return the attribute of each environment variable."""

    def handlers(self, spec: Spec, package: str) -> Sequence[Coded]:
        """Return the handlers of a spec, in its order."""

    def plain(self, spec: Spec, package: str) -> Plain:
        """Return the code of a server without dependencies."""

    def named(self, spec: Spec) -> Sequence[Named]:
        """Return the names of every handler, in the order of the spec."""

    def new_names(
        self,
        package: tuple[str, str],
        spec: Spec,
        pairs: Iterable[tuple[Named, Named]],
    ) -> Mapping[str, str]:
        """Return the new names in code by the old ones; `spec` is the new one.

        `package` is the old and the new name of the package; `pairs` are handlers before and after.
        """

    def literal(self, value: object) -> str:
        """Return the literal of a JSON value."""

    def unset(self, variable: Variable) -> str:
        """Return the value of a variable that is not set; empty if it is required."""

    def filled(self, value: object, attributes: Mapping[str, str]) -> str:
        """Return the expression of a text, a list or a mapping of texts.

        In each text, `${VARIABLE}` stands for a setting; `attributes` are those of the variables.
        """

    def type_of(self, values: Iterable[object]) -> str:
        """Return the type of a value that equals one of these."""

    def constructor(self, error: DomainError) -> str:
        """Return the signature of the constructor of an error."""

    def message_passed_on(self, error: DomainError) -> str:
        """Return the call by which the constructor passes its message on."""

    def formatted(self, files: RenderedFiles, done: Mapping[RelPath, str]) -> RenderedFiles:
        """Return the files with formatted code; `done` holds the texts that already are.

        Raises ScaffoldError for code that does not parse.
        """
