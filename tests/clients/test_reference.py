"""What is known about clients is what the reference table says, field by field.

The table is beside a developer's checkout. It was checked against the clients themselves or their documentation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.clients.test_snippets import (
    CLIENTS,
)

ENDED = {"windsurf-legacy", "roo-code", "continue", "amazon-q"}
"""Products in the reference table that are shut down or replaced."""


def short(transport: str) -> str:
    """Return the table's name of a transport."""
    return transport.removeprefix("streamable-")


@pytest.fixture(scope="module")
def reference(shared: Path) -> dict[str, Any]:
    """The verified clients of the reference table that are still maintained, by id."""
    table = yaml.safe_load((shared / "reference" / "clients.yaml").read_text("utf-8"))
    verified = {client["id"]: client for client in table["clients"] if client["verified"]}
    assert verified.keys() >= ENDED
    return {id: client for id, client in verified.items() if id not in ENDED}


def test_the_clients_are_those_of_the_reference(reference: dict[str, Any]) -> None:
    assert CLIENTS.keys() == reference.keys()


def fields(client: Mapping[str, Any], transport: str) -> dict[str, set[str]]:
    """Return the fields of an entry that the table lists, each with the values that it names."""
    listed = client["stdio_fields" if transport == "stdio" else "remote_fields"]
    found = (re.match(r"(\w+)(?:[=:] ?([\w|-]+))?", field) for field in listed)
    return {one[1]: set((one[2] or "").split("|")) - {""} for one in found if one}


@pytest.mark.parametrize("client", [id for id in CLIENTS if CLIENTS[id].shared])
def test_an_entry_that_clients_share_has_fields_of_the_reference(
    reference: dict[str, Any], client: str
) -> None:
    for transport, shape in CLIENTS[client].shared.items():
        known = fields(reference[client], transport)
        assert shape.keys() <= known.keys()
        assert shape["type"] in known["type"]


@pytest.mark.parametrize("client", CLIENTS)
def test_the_field_with_the_time_to_start_is_in_the_reference(
    reference: dict[str, Any], client: str
) -> None:
    assert {CLIENTS[client].limits.start_field} - {""} <= fields(reference[client], "stdio").keys()


@pytest.mark.parametrize("client", CLIENTS)
def test_a_handshake_is_that_of_the_reference(reference: dict[str, Any], client: str) -> None:
    told = re.sub(r"\(.*?\)|;[^:]*$", "", reference[client]["handshake"] or "")
    parts = re.split(r"; ", told)
    for transport, handshake in CLIENTS[client].handshake.items():
        (part,) = [one for one in parts if short(transport) in one.partition(":")[0]] or parts
        assert re.findall(r"server/discover|\d{4}-\d\d-\d\d", part) == [*handshake]
    assert bool(told) == bool(CLIENTS[client].handshake)


INHERITED = {
    "whole parent environment": "all",
    "secret-looking names removed": "no-secrets",
    "few": "few",
    "small safe list only": "few",
    "named variables only": "few",
}


@pytest.mark.parametrize("client", CLIENTS)
def test_what_a_server_inherits_is_that_of_the_reference(
    reference: dict[str, Any], client: str
) -> None:
    told = reference[client]["env_inherits"] or ""
    found = {kind for words, kind in INHERITED.items() if words in told} or {"unknown"}
    assert found == {CLIENTS[client].inherits}


@pytest.mark.parametrize("client", CLIENTS)
def test_links_begin_as_in_the_reference(reference: dict[str, Any], client: str) -> None:
    told = str(reference[client]["deeplink"])
    for link in CLIENTS[client].links:
        assert re.split(r"[?<]", link.url)[0] in told
        assert all(
            f"{name}=" in told for name in link.query if name != "quality"
        )  # cut short there


@pytest.mark.parametrize("client", [id for id, client in CLIENTS.items() if client.program])
def test_the_words_of_commands_are_those_of_the_reference(
    reference: dict[str, Any], client: str
) -> None:
    known = CLIENTS[client]
    told = re.findall(r"[\w-]+", reference[client]["add_command"])
    assert known.program in told
    assert not known.command or known.command.add[1] in told


@pytest.mark.parametrize("client", CLIENTS)
def test_references_to_variables_are_those_of_the_reference(
    reference: dict[str, Any], client: str
) -> None:
    known, told = CLIENTS[client].expands, reference[client]["env_syntax"] or ""
    forms = told.replace("VAR", "NAME").replace("default", "DEFAULT")
    for form in known.syntax if known else ():
        assert form in forms.partition("not expanded")[0]
    for field in known.fields if known and "headers" in told else ():
        assert field in told or "every string" in told
