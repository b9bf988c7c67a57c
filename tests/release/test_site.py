"""The site is built by its workflow, has every page, and what a newcomer looks for is found."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import click
import pytest

from scaffold.cli.main import main
from scaffold.format.schema import json_schema
from tests import workflow
from tests.generated import REPOSITORY
from tests.release import test_workflows
from tests.release.test_workflows import WORKFLOWS, Host

pytestmark = pytest.mark.usefixtures("starts_programs")

CONTEXT = {
    **test_workflows.CONTEXT,
    "steps.deployment.outputs.page_url": "https://docs.example.org",
}


@pytest.fixture(scope="module")
def site(starts_programs: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, as the workflow uploads it."""
    folder = tmp_path_factory.mktemp("site")
    host = Host(folder / "host")

    def check_out(folder: Path, inputs: Mapping[str, str]) -> None:
        host.check_out(folder, inputs)
        (folder / ".venv").symlink_to(REPOSITORY / ".venv")
        (folder / ".ci/setup").write_text("#!/bin/sh\n")

    actions = {**host.actions, "actions/checkout": check_out}
    docs = workflow.read(WORKFLOWS / "docs.yml")
    env = {**host.env, "GITHUB_REPOSITORY": "acme/mcp-scaffold"}
    [(command, completed)] = workflow.run(docs, folder / "jobs", env, actions, CONTEXT)
    assert command == ".ci/site"
    assert not completed.returncode, completed.stdout + completed.stderr
    return folder / "host/artifact"


def text(site: Path, page: str) -> str:
    """Return the text of a page without its tags."""
    html = (site / page / "index.html").read_text("utf-8")
    return re.sub(r"<[^>]+>", "", html)


def test_every_page_of_the_docs_is_in_the_navigation(site: Path) -> None:
    start = (site / "index.html").read_text("utf-8")
    for path in (REPOSITORY / "docs").glob("*.md"):
        name = "contents" if path.stem == "README" else path.stem
        assert f'href="./{name}/"' in start, name


def test_links_to_files_lead_to_the_repository(site: Path) -> None:
    page = (site / "gallery/index.html").read_text("utf-8")
    assert 'href="https://github.com/acme/mcp-scaffold/blob/main/specs/weather.yaml"' in page
    assert 'href="https://github.com/acme/mcp-scaffold/tree/main/examples/weather"' in page


def test_each_key_of_the_spec_is_described_by_its_schema(site: Path) -> None:
    page = text(site, "spec-keys")
    for name, schema in json_schema()["properties"].items():
        assert name in page
        assert schema.get("description", "").partition("`")[0] in page


def test_each_command_is_shown_with_its_help(site: Path) -> None:
    page = text(site, "commands")
    for name in main.list_commands(click.Context(main)):
        assert f"Usage: mcp-scaffold {name} " in page


@pytest.mark.parametrize(
    ("words", "page"),
    [
        ("Report a vulnerability", "security"),
        ("Windows", "platforms"),
        ("Python versions", "platforms"),
        ("renamedFrom", "spec-keys"),
        ("changelog", "changelog"),
        ("the version on the index or the commit in git", "running"),
        ("breaks-callers", "diagnostics"),
        ("clients install", "clients"),
        ("init --list", "gallery"),
        ("pack upgrade", "packs"),
    ],
)
def test_the_search_answers_questions_of_newcomers(site: Path, words: str, page: str) -> None:
    index = json.loads((site / "search.json").read_text("utf-8"))
    places = {
        item["location"].partition("#")[0].strip("/")
        for item in index["items"]
        if words.lower() in f"{item['title']} {item['text']}".lower()
    }
    assert page in places
