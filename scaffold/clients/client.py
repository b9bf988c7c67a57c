"""MCP clients, read from the files in `data/`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class Client:
    """How to configure one client for a server; `data/ID.toml` holds exactly these fields.

    `name`: the product's name.
    `format`: the format of its configuration: `json`, or `jsonc` (JSON with comments).
    `root`: the key under which the configuration maps server names to entries.
    `uv`: the command that starts uv.
    `files`: configuration file by place: `macos`, `windows`, `windows-msix`, `linux`, `project`.
    `variable`: how to refer to a value outside the file, if `required` and if `optional`.
    `entry`: the entry by transport, in the client's field names. If a transport has none, the
    `stdio` entry starts a bridge to it.
    `inputs`: the shape of a value that the client prompts for, if it can.
    `notes`: what else users must know, as Markdown.

    A `<slot>` in `variable` or `inputs` is filled from the variable (`name`, `id`, `description`,
    `secret`), and a slot in `entry` from the server (`command`, `args`, `env`; `url`, `headers`).
    A field with an empty slot is left out.
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
    """Return all known clients, sorted by id."""
    return tuple(
        Client(id=path.stem, **tomllib.loads(path.read_text("utf-8")))
        for path in sorted(DATA.glob("*.toml"))
    )
