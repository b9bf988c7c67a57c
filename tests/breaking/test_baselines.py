"""What a spec is compared with: a revision, a spec, a tool list or a project, or an error."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.command import Ended
from tests.teams.building import needs_git, run

TOOL = {"name": "search", "description": "Search.", "inputSchema": {"type": "object"}}
FETCH = {"name": "fetch", "description": "Fetch.", "inputSchema": {"type": "object"}}


def spec(*tools: Mapping[str, Any], version: str = "1.0.0", **more: Any) -> str:
    return json.dumps({"name": "demo", "version": version, "tools": tools, **more})


def against(
    baseline: object, cwd: Path, *options: str, env: Mapping[str, str] | None = None
) -> Ended:
    command = ("breaking", "mcp.yaml", "--against", baseline, "--format", "json", *options)
    return run(*command, cwd=cwd, env=env)


def ids(ended: Ended) -> set[str]:
    """The ids of what was found, after checking that the specs were compared."""
    assert ended.code in (0, 1), ended.out + ended.err
    return {change["id"] for change in json.loads(ended.out)["changes"]}


def faults(ended: Ended) -> list[str]:
    """The messages of a command that could not compare."""
    assert ended.code == 2, ended.out
    return [one["message"] for one in json.loads(ended.out)["diagnostics"]]


def git(folder: Path, *arguments: str) -> str:
    author = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    clean = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    command = ["git", *author, *arguments]
    done = subprocess.run(
        command, cwd=folder, env=clean, capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.fixture
def repository(starts_programs: None, tmp_path: Path) -> Path:
    """A repository whose branch `main` and tag `v1.0.0` have two tools, and whose work tree has one."""
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    (folder / "mcp.yaml").write_text(spec(TOOL, FETCH))
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "First")
    git(folder, "tag", "v1.0.0")
    (folder / "mcp.yaml").write_text(spec(TOOL, version="2.0.0"))
    return folder


@needs_git
class TestRevisions:
    def test_the_last_commit_is_the_default(self, repository: Path) -> None:
        ended = run("breaking", "--format", "json", "mcp.yaml", cwd=repository)
        assert ids(ended) == {"tool-removed"}
        assert json.loads(ended.out)["baseline"] == "git:HEAD"

    @pytest.mark.parametrize("name", ["main", "v1.0.0", "main@{0}"])
    def test_a_branch_a_tag_or_an_expression(self, repository: Path, name: str) -> None:
        assert ids(against(f"git:{name}", repository)) == {"tool-removed"}

    def test_the_spec_may_be_in_a_directory_and_be_named_from_elsewhere(
        self, repository: Path, tmp_path: Path
    ) -> None:
        folder = repository / "servers/ü b"
        folder.mkdir(parents=True)
        (folder / "mcp.yaml").write_text(spec(TOOL, FETCH))
        git(repository, "add", ".")
        git(repository, "commit", "--quiet", "--message", "Second")
        (folder / "mcp.yaml").write_text(spec(TOOL, version="2.0.0"))
        command = ("breaking", folder, "--against", "git:HEAD", "--format", "json")
        assert ids(run(*command, cwd=tmp_path)) == {"tool-removed"}

    @pytest.mark.parametrize(
        "name", ["gone", "HEAD~1", "--output=x", "main..HEAD", "HEAD:mcp.yaml", "a b", "^main"]
    )
    def test_one_that_is_not_there_is_an_error(self, repository: Path, name: str) -> None:
        before = sorted(repository.rglob("*"))
        [message] = faults(against(f"git:{name}", repository))
        assert message == f"the repository has no revision `{name}`"
        assert sorted(repository.rglob("*")) == before

    def test_a_revision_without_the_spec_can_be_allowed(self, repository: Path) -> None:
        (repository / "other.yaml").write_text(
            spec(TOOL, breaking={"accept": [{"id": "tool-removed", "where": "/x", "reason": "Y."}]})
        )
        ended = run("breaking", "other.yaml", "--against", "git:main", cwd=repository)
        assert "there is no `other.yaml` at the revision `main`" in ended.err
        command = ("breaking", "other.yaml", "--against", "git:main", "--allow-new", "--format")
        ended = run(*command, "json", cwd=repository)
        assert (ended.code, ids(ended)) == (0, {"spec-added"})
        assert json.loads(ended.out)["version"] == {"old": None, "new": "1.0.0", "next": None}
        new = "the spec is new: there is no `other.yaml` at the revision `main`"
        said = {form: run(*command, form, cwd=repository).out for form in ("human", "markdown")}
        assert said["human"] == f"note[spec-added] {new}\n\nnothing to compare\n"
        assert said["markdown"].startswith("### No older version of the server\n")
        assert new in said["markdown"]

    @pytest.mark.usefixtures("starts_programs")
    def test_so_can_a_repository_without_a_commit(self, tmp_path: Path) -> None:
        git(tmp_path, "init", "--quiet")
        (tmp_path / "mcp.yaml").write_text(spec(TOOL))
        [message] = faults(against("git:HEAD", tmp_path))
        assert message == "the repository has no commit yet"
        assert ids(against("git:HEAD", tmp_path, "--allow-new")) == {"spec-added"}

    @pytest.mark.parametrize("name", ["git:gone", "gone.yaml", "git:HEAD"])
    def test_nothing_else_is_allowed_with_it(self, name: str, repository: Path) -> None:
        (repository / "mcp.yaml").write_text("name: demo\n")
        git(repository, "commit", "--quiet", "--all", "--message", "Broken")
        (repository / "mcp.yaml").write_text(spec(TOOL))
        ended = against(name, repository, "--allow-new")
        assert faults(ended)
        [first, *_] = json.loads(ended.out)["diagnostics"]
        assert first["path"] == ("git:HEAD:mcp.yaml" if name == "git:HEAD" else name)

    @pytest.mark.usefixtures("starts_programs")
    def test_no_repository_is_an_error(self, tmp_path: Path) -> None:
        (tmp_path / "mcp.yaml").write_text(spec(TOOL))
        [message] = faults(
            against("git:main", tmp_path, env={"GIT_CEILING_DIRECTORIES": str(tmp_path)})
        )
        assert "not a git repository" in message

    @pytest.mark.parametrize("name", ["mcp.yam[l]", ":(top)mcp.yaml"])
    def test_names_of_files_are_no_patterns(self, repository: Path, name: str) -> None:
        (repository / name).write_text(spec(TOOL))
        command = ("breaking", name, "--against", "git:main", "--format", "json")
        [message] = faults(run(*command, cwd=repository))
        assert message == f"there is no `{name}` at the revision `main`"

    def test_nothing_that_the_repository_configures_is_run(
        self, repository: Path, tmp_path: Path
    ) -> None:
        ran = tmp_path / "ran"
        program = tmp_path / "program"
        program.write_text(f"#!/bin/sh\ntouch '{ran}'\ncat\n")
        program.chmod(0o755)
        (repository / ".gitattributes").write_text("* filter=x diff=x\n")
        (repository / ".git/hooks/post-checkout").write_text(program.read_text())
        for key in ("filter.x.smudge", "diff.x.textconv", "diff.external", "core.fsmonitor"):
            git(repository, "config", key, str(program))
        for key in ("core.pager", "pager.rev-parse", "alias.ls-tree", "core.sshCommand"):
            git(repository, "config", key, str(program))
        env = {"GIT_EXTERNAL_DIFF": str(program), "GIT_PAGER": str(program)}
        assert ids(against("git:main", repository, env=env)) == {"tool-removed"}
        assert not ran.exists()

    def test_objects_that_are_not_there_are_not_fetched(
        self, repository: Path, tmp_path: Path
    ) -> None:
        ran = tmp_path / "ran"
        git(repository, "config", "extensions.partialClone", "origin")
        git(repository, "config", "remote.origin.promisor", "true")
        git(repository, "config", "remote.origin.url", f"ext::sh -c touch% {ran}")
        blob = git(repository, "rev-parse", "main:mcp.yaml").strip()
        (repository / ".git/objects" / blob[:2] / blob[2:]).unlink()
        [message] = faults(against("git:main", repository, env={"GIT_ALLOW_PROTOCOL": "ext"}))
        assert message.startswith("git: ")
        assert not ran.exists()


class TestHints:
    @pytest.mark.parametrize(
        ("name", "message", "hint"),
        [
            ("main", "there is no file or project `main`", "compare with a revision: `git:main`"),
            ("git", "there is no file or project `git`", "compare with a revision: `git:main`"),
            ("git:", "there is no file or project `git:`", "compare with a revision: `git:main`"),
            (
                "git:main", "git is not installed",
                "install git, or compare with a file or a project",
            ),
        ],
    )  # fmt: skip
    def test_they_lead_on_without_git(
        self, name: str, message: str, hint: str, starts_programs: None, tmp_path: Path
    ) -> None:
        (tmp_path / "mcp.yaml").write_text(spec(TOOL))
        ended = against(name, tmp_path, env={"PATH": str(tmp_path)})
        assert faults(ended) == [message]
        assert json.loads(ended.out)["diagnostics"][0]["hint"] == hint


class TestFiles:
    @pytest.mark.parametrize(
        "value",
        [
            [TOOL, FETCH],
            {"tools": [TOOL, FETCH]},
            {"jsonrpc": "2.0", "id": 1, "result": {"tools": [TOOL, FETCH]}},
            [{"tools": [TOOL], "nextCursor": "x"}, {"tools": [FETCH]}],
        ],
    )
    def test_a_tool_list_knows_only_tools(self, value: object, tmp_path: Path) -> None:
        more = {
            "transports": ["streamable-http"],
            "env": [{"name": "KEY", "description": "Key.", "secret": True}],
            "prompts": [{"name": "ask", "description": "Ask."}],
        }
        (tmp_path / "mcp.yaml").write_text(spec(TOOL, version="0.0.1", **more))
        (tmp_path / "tools.json").write_text(json.dumps(value))
        ended = against("tools.json", tmp_path)
        assert ids(ended) == {"tool-removed"}
        assert json.loads(ended.out)["version"] == {"old": None, "new": "0.0.1", "next": None}

    def test_a_tool_list_does_not_know_what_is_not_sent(self, tmp_path: Path) -> None:
        error = {"name": "Gone", "message": "Gone."}
        env = [{"name": "API_URL", "description": "API.", "default": "https://example.org"}]
        handler = {"http": {"method": "GET", "path": "/"}}
        tool = {**TOOL, "timeout": 5, "errors": ["Gone"], "handler": handler}
        api = {"url": {"env": "API_URL"}}
        (tmp_path / "mcp.yaml").write_text(spec(tool, errors=[error], env=env, api=api))
        (tmp_path / "tools.json").write_text(json.dumps([TOOL]))
        assert ids(against("tools.json", tmp_path)) == set()

    def test_a_list_whose_other_pages_are_missing_is_an_error(self, tmp_path: Path) -> None:
        (tmp_path / "mcp.yaml").write_text(spec(TOOL))
        (tmp_path / "tools.json").write_text(json.dumps({"tools": [TOOL], "nextCursor": "2"}))
        message = "the list of `tools` is not complete: its last page has a `nextCursor`"
        assert faults(against("tools.json", tmp_path)) == [message]

    def test_a_list_that_names_its_server_has_a_version(self, tmp_path: Path) -> None:
        info = {"name": "demo", "version": "1.2.0"}
        (tmp_path / "mcp.yaml").write_text(spec(TOOL, version="1.3.0"))
        (tmp_path / "tools.json").write_text(
            json.dumps({"serverInfo": info, "tools": [TOOL, FETCH]})
        )
        ended = against("tools.json", tmp_path)
        assert ids(ended) == {"tool-removed", "version-not-raised"}
        assert json.loads(ended.out)["version"]["next"] == "2.0.0"

    def test_the_catalog_of_a_generated_server(self, tmp_path: Path) -> None:
        (tmp_path / "old.yaml").write_text(spec(TOOL, FETCH))
        assert run("new", "old.yaml", "demo", cwd=tmp_path).code == 0
        (tmp_path / "mcp.yaml").write_text(spec(TOOL, version="2.0.0"))
        catalog = "demo/src/demo/_generated/catalog.json"
        assert ids(against(catalog, tmp_path)) == {"tool-removed"}

    def test_what_a_spec_cannot_hold_is_a_warning(self, tmp_path: Path) -> None:
        broken = {**TOOL, "annotations": {"readOnlyHint": "yes"}}
        (tmp_path / "mcp.yaml").write_text(spec(TOOL))
        (tmp_path / "tools.json").write_text(json.dumps([broken]))
        ended = against("tools.json", tmp_path)
        assert (ended.code, ids(ended)) == (0, {"baseline-partial"})
        assert against("tools.json", tmp_path, "--fail-on", "warning").code == 1

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("gone.yaml", None),
            ("old.yaml", ""),
            ("old.yaml", "name: demo\n"),
            ("old.json", ""),
            ("old.json", "{}"),
            ("old.json", '{"tools": [1]}'),
            ("old.json", '{"tools": [{"name": "a", "inputSchema": 1}]}'),
            ("old.json", '{"openapi": "3.1.0", "paths": {}}'),
            ("tests", None),
            ("https://example.org/mcp.yaml", None),
        ],
    )
    def test_a_file_that_is_neither_is_an_error(
        self, name: str, text: str | None, tmp_path: Path
    ) -> None:
        (tmp_path / "mcp.yaml").write_text(spec(TOOL))
        (tmp_path / "tests").mkdir()
        if text is not None:
            (tmp_path / name).write_text(text)
        assert faults(against(name, tmp_path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
class TestPipes:
    @pytest.mark.usefixtures("starts_programs")
    def test_what_a_command_writes_to_one_is_waited_for(self, tmp_path: Path) -> None:
        (tmp_path / "mcp.yaml").write_text(spec(TOOL, version="2.0.0"))
        (tmp_path / "old.yaml").write_text(spec(TOOL, FETCH))
        program = Path(sys.executable).with_name("mcp-scaffold")
        script = f"'{program}' breaking mcp.yaml --against <(sleep 0.2; cat old.yaml)"
        ended = subprocess.run(
            ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert ended.returncode == 1, ended.stderr
        assert "error[tool-removed]" in ended.stdout


class TestProjects:
    def test_a_project_is_what_it_was_generated_from(self, tmp_path: Path) -> None:
        (tmp_path / "old.yaml").write_text(spec(TOOL, FETCH))
        assert run("new", "old.yaml", "demo", cwd=tmp_path).code == 0
        (tmp_path / "demo/mcp.yaml").write_text(spec(TOOL, version="2.0.0"))
        assert ids(against(".", tmp_path / "demo")) == {"tool-removed"}
        told = run("breaking", "--against", "..", "--format", "json", cwd=tmp_path / "demo/src")
        assert ids(told) == {"tool-removed"}

    def test_a_project_whose_record_is_lost_is_an_error(self, tmp_path: Path) -> None:
        (tmp_path / "old.yaml").write_text(spec(TOOL, FETCH))
        assert run("new", "old.yaml", "demo", cwd=tmp_path).code == 0
        (tmp_path / "demo/.scaffold/mcp.yaml").unlink()
        [message] = faults(against(".", tmp_path / "demo"))
        assert message == "cannot read the file: no such file or directory"
