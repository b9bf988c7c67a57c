"""What is known of each client: one value for each file in `data/`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class Client:
    """How one client wants to be told of a server; `data/ID.toml` holds exactly these fields.

    `name`: the product's name.
    `format`: the language of its configuration: `json`, or `jsonc` (JSON with comments).
    `root`: the key under which that file maps a server's name to its entry.
    `uv`: the command that starts uv there.
    `files`: place (`macos`, `windows`, `windows-msix`, `linux`, `project`) → file that it reads.
    `variable`: how a value that is not in the file is written, if `required` and if `optional`.
    `entry`: transport → the entry, in the client's own field names. A client that has none for a
    transport is given a bridge to it in its `stdio` entry.
    `inputs`: the shape of one value that the client asks its user for, where it can.
    `notes`: what else its users must know, as Markdown.

    A `<slot>` in `variable` or `inputs` is filled from the variable (`name`, `id`, `description`,
    `secret`), one in `entry` from the server (`command`, `args`, `env`; `url`, `headers`). A field
    whose slot has nothing to hold is left out.
    """

    id: str
    name: str
    format: str
    root: str
    uv: str
    files: Mapping[str, str]
    variable: Mapping[str, str]
    entry: Mapping[str, Mapping[str, object]]
    notes: Sequence[str]
    inputs: Mapping[str, object] | None = None


def read_clients() -> tuple[Client, ...]:
    """Every client that we know, by id."""
    return tuple(
        Client(id=path.stem, **tomllib.loads(path.read_text("utf-8")))
        for path in sorted(DATA.glob("*.toml"))
    )
