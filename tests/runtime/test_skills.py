"""Skills: what a host lists, verifies and reads is what was in the folder at the start."""

from __future__ import annotations

import json
from base64 import b64decode
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.server import Server
from mcp_types import Request
from pydantic import BaseModel, ConfigDict

from templates.python.runtime.command import SettingsError
from templates.python.runtime.skills import Skills
from templates.python.runtime.static_resources import StaticResources

pytestmark = pytest.mark.anyio

HEAD = "---\nname: notes\ndescription: Keep notes.\n---\n"
FILES = {
    "notes/SKILL.md": HEAD.encode(),
    "notes/references/a guide.md": "# Grüße\r\n".encode(),
    "notes/references/deep/logo.png": b"\x89PNG\xff",
    "notes/.hidden": b"x",
    "notes/__pycache__/run.pyc": b"x",
    "team/plans/SKILL.md": b"---\r\nname: plans\r\ndescription: Plan.\r\n---\r\n",
    "README.md": b"No part of a skill.",
}
NOTES, GUIDE = "skill://notes/SKILL.md", "skill://notes/references/a%20guide.md"
LOGO, PLANS = "skill://notes/references/deep/logo.png", "skill://team/plans/SKILL.md"


class Whole(BaseModel):
    """Any result, with all of its keys."""

    model_config = ConfigDict(extra="allow")


def written(folder: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def served(folder: Path) -> Server[Any]:
    skills = Skills(folder / "absent", folder)
    resources = StaticResources(skills.contents)
    on: dict[str, Any] = {"on_list_resources": resources.list, "on_read_resource": resources.read}
    server: Server[Any] = Server("served", version="1", **on)
    skills.attach(server)
    return server


async def ask(server: Server[Any], method: str, mode: str = "auto", **params: str) -> Any:
    """Return a result, or the code of the error."""
    async with Client(server, mode=mode) as client:
        request = Request[dict[str, str], str](method=method, params=params)
        try:
            return (await client.session.send_request(request, Whole)).model_dump()
        except MCPError as error:
            return error.error.code


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return written(tmp_path, FILES)


async def test_every_file_is_read_as_it_was_hashed_at_the_start(folder: Path) -> None:
    server = served(folder)
    (folder / "notes/SKILL.md").write_text("---\nname: other\n---\n")
    (folder / "notes/new.md").write_text("new")
    skills = (await ask(server, "skills/list"))["skills"]
    assert [skill["uri"] for skill in skills] == [NOTES, PLANS]
    files = {file["uri"]: file for skill in skills for file in skill["resources"]}
    assert files.keys() == {NOTES, GUIDE, LOGO, PLANS}
    got = await ask(server, "skills/get", uri=NOTES)
    assert {file["uri"] for file in got["skill"]["resources"]} == {NOTES, GUIDE, LOGO}
    assert got["skill"]["frontmatter"] == {"name": "notes", "description": "Keep notes."}
    assert (got["resultType"], got["cacheScope"], got["ttlMs"]) == ("complete", "public", 60_000)
    for uri, file in files.items():
        [content] = (await ask(server, "resources/read", uri=uri))["contents"]
        data = b64decode(content["blob"]) if "blob" in content else content["text"].encode()
        assert file["size"] == len(data)
        assert file["digest"] == f"sha256:{sha256(data).hexdigest()}"


async def test_directories_are_listed_level_by_level(folder: Path) -> None:
    server = served(folder)

    async def inside(uri: str) -> dict[str, str]:
        listed = (await ask(server, "resources/directory/read", uri=uri))["resources"]
        return {entry["uri"]: entry["mimeType"] for entry in listed}

    below, directory = "skill://notes/references", "inode/directory"
    assert await inside("skill://notes") == {NOTES: "text/markdown", below: directory}
    assert await inside(below) == {GUIDE: "text/markdown", f"{below}/deep": directory}
    assert await inside(f"{below}/deep") == {LOGO: "image/png"}
    assert await inside("skill://team") == {"skill://team/plans": directory}


DIRECTORY = "resources/directory/read"


@pytest.mark.parametrize(
    ("method", "params"),
    [
        *(("skills/list", {"cursor": "2"}), ("skills/get", {"uri": GUIDE}), ("skills/get", {})),
        *((DIRECTORY, {"uri": uri}) for uri in (NOTES, "skill://notes/", "skill://absent")),
        *(("resources/read", {"uri": f"skill://{n}"}) for n in ("notes/.hidden", "README.md")),
    ],
)
async def test_an_unknown_path_is_an_invalid_parameter(
    folder: Path, method: str, params: dict[str, str]
) -> None:
    assert await ask(served(folder), method, **params) == -32602


async def test_a_client_of_an_older_version_sees_plain_resources(folder: Path) -> None:
    server = served(folder)
    for method in ("skills/list", "skills/get", "resources/directory/read"):
        assert await ask(server, method, mode="legacy", uri=NOTES) == -32601
    extension = {"io.modelcontextprotocol/skills": {"directoryRead": True}}
    for mode, declared in (("legacy", None), ("auto", extension)):
        async with Client(server, mode=mode) as client:
            assert client.server_capabilities.extensions == declared
        listed = (await ask(server, "resources/list", mode=mode))["resources"]
        about = {"name": "notes", "description": "Keep notes.", "mimeType": "text/markdown"}
        assert listed[0] == {"uri": NOTES, **about}
        assert [resource["uri"] for resource in listed] == [NOTES, PLANS]
        assert (await ask(server, "resources/read", mode=mode, uri=GUIDE))["contents"]


async def test_frontmatter_is_read_as_yaml_1_2(tmp_path: Path) -> None:
    plain = "answer: yes\nday: 2026-11-26\ntime: 1:30\nmany: 1_000\nno: n\nhex: 0x1F"
    other = "none: null\nempty:\non: true\nwhole: 12\npart: 1.5\nlist: [a, 2]"
    head = f"---\nname: notes\ndescription: x\n{plain}\n{other}\n---\n"
    skills = Skills(written(tmp_path, {"notes/SKILL.md": head.encode()}))
    frontmatter = skills.skills[NOTES]["frontmatter"]
    texts = {"answer": "yes", "day": "2026-11-26", "time": "1:30", "many": "1_000", "no": "n"}
    values = {"none": None, "empty": None, "on": True, "whole": 12, "part": 1.5, "list": ["a", 2]}
    about = {"name": "notes", "description": "x", "hex": "0x1F"}
    assert frontmatter == {**about, **texts, **values}
    assert json.dumps(frontmatter)


@pytest.mark.parametrize("text", [b"# Notes", b"---\nname: notes\n---\n", b"---\nname: [\n---\n"])
def test_a_server_does_not_start_with_a_broken_skill(tmp_path: Path, text: bytes) -> None:
    with pytest.raises(SettingsError, match=r"notes/SKILL\.md"):
        Skills(written(tmp_path, {"notes/SKILL.md": text}))
    with pytest.raises(SettingsError, match="absent is not a folder"):
        Skills(tmp_path / "absent")


def test_a_symlink_is_not_followed(tmp_path: Path) -> None:
    folder = written(tmp_path / "skills", FILES)
    secret = written(tmp_path, {"secret.txt": b"s", "out/more.txt": b"m"})
    (folder / "notes/secret.txt").symlink_to(secret / "secret.txt")
    (folder / "notes/out").symlink_to(secret / "out")
    assert Skills(folder).contents.keys() == {NOTES, GUIDE, LOGO, PLANS}
