"""Test the tool and the resources as a client uses them, on a folder of drinks."""

from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp_types import TextResourceContents

from starter._generated.server import create_server
from starter._generated.settings import SettingsError
from starter.folder import MAX_BYTES, Folder
from starter.lifespan import lifespan

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """A folder with two text files, beside a secret and among what is not served."""
    (tmp_path / "secret.txt").write_text("Tea is the password")
    root = tmp_path / "folder"
    (root / "drinks").mkdir(parents=True)
    (root / "shopping list.md").write_text("Bread\nTea\n")
    (root / "drinks" / "tea.md").write_text("Green tea\nBlack tea\n")
    (root / ".hidden.md").write_text("tea")
    (root / "large.md").write_text("tea" * MAX_BYTES)
    (root / "picture.png").write_bytes(b"\x89PNG tea")
    (root / "link.md").symlink_to(tmp_path / "secret.txt")
    monkeypatch.setenv("FILES_FOLDER", str(root))
    return Folder(root)


async def read(uri: str) -> str:
    async with Client(create_server()) as client:
        [content] = (await client.read_resource(uri)).contents
    assert isinstance(content, TextResourceContents)
    return content.text


async def search(**arguments: Any) -> Any:
    async with Client(create_server()) as client:
        return (await client.call_tool("search_files", arguments)).structured_content


async def test_the_files_are_listed_by_their_uris() -> None:
    assert await read("folder://files") == (
        "folder://files/drinks/tea.md\nfolder://files/shopping%20list.md"
    )


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("drinks/tea.md", "Green tea\nBlack tea\n"),
        ("shopping%20list.md", "Bread\nTea\n"),
    ],
)
async def test_a_file_is_read(path: str, text: str) -> None:
    assert await read(f"folder://files/{path}") == text


@pytest.mark.parametrize(
    "path",
    [
        "none.md",
        "drinks",
        "../secret.txt",
        "drinks/../../secret.txt",
        "link.md",
        ".hidden.md",
        "large.md",
        "picture.png",
    ],
)
async def test_what_is_no_text_file_in_the_folder_is_not_found(
    folder: Folder, path: str
) -> None:
    assert folder.read(path) is None
    async with Client(create_server()) as client:
        with pytest.raises(MCPError, match="not found"):
            await client.read_resource(f"folder://files/{path}")


async def test_a_search_finds_lines_whatever_their_case() -> None:
    tea, shopping = "folder://files/drinks/tea.md", "folder://files/shopping%20list.md"
    assert await search(text="TEA") == {
        "matches": [
            {"uri": tea, "line": 1, "text": "Green tea"},
            {"uri": tea, "line": 2, "text": "Black tea"},
            {"uri": shopping, "line": 2, "text": "Tea"},
        ],
        "more": False,
    }


@pytest.mark.parametrize(("limit", "more"), [(2, True), (3, False)])
async def test_a_search_ends_at_its_limit(limit: int, more: bool) -> None:
    result = await search(text="tea", limit=limit)
    assert (len(result["matches"]), result["more"]) == (limit, more)


async def test_a_folder_that_does_not_exist_is_a_wrong_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FILES_FOLDER", str(tmp_path / "none"))
    with pytest.raises(SettingsError, match="^FILES_FOLDER: there is no folder"):
        async with lifespan():
            pass
