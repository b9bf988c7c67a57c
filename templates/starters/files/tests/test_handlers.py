"""Test the handlers as functions."""

from pathlib import Path

import pytest
from fake_context import FakeContext, fake_context

from starter._generated.errors import ResourceNotFound
from starter._generated.models import (
    FileArguments,
    SearchFilesArguments,
    SearchFilesMatch,
    SearchFilesResult,
)
from starter._generated.settings import SettingsError
from starter.folder import MAX_BYTES, Folder
from starter.lifespan import Shared, lifespan
from starter.resources.file import file
from starter.resources.files import files
from starter.tools.search_files import search_files


@pytest.fixture
def context(tmp_path: Path) -> FakeContext:
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
    return fake_context(shared=Shared(Folder(root)))


def test_the_files_are_listed_by_their_uris(context: FakeContext) -> None:
    assert files(context) == (
        "folder://files/drinks/tea.md\nfolder://files/shopping%20list.md"
    )


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("drinks/tea.md", "Green tea\nBlack tea\n"),
        ("shopping list.md", "Bread\nTea\n"),
    ],
)
def test_a_file_is_read(context: FakeContext, path: str, text: str) -> None:
    assert file(FileArguments(path=path), context) == text


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
def test_what_is_no_text_file_in_the_folder_is_not_found(
    context: FakeContext, path: str
) -> None:
    with pytest.raises(ResourceNotFound):
        file(FileArguments(path=path), context)


def test_a_search_finds_lines_whatever_their_case(context: FakeContext) -> None:
    tea, shopping = "folder://files/drinks/tea.md", "folder://files/shopping%20list.md"
    assert search_files(SearchFilesArguments(text="TEA"), context) == SearchFilesResult(
        matches=[
            SearchFilesMatch(uri=tea, line=1, text="Green tea"),
            SearchFilesMatch(uri=tea, line=2, text="Black tea"),
            SearchFilesMatch(uri=shopping, line=2, text="Tea"),
        ],
        more=False,
    )


@pytest.mark.parametrize(("limit", "more"), [(2, True), (3, False)])
def test_a_search_ends_at_its_limit(
    context: FakeContext, limit: int, more: bool
) -> None:
    result = search_files(SearchFilesArguments(text="tea", limit=limit), context)
    assert (len(result.matches), result.more) == (limit, more)


@pytest.mark.anyio
async def test_a_folder_that_does_not_exist_is_a_wrong_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FILES_FOLDER", str(tmp_path / "none"))
    with pytest.raises(SettingsError, match="^FILES_FOLDER: there is no folder"):
        async with lifespan():
            pass
