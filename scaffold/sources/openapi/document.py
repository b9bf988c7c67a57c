"""An OpenAPI document and the files beside it, through which all references are followed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.diagnostics.wording import quote
from scaffold.schema.resolver import item
from scaffold.sources.documents import of_file, value_of
from scaffold.yaml.document import tokens

FILES = 5_000
"""The maximum number of files."""

STEPS = 32
"""The maximum length of a chain of references."""


class BrokenError(Exception):
    """A part of the document cannot be used; the text is the end of a sentence."""


class Part(Struct, frozen=True):
    """A value in a document, and the file that it is in: references in it are relative to that."""

    value: Any
    file: str

    def at(self, *keys: str) -> Part:
        """Return the part below these keys; its value is None if there is none."""
        value = self.value
        for key in keys:
            value = value.get(key) if isinstance(value, Mapping) else None
        return Part(value, self.file)

    def text(self, key: str) -> str:
        """Return the text below a key, empty if there is none."""
        value = self.at(key).value
        return value.strip() if isinstance(value, str) else ""

    def items(self, *keys: str) -> Iterator[tuple[str, Part]]:
        """Yield the parts below keys that hold a mapping."""
        items = self.at(*keys).value
        for name, value in items.items() if isinstance(items, Mapping) else ():
            yield str(name), Part(value, self.file)

    def list(self, key: str) -> Iterator[Part]:
        """Yield the items of the list below a key."""
        values = self.at(key).value
        for value in values if isinstance(values, list) else ():
            yield Part(value, self.file)


class Reference(Struct, frozen=True):
    """Where a reference leads: a file, and the JSON Pointer in it."""

    file: str
    pointer: str


@dataclass(frozen=True)
class Document:
    """A document of OpenAPI 3.0 or 3.1.

    `folder` is where its relative files are; without one, there are none. `remarks` are on what is
    not as in the document, and `faults` of it are what the spec lacks, each there once.
    """

    source: str
    value: Mapping[str, Any]
    folder: Path | None
    remarks: dict[str, None] = field(default_factory=dict, init=False)
    faults: dict[str, None] = field(default_factory=dict, init=False)
    _files: dict[str, Any] = field(default_factory=dict, init=False)
    _resources: dict[str, Any] = field(default_factory=dict, init=False)
    _expanded: dict[int, Any] = field(default_factory=dict, init=False)
    _sections: dict[tuple[str, ...], Part] = field(default_factory=dict, init=False)

    @property
    def root(self) -> Part:
        """The whole document."""
        return Part(self.value, "")

    @property
    def is_3_0(self) -> bool:
        """Whether schemas are those of OpenAPI 3.0, which are not quite JSON Schemas."""
        return str(self.value.get("openapi", "")).startswith("3.0")

    def section(self, *keys: str) -> Part:
        """Return the part below these keys, each of which may hold a reference to a file."""
        if not keys:
            return self.root
        if keys not in self._sections:
            part = self._sections[keys] = self.section(*keys[:-1]).at(keys[-1])
            try:
                part = self.followed(part)
            except BrokenError as error:
                self.fault(f"`{'.'.join(keys)}` was left out: {error}")
                part = Part(None, "")
            self._sections[keys] = part
        return self._sections[keys]

    def remark(self, text: str) -> None:
        """Remember what was changed or left out."""
        self.remarks[text] = None

    def fault(self, text: str) -> None:
        """Remember what is wrong with the document."""
        self.faults[text] = None

    def target(self, reference: str, file: str) -> Reference:
        """Return where a reference in a file leads. Raises BrokenError if it leads nowhere."""
        address, _, fragment = reference.partition("#")
        if fragment and not fragment.startswith("/"):
            raise BrokenError(f"{quote(reference)} is not a JSON Pointer")
        return Reference(self._file(address, file) if address else file, unquote(fragment))

    def part(self, target: Reference) -> Part:
        """Return the part that a reference leads to. Raises BrokenError if there is none."""
        here = Part(self._value(target.file), target.file)
        path = tuple(tokens(target.pointer))
        for number, token in enumerate(path):
            if not target.file and path[0] == "components" and number in (1, 2):
                here = self.section(*path[:number])
            value = item(here.value, token)
            if value is None:
                _, _, id_ = target.file.partition("#")
                place = f" in the schema with the `$id` {quote(id_)}" if id_ else ""
                raise BrokenError(f"`#{target.pointer}` does not exist{place}")
            here = self.resource(Part(value, here.file))
        return here

    def resource(self, part: Part) -> Part:
        """Return a part; references in a schema with an `$id` lead into that schema itself."""
        own = part.at("$id").value
        if self.is_3_0 or not isinstance(own, str) or own.startswith("#"):
            return self._with_properties(part)
        name = f"{part.file.partition('#')[0]}#{own}"
        self._resources[name] = part.value
        return self._with_properties(Part(part.value, name))

    def _with_properties(self, part: Part) -> Part:
        """Return a schema whose `properties` are a reference with those that it leads to."""
        properties = part.at("properties")
        if not isinstance(properties.at("$ref").value, str):
            return part
        if id(part.value) not in self._expanded:
            try:
                value = self.followed(properties).value
            except BrokenError as error:
                self.fault(str(error))
                value = {}
            self._expanded[id(part.value)] = {**part.value, "properties": value}
        return Part(self._expanded[id(part.value)], part.file)

    def followed(self, part: Part) -> Part:
        """Return what a part refers to, or itself. Raises BrokenError if it leads nowhere."""
        for _ in range(STEPS):
            reference = part.at("$ref").value
            if not isinstance(reference, str):
                return self.resource(part)
            part = self.part(self.target(reference, part.file))
        raise BrokenError(f"{quote(reference)} refers to itself")

    def in_place(self, part: Part, *keywords: str) -> Iterator[Part]:
        """Yield what a schema refers to, or itself, and all in the lists of some of its keywords.

        They are about the same value. Those that lead nowhere are left out.
        """
        waiting, seen = [part], set[int]()
        for each in waiting:  # grows
            with suppress(BrokenError):
                here = self.followed(each)
                if id(here.value) not in seen:
                    seen.add(id(here.value))
                    yield here
                    waiting += [child for key in keywords for child in here.list(key)]

    def _value(self, file: str) -> Any:
        if file in self._resources:
            return self._resources[file]
        return self._files[file] if file else self.value

    def _file(self, address: str, file: str) -> str:
        """Return the path of a file below the folder, which is read if it was not before."""
        if self.folder is None or urlsplit(address).scheme or address.startswith(("/", "\\")):
            raise BrokenError(f"{quote(address)} is another document, and is not fetched")
        root = self.folder.resolve()
        try:
            path = (root / Path(file.partition("#")[0]).parent / unquote(address)).resolve()
        except (ValueError, OSError):
            raise BrokenError(f"{quote(address)} is not the address of a file") from None
        if not path.is_relative_to(root):
            outside = f"{quote(address)} is outside the directory of the document"
            raise BrokenError(f"{outside}: bundle them into one file")
        name = path.relative_to(root).as_posix()
        if name == Path(urlsplit(self.source).path).name:
            return ""
        if name not in self._files:
            if len(self._files) == FILES:
                raise BrokenError(f"the document has more than {FILES} files")
            odd: list[str] = []
            try:
                self._files[name] = value_of(of_file(path), str(path), odd)
            except ScaffoldError as error:
                fault = error.diagnostics[0]
                line = f", line {fault.place.line}" if fault.place and fault.place.line else ""
                raise BrokenError(f"{quote(name)}{line}: {fault.message}") from None
            for remark in odd:
                self.remark(f"{name}: {remark}")
        return name
