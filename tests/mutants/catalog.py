"""The planted faults of `planted.toml`, read and checked against the sources."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, TemplateSyntaxError

REPOSITORY = Path(__file__).resolve().parents[2]
PLANTED = Path(__file__).parent / "planted.toml"


@dataclass(frozen=True, slots=True)
class Fault:
    """A wrong change to one file: `text`, which occurs there once, gives way to `instead`.

    At least one of `tests` (pytest's arguments) must fail on it. `why` says what goes wrong for
    users.
    """

    name: str
    file: str
    text: str
    instead: str
    tests: tuple[str, ...]
    why: str

    def planted(self, root: Path) -> str:
        """Return the file's text with the fault in it; raise ValueError where it is stale."""
        source = (root / self.file).read_text("utf-8")
        count = source.count(self.text)
        if count != 1:
            raise ValueError(f"{self.name}: its text occurs {count} times in {self.file}")
        changed = source.replace(self.text, self.instead)
        if changed == source:
            raise ValueError(f"{self.name}: it changes nothing")
        try:
            _parse(self.file, changed)
        except (SyntaxError, TemplateSyntaxError, tomllib.TOMLDecodeError) as error:
            raise ValueError(f"{self.name}: {self.file} no longer parses: {error}") from error
        return changed


def read_faults() -> Iterator[Fault]:
    """Yield every planted fault, in the order of the table."""
    for file in tomllib.loads(PLANTED.read_text("utf-8"))["file"]:
        for row in file["fault"]:
            yield Fault(file=file["path"], tests=tuple(file["tests"]), **row)


def _parse(file: str, text: str) -> None:
    if file.endswith(".py"):
        ast.parse(text)
    elif file.endswith(".j2"):
        Environment(autoescape=True).parse(text)
    elif file.endswith(".toml"):
        tomllib.loads(text)
