"""MCP clients, read from the files in `data/`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct, convert, field
from msgspec.structs import replace

_DATA = Path(__file__).parent / "data"

Shape = Mapping[str, Any]
"""Data of a configuration, in which texts have slots such as `<url>`; see `shapes.py`."""


class Command(Struct, frozen=True, forbid_unknown_fields=True):
    """The arguments with which a client's own program adds a server for the user, and removes it.

    It is for clients whose file other programs cannot edit safely. The slots are `<name>` and
    `<json>`, which is the entry.
    """

    add: Sequence[str]
    remove: Sequence[str]


class Link(Struct, frozen=True, forbid_unknown_fields=True):
    """A link that adds a server to a client, with slots in the values of `query`, or in `url`.

    It is a web address if the client has one, since many pages remove other links. It is for the
    given `transports`, or if there are none, for all that the client supports. If it does not carry
    `variables`, it is only for servers that need none. `data` is what `<data>` holds. `runners` has,
    by the program that starts servers, the command that runs a package, for `<runner>`.
    """

    label: str
    url: str
    query: Shape = {}
    data: Shape = {}
    runners: Mapping[str, str] = {}
    variables: bool = True
    transports: Sequence[str] = ()


class Expansion(Struct, frozen=True, forbid_unknown_fields=True):
    """How a client replaces references to variables.

    `syntax` has the forms: `$NAME`, `${NAME}`, `${NAME:-DEFAULT}`, `${env:NAME}`, `{env:NAME}`, `${input:ID}`,
    `%NAME%`. `fields` are the fields that it looks at: `command`, `args`, `env`, `url`, `headers`. A
    reference to a variable that is not set stays `literal`, becomes `empty`, or is
    an `error`.
    """

    syntax: Sequence[str]
    fields: Sequence[Literal["command", "args", "env", "url", "headers"]]
    unset: Literal["literal", "empty", "error"]


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """What a client refuses.

    `start` is how long a server may take to start, in seconds. The entry can set it in its field
    `start_field`, in units of `start_unit` seconds. `name` is a pattern that names of servers match,
    and `reserved` are names that the client keeps for itself. Models see a tool under `tool`, with
    the slots `<name>` and `<tool>`, of at most `length` characters.
    """

    start: float | None = None
    start_field: str = ""
    start_unit: float = 1
    name: str | None = None
    reserved: Sequence[str] = ()
    tool: str = "<tool>"
    length: int | None = None


NO_LIMITS = Limits()


class Client(Struct, frozen=True, forbid_unknown_fields=True):
    """How to configure one client for a server; `data/ID.toml` holds exactly these fields.

    `name`: the product's name.
    `checked`: when these facts were last compared with its documentation.
    `version`: the version that was run with these facts, if any.
    `package`: its package on npm, if any.
    `format`: the format of its configuration: `json`, `jsonc` (JSON with comments), `toml`, `yaml`,
    or `form` for a dialog.
    `root`: the key under which the configuration maps server names to entries; empty for a form.
    `programs`: what is written before a program, if it does not see the PATH of a shell.
    `desktop`: whether it starts servers without the variables and the PATH of a shell.
    `inherits`: which of its own variables servers get: `all`, `no-secrets`, `few` or `unknown`.
    `handshake`: what it sends first, by transport: `server/discover`, or the version to initialize.
    `means`: how to add a server, best first: `command`, `project`, `file`, `bundle`, `link`.
    `running`: names of processes that lose changes to its file while they run.
    `files`: configuration file by place: `macos`, `windows`, `windows-msix`, `linux`, `project`.
    `moved`: the user's file, by environment variable that moves it; `<value>` is the variable's value.
    XDG_CONFIG_HOME counts only where the file is in `~/.config` otherwise.
    `where`: where a configuration goes that has no file of a known path, as Markdown.
    `beside`: what a new file holds besides the entries.
    `variable`: how to refer to a value outside the file, by kind of variable: `required`, `secret`
    (an optional one), `optional` and `default`. Variables of other kinds are listed by `<names>`.
    `expands`: how it replaces references to variables, if it does.
    `entry`: the entry by transport, in the client's field names.
    `shared`: the entry by transport in a project's file that other clients read too, where it differs.
    `also`: other words for the `type` of an entry, and what each means.
    `untyped`: the transport of an entry with an address and no `type`, where `entry` has a `type`;
    without it, the client leaves such entries out.
    `without`: why it cannot reach a server by a transport. If a transport is in neither of the two,
    the `stdio` entry starts a bridge to it.
    `inputs`: the shape of a value that the client prompts for, if it can.
    `links`: links that add a server.
    `program`: its program in the terminal, if it has one.
    `command`: the arguments with which this program adds and removes a server, where we use it.
    `refuses_mark`: whether it refuses a file that begins with a byte order mark.
    `limits`: what it refuses.
    `approval`: what users have to approve before it uses a server, by scope, as Markdown.
    `variables`: what users must know about variables, as Markdown.
    `notes`: what else they must know, as Markdown.
    """

    id: str
    name: str
    checked: str
    format: Literal["json", "jsonc", "toml", "yaml", "form"]
    root: str
    variable: Shape
    entry: Mapping[str, Shape]
    means: Sequence[Literal["command", "project", "file", "bundle", "link"]]
    version: str | None = None
    package: str | None = None
    programs: str = ""
    desktop: bool = False
    inherits: Literal["all", "no-secrets", "few", "unknown"] = "unknown"
    handshake: Mapping[str, Sequence[str]] = field(default_factory=dict)
    running: Sequence[str] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    moved: Mapping[str, str] = field(default_factory=dict)
    where: str = ""
    approval: Mapping[str, str] = field(default_factory=dict)
    variables: Sequence[str] = ()
    notes: Sequence[str] = ()
    beside: Mapping[str, Any] = field(default_factory=dict)
    shared: Mapping[str, Shape] = field(default_factory=dict)
    also: Mapping[str, str] = field(default_factory=dict)
    untyped: str = ""
    without: Mapping[str, str] = field(default_factory=dict)
    expands: Expansion | None = None
    inputs: Shape | None = None
    links: Sequence[Link] = ()
    program: str = ""
    command: Command | None = None
    refuses_mark: bool = False
    limits: Limits = NO_LIMITS

    def within(self, scope: str) -> Client:
        """Return the client with the entries that belong into its file of `user` or `project`."""
        return replace(self, entry={**self.entry, **self.shared}) if scope == "project" else self


def client_ids() -> tuple[str, ...]:
    """Return the ids of all known clients, sorted."""
    return tuple(sorted(file.stem for file in _DATA.glob("*.toml")))


@cache
def read_client(id: str) -> Client:
    """Return the known client with this id."""
    return convert({"id": id, **tomllib.loads((_DATA / f"{id}.toml").read_text("utf-8"))}, Client)


def read_clients() -> tuple[Client, ...]:
    """Return all known clients, sorted by id."""
    return tuple(map(read_client, client_ids()))
