"""The version that a change asks for, and what a spec accepts."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from scaffold.base.diagnostics import ScaffoldError
from scaffold.breaking.change import Level
from scaffold.breaking.judging import Judged, judge
from scaffold.breaking.versions import is_raised, next_version
from tests.breaking.test_baselines import FETCH, TOOL
from tests.teams.building import run

OUTDATED = "the list of accepted findings is outdated"

TODAY = date(2026, 11, 22)


class TestVersions:
    @pytest.mark.parametrize(
        ("old", "breaks", "differs"),
        [
            ("1.4.2", "2.0.0", "1.5.0"),
            ("1.4", "2.0", "1.5"),
            ("0.3.1", "0.4.0", "0.3.2"),
            ("0.3", "0.4", "0.3.1"),
            ("10.0.0.7", "11.0.0.0", "10.1.0.0"),
            ("2.0rc1.post1.dev3", "2.0", "2.0"),
            ("1.2.3.post4", "2.0.0", "1.3.0"),
            ("1!2.3", "1!3.0", "1!2.4"),
            ("1.2.3+local", "2.0.0", "1.3.0"),
        ],
    )
    def test_the_next_one_is_raised(self, old: str, breaks: str, differs: str) -> None:
        assert next_version(old, {Level.ERROR, Level.INFO}) == breaks
        assert next_version(old, {Level.WARNING}) == next_version(old, {Level.INFO}) == differs
        assert next_version(old, set()) == old
        assert is_raised(old, breaks)

    @pytest.mark.parametrize(
        ("old", "new", "raised"),
        [
            ("1.4.2", "2.0.0rc1", True),
            ("1.4.2", "1.5.0", False),
            ("1.4.2", "1.4.2.post1", False),
            ("1.4.2", "1.4.2+build.5", False),
            ("1.3.0rc1", "1.3.0rc2", True),
            ("1.3.0rc2", "1.3.0rc1", False),
            ("1.3.0rc1", "1.3.0rc1.post1", False),
            ("2026.11", "1!1.0", True),
            ("1!1.0", "2.0", False),
            ("0.3.1", "0.3.2", False),
            ("0.9.9", "0.10", True),
        ],
    )
    def test_what_is_raised(self, old: str, new: str, raised: bool) -> None:
        assert is_raised(old, new) is raised


def judged(folder: Path, *accept: dict[str, Any], version: str = "2.0.0") -> Judged:
    """A spec that lost a tool and a resource, and narrowed an argument of a prompt."""
    wide = {"type": "object", "properties": {"n/1": {"type": "integer"}}}
    narrow = {"type": "object", "properties": {"n/1": {"type": "integer", "minimum": 1}}}
    resource = {"uri": "docs://a/b", "name": "b", "text": "hello"}
    prompt = {"name": "ask", "description": "Ask.", "arguments": [{"name": "who"}]}
    required = {**prompt, "arguments": [{"name": "who", "required": True}]}
    search = {**TOOL, "inputSchema": wide}
    old = {"tools": [FETCH, search], "resources": [resource], "prompts": [prompt]}
    new: dict[str, Any] = {"tools": [{**TOOL, "inputSchema": narrow}], "prompts": [required]}
    new |= {"breaking": {"accept": accept}}
    for file, part, number in (("old", old, "1.0.0"), ("mcp", new, version)):
        whole = {"name": "demo", "version": number, **part}
        (folder / f"{file}.json").write_text(json.dumps(whole))
    return judge(folder / "mcp.json", str(folder / "old.json"), TODAY)


WHERE = {
    "tool-removed": "/tools/fetch",
    "resource-removed": "/resources/docs:~1~1a~1b",
    "argument-narrowed": "/tools/search/inputSchema/properties/n~11",
    "prompt-argument-required": "/prompts/ask/arguments/who",
}


def entry(id: str, **more: str) -> dict[str, Any]:
    return {"id": id, "where": WHERE[id], "reason": "Agreed.", **more}


class TestAcceptedFindings:
    def test_all_of_them_but_the_version_is_asked_for_all_the_same(self, tmp_path: Path) -> None:
        found = {one.change.id: one.where for one in judged(tmp_path, version="1.1.0").open}
        assert found.pop("version-not-raised") == "/version"
        assert {id: where.removesuffix("/required") for id, where in found.items()} == WHERE
        accept = [{"id": id, "where": where, "reason": "Agreed."} for id, where in found.items()]
        [left] = judged(tmp_path, *accept, version="1.1.0").open
        assert left.change.id == "version-not-raised"
        accept += [{"id": "version-not-raised", "where": "/version", "reason": "Agreed."}]
        assert judged(tmp_path, *accept, version="1.1.0").open == ()
        ended = run("breaking", "mcp.json", "--against", "old.json", cwd=tmp_path)
        assert (ended.code, "\n5 notes\n" in ended.err) == (0, True)

    @pytest.mark.parametrize(
        ("changed", "message"),
        [
            (
                {"where": "/tools/fetc"},
                "nothing to accept: no `tool-removed` at `/tools/fetc`; did you mean `/tools/fetch`?",
            ),
            (
                {"where": "/env/KEY"},
                "nothing to accept: no `tool-removed` at `/env/KEY`; " + OUTDATED,
            ),
            ({"id": "tool-remved"}, "`tool-remved` is no finding, did you mean `tool-removed`?"),
            (
                {"id": "prompt-removed"},
                "nothing to accept: no `prompt-removed` at `/tools/fetch`; " + OUTDATED,
            ),
        ],
    )
    def test_one_that_matches_nothing_is_an_error(
        self, changed: dict[str, str], message: str, tmp_path: Path
    ) -> None:
        found = judged(tmp_path, entry("tool-removed") | changed)
        *_, last = found.open
        assert (last.change.id, last.change.level) == ("acceptance-unused", Level.ERROR)
        assert last.change.message == message
        assert found.place(last).line == 1
        assert "tool-removed" in {one.change.id for one in found.open}

    @pytest.mark.parametrize(
        ("until", "holds"), [("2026-11-22", True), ("2026-11-21", False), ("2027-01-01", True)]
    )
    def test_an_entry_holds_until_its_last_day(
        self, until: str, holds: bool, tmp_path: Path
    ) -> None:
        found = judged(tmp_path, entry("tool-removed", until=until))
        ids = {one.change.id for one in found.open}
        assert ("tool-removed" not in ids) is holds
        assert ("acceptance-expired" in ids) is not holds

    def test_the_command_knows_what_day_it_is(self, tmp_path: Path) -> None:
        judged(tmp_path, entry("tool-removed", until="2001-01-01"))
        ended = run("breaking", "mcp.json", "--against", "old.json", cwd=tmp_path)
        assert "error[acceptance-expired]" in ended.err

    def test_a_day_that_is_none_is_an_error_in_the_spec(self, tmp_path: Path) -> None:
        with pytest.raises(ScaffoldError) as caught:
            judged(tmp_path, entry("tool-removed", until="tomorrow"))
        assert [one.id for one in caught.value.diagnostics] == ["bad-date"]


class TestTheCommand:
    @pytest.mark.parametrize(
        ("failing", "code"),
        [
            (["error"], 0),
            (["warning"], 1),
            (["never"], 0),
            (["default-changed"], 1),
            (["never", "default-changed"], 1),
            (["argument-removed"], 0),
            (["default-changd"], 2),
        ],
    )
    def test_warnings_fail_it_on_demand(
        self, failing: list[str], code: int, tmp_path: Path
    ) -> None:
        for file, default in (("old", "a"), ("mcp", "b")):
            schema = {"type": "object", "properties": {"x": {"type": "string", "default": default}}}
            tools = [{**TOOL, "inputSchema": schema}]
            (tmp_path / f"{file}.yaml").write_text(
                json.dumps({"name": "demo", "version": "1.0.0", "tools": tools})
            )
        options = [word for name in failing for word in ("--fail-on", name)]
        command = ("breaking", "mcp.yaml", "--against", "old.yaml", *options)
        assert run(*command, cwd=tmp_path).code == code

    def test_a_spec_has_to_be_there(self, tmp_path: Path) -> None:
        ended = run("breaking", "--against", "git:main", cwd=tmp_path)
        assert (ended.code, "give a SPEC, or run this in a project" in ended.err) == (2, True)
        ended = run("breaking", "gone.yaml", "--against", "old.yaml", cwd=tmp_path)
        assert (ended.code, "cannot read the file" in ended.err) == (2, True)
