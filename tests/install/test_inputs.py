"""Values that a client prompts for are added to its list, and leave with the entry."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scaffold.clients.client import read_client
from scaffold.clients.entry import Entry
from scaffold.editing.json import Json
from scaffold.install.configuration import Configuration
from tests.install.layouts import remains
from tests.install.machines import TOKEN, Desk

OURS = {
    "type": "promptString",
    "id": "ours.blog-token",
    "description": "Token",
    "password": True,
}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk.at(tmp_path, TOKEN)


def write(desk: Desk, text: str) -> Path:
    path = desk.home / ".config/Code/User/mcp.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(text.encode())
    return path


def inputs(path: Path) -> list[object]:
    return [*Json(comments=True).items(path.read_text("utf-8"), "inputs")]


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        '{"inputs": [ ], "servers": {}}',
        '{\r\n\t"inputs": [ // mine\r\n\t\t{"id": "a"}, // last\r\n\t],\r\n\t"servers": {},\r\n}\r\n',
        '{"servers":{"x":{}},"inputs":[{"id":"a"}]}',
        '{\n  "servers": {\n    "x": {} /* y */\n  } // end\n}',
    ],
)
@pytest.mark.parametrize("meanwhile", [False, True], ids=["alone", "after another program"])
def test_inputs_come_and_go_with_the_entry(desk: Desk, text: str, meanwhile: bool) -> None:
    path = write(desk, text)
    others = inputs(path)
    desk.install("vscode", "user", "file")
    assert inputs(path) == [*others, OURS]
    if meanwhile:
        path.write_bytes(path.read_bytes() + b" // theirs")
    desk.remove("vscode")
    assert inputs(path) == others
    if meanwhile:
        assert path.read_bytes().endswith(b" // theirs")
        assert remains("".join(path.read_text().split()), "".join(text.split()))
    else:
        assert path.read_bytes() == text.encode()


def test_an_input_that_another_entry_asks_for_stays(desk: Desk) -> None:
    path = write(desk, "{}")
    desk.install("vscode", "user", "file")
    configuration = Configuration.read(path, read_client("vscode"))
    path.write_bytes(
        configuration.put("theirs", Entry({}, {"url": "${input:ours.blog-token}"}, (), ()))
    )
    desk.remove("vscode")
    assert json.loads(path.read_text()) == {
        "inputs": [OURS],
        "servers": {"theirs": {"url": "${input:ours.blog-token}"}},
    }


def test_an_existing_input_is_reused(desk: Desk) -> None:
    path = write(desk, json.dumps({"inputs": [{**OURS, "description": "mine"}]}))
    before = path.read_bytes()
    desk.install("vscode", "user", "file")
    assert len(inputs(path)) == 1
    path.write_bytes(path.read_bytes() + b"\n")
    desk.remove("vscode")
    assert json.loads(path.read_bytes()) == {**json.loads(before), "servers": {}}
