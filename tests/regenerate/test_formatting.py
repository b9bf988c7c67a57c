"""A file is formatted again only if its template prints something else, or its text is lost."""

from __future__ import annotations

import pytest

from tests.regenerate.living import Living

SERVER = "src/blog/_generated/server.py"


@pytest.fixture
def without_ruff(blog: Living, monkeypatch: pytest.MonkeyPatch) -> Living:
    """A project, and from now on a formatter that fails whenever it is asked."""
    monkeypatch.setattr("scaffold.languages.python.format.find_ruff_bin", lambda: "false")
    return blog


def test_an_edit_that_changes_no_code_formats_none(without_ruff: Living) -> None:
    without_ruff.edit(lambda spec: spec.update(clients=["cursor"]))
    without_ruff.regenerate()
    assert (without_ruff.root / "clients/cursor.json").exists()
    assert not (without_ruff.root / "clients/vscode.json").exists()


@pytest.mark.usefixtures("starts_programs")
def test_code_that_changes_is_formatted(without_ruff: Living) -> None:
    without_ruff.edit(lambda spec: spec["tools"][0].update(timeout=5))
    assert "ruff could not format" in without_ruff.run().stderr


def test_a_file_that_was_edited_can_be_had_as_it_was(blog: Living) -> None:
    text = blog.read(SERVER)
    blog.write(SERVER, text + "# mine\n")
    blog.edit(lambda spec: spec.update(version="2.0.0"))
    assert blog.run().exit_code == 1
    blog.regenerate("--force", SERVER)
    assert blog.read(SERVER) == text
