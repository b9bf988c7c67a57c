"""The files about clients say what the rest of the program understands."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from scaffold.clients.client import Client, client_ids, read_clients

CLIENTS = read_clients()


@pytest.mark.parametrize("client", CLIENTS, ids=client_ids())
def test_the_facts_about_a_client_fit_together(client: Client) -> None:
    assert bool(client.root) == (client.format != "form")
    assert ("command" in client.means) == (client.command is not None)
    assert ("link" in client.means) == bool(client.links)
    assert "project" not in (*client.means, *client.approval) or "project" in client.files
    assert "file" not in client.means or set(client.files) - {"project"}
    assert not client.files or client.format in ("json", "jsonc", "toml"), "a format that is edited"
    assert not client.command or client.program
    assert client.approval.keys() <= {"user", "project"}
    assert set(client.variable) <= {"required", "secret", "optional", "default"}
    for part in (client.entry, client.without, client.handshake):
        assert set(part) <= {"stdio", "streamable-http", "sse"}
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", client.checked)


def test_every_field_is_explained() -> None:
    explained = re.findall(r"^    `(\w+)`: ", Client.__doc__ or "", re.MULTILINE)
    assert sorted([*explained, "id"]) == sorted(Client.__struct_fields__)


def row(client: Client) -> str:
    def reach(transport: str) -> str:
        if transport in client.without:
            return "no"
        return "yes" if transport in client.entry else "bridge"

    reference = client.variable.get("required", "")
    by_reference = f"`{reference.replace('<name>', 'NAME').replace('<id>', 'ID')}`"
    value = {"": "by name", "<value>": "value"}.get(reference, by_reference)
    cells = [
        f"{client.name} (`{client.id}`)",
        *map(reach, ("stdio", "streamable-http", "sse")),
        value if "stdio" in client.entry else "no",
        "yes" if client.links else "no",
        ", ".join(filter(None, [client.version, client.checked])),
    ]
    return f"| {' | '.join(cells)} |"


def test_the_documentation_lists_every_client() -> None:
    page = (Path(__file__).parents[2] / "docs" / "clients.md").read_text("utf-8")
    listed = [line for line in page.splitlines() if line.startswith("| ") and "(`" in line]
    assert listed == [row(client) for client in CLIENTS]


FILES = Counter((place, file) for client in CLIENTS for place, file in client.files.items())


@pytest.mark.parametrize("place", [place for place, count in FILES.items() if count > 1], ids=str)
def test_clients_that_share_a_file_write_the_same_entries(place: tuple[str, str]) -> None:
    scope = "project" if place[0] == "project" else "user"
    sharing = [client for client in CLIENTS if place in client.files.items()]
    first, *others = (client.within(scope).entry for client in sharing)
    assert all(other == first for other in others)
