"""What people, programs and pull requests are shown of what was found, whatever the texts hold."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.breaking.test_baselines import FETCH, TOOL
from tests.teams.building import run

ROOT = Path(__file__).resolve().parents[2]

REPORT = Path(__file__).with_name("report")
"""Two specs, and what people and comments say of them."""

GITHUB = (
    "::error file=mcp.yaml,line=12,col=9,endColumn=14,title=argument-narrowed::"
    "argument `limit` of tool `search` accepts less%0A"
    'call: {"limit": 51}%0Arefused: /limit: 51 is greater than the maximum of 50%0A'
    "where: /tools/search/inputSchema/properties/limit%0A"
    "hint: keep on accepting the old values"
)

HOSTILE = [
    "@everyone #1 GH-2 !3 ~bug %1 $4 &5 acme/demo#6 0123456789abcdef0123456789abcdef01234567",
    "[a](https://example.org) ![b](https://example.org/x.png) https://example.org www.example.org",
    "<img src=x onerror=alert(1)> <script>x</script> </details> <!-- --> &lt; &#64;all",
    "` `` ``` ~~~ \\` a` b``",
    "|a|b|\n|-|-|\n# head\n> quote\n- item\n```\n/close\n    code",
    "\x1b[31m \x00 \u202e\u2066\u200b\ufeff \u2028 \r\n",
    "**bold** _it_ ~~gone~~ :tada: $$x$$ [^1] [x]: y <a@example.org> a@example.org",
    "::error::x %0A::set-output name=a::b",
    "",
    "`",
    " ",
    "x" * 900,
    "a`<b>@everyone</b>`b",
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(REPORT, tmp_path, dirs_exist_ok=True)
    return tmp_path


def breaking(folder: Path, *options: str) -> tuple[int, str, str]:
    ended = run("breaking", "mcp.yaml", "--against", "old.yaml", *options, cwd=folder)
    return ended.code, ended.out, ended.err


class TestFormats:
    def test_people(self, folder: Path) -> None:
        assert breaking(folder) == (1, (REPORT / "human.txt").read_text(), "")

    def test_comments(self, folder: Path) -> None:
        expected = (REPORT / "markdown.md").read_text()
        assert breaking(folder, "--format", "markdown") == (1, expected, "")

    def test_annotations(self, folder: Path) -> None:
        code, out, err = breaking(folder, "--format", "github")
        first, second = out.splitlines()
        assert (code, first, err) == (1, GITHUB, "")
        assert second.startswith("::error file=mcp.yaml,line=2,col=10,endColumn=17,title=version-")

    def test_code_quality(self, folder: Path) -> None:
        code, out, _ = breaking(folder, "--format", "gitlab")
        assert code == 1
        found = [(one["check_name"], one["location"]["lines"]["begin"]) for one in json.loads(out)]
        assert found == [("argument-narrowed", 12), ("version-not-raised", 2)]

    def test_json_is_as_its_schema_says(self, folder: Path) -> None:
        schemas = {
            name: json.loads((ROOT / f"specs/{name}.schema.json").read_text())
            for name in ("breaking", "diagnostics")
        }
        code, out, _ = breaking(folder, "--format", "json")
        told = json.loads(out)
        assert code == 1
        jsonschema_rs.Draft202012Validator(schemas["breaking"]).validate(told)
        [narrowed, added, removed, version] = told["changes"]
        assert narrowed["proof"] == {
            "instance": {"limit": 51},
            "refusal": "/limit: 51 is greater than the maximum of 50",
        }
        assert (added["level"], added["proof"]) == ("info", None)
        assert removed["accepted"] == {"reason": "Nobody calls it."}
        assert (version["id"], version["where"]) == ("version-not-raised", "/version")
        assert told["version"] == {"old": "1.4.0", "new": "1.5.0", "next": "2.0.0"}
        (folder / "old.yaml").unlink()
        code, out, _ = breaking(folder, "--format", "json")
        assert code == 2
        jsonschema_rs.Draft202012Validator(schemas["diagnostics"]).validate(json.loads(out))

    def test_nothing_is_said_to_be_nothing(self, folder: Path) -> None:
        shutil.copy(folder / "old.yaml", folder / "mcp.yaml")
        assert breaking(folder) == (0, "no changes, compared with old.yaml\n", "")
        _, out, _ = breaking(folder, "--format", "markdown")
        assert out.startswith("### No changes for callers of the server\n")
        assert breaking(folder, "--format", "github") == (0, "", "")

    def test_a_baseline_that_cannot_be_read_is_never_nothing(self, folder: Path) -> None:
        (folder / "old.yaml").unlink()
        for form, said in (
            ("human", ""),
            ("markdown", "### 1 error\n\n- `unreadable-file` at `old.yaml`: "),
            ("github", "::error file=old.yaml,title=unreadable-file::"),
        ):
            code, out, err = breaking(folder, "--format", form, "--fail-on", "never")
            assert (code, out.startswith(said)) == (2, True)
            assert "cannot read the file: no such file or directory" in out + err

    def test_a_comment_is_not_longer_than_github_allows(self, folder: Path) -> None:
        tools = [{**TOOL, "name": f"{'t' * 100}{n}", "timeout": 60} for n in range(500)]
        accept = [
            {"id": "tool-removed", "where": f"/tools/{'t' * 100}{n}", "reason": "`" * 300}
            for n in range(150)
        ]
        old = {"name": "demo", "version": "1.0.0", "tools": [FETCH, *tools]}
        new = [{**one, "title": "T", "timeout": 1} for one in tools[300:]]
        (folder / "old.yaml").write_text(json.dumps(old))
        changed = {**old, "tools": [FETCH, *new], "breaking": {"accept": accept}}
        (folder / "mcp.yaml").write_text(json.dumps(changed))
        _, out, _ = breaking(folder, "--format", "markdown")
        assert 50_000 < len(out) < 65_000
        assert [*map(int, re.findall(r"^- and (\d+) more$", out, re.MULTILINE))] == [
            total - shown for total, shown in zip((151, 200, 200, 150), rows(out), strict=True)
        ]

    def test_a_long_example_is_cut_for_people_only(self, folder: Path) -> None:
        for file, most in (("old", 100_000), ("mcp", 99_999)):
            schema = {"type": "object", "properties": {"q": {"type": "string", "maxLength": most}}}
            document = {"name": "demo", "version": "1.0.0"}
            tools = [{**TOOL, "inputSchema": schema}]
            (folder / f"{file}.yaml").write_text(json.dumps({**document, "tools": tools}))
        for form in ("human", "github", "gitlab", "markdown"):
            assert len(breaking(folder, "--format", form)[1]) < 5000
        [change, _] = json.loads(breaking(folder, "--format", "json")[1])["changes"]
        assert len(change["proof"]["instance"]["q"]) == 100_000


def rows(comment: str) -> list[int]:
    """How many findings each list of a comment shows."""
    lists = re.split(r"^- and \d+ more$", comment, flags=re.MULTILINE)[:-1]
    return [len(re.findall(r"^- `", one, re.MULTILINE)) for one in lists]


def parsed(text: str) -> Iterator[Token]:
    """Every token of a text as GitHub reads it, those inside others too."""
    for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text):
        yield token
        yield from token.children or ()


SAFE = {"paragraph_open", "paragraph_close", "inline", "text", "code_inline"}


class TestHostileTexts:
    @pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
    @pytest.mark.parametrize("form", ["human", "markdown", "github", "gitlab"])
    def test_a_whole_report(self, text: str, form: str, tmp_path: Path) -> None:
        name = text or "empty"
        schema = {"type": "object", "properties": {name: {"type": "string"}}}
        narrow = {"type": "object", "properties": {name: {"type": "string", "const": text}}}
        resource = {"uri": "a:r" + re.sub(r"[\s\x00-\x1f\ufeff{}]", "", text), "name": "r"}
        old = {"name": "demo", "version": "1.0.0", "tools": [{**TOOL, "inputSchema": schema}]}
        old |= {"resources": [resource, {"uri": "a:b", "name": "b"}]}
        new: dict[str, Any] = {**old, "tools": [{**TOOL, "inputSchema": narrow}]}
        new |= {"resources": [{"uri": "a:b", "name": "b"}], "instructions": text or "x"}
        accept = {"id": "resource-removed", "where": text, "reason": text or "x"}
        new |= {"breaking": {"accept": [accept]}}
        for file, spec in (("old.yaml", old), ("mcp.yaml", new)):
            (tmp_path / file).write_text(json.dumps(spec))
        code, out, _ = breaking(tmp_path, "--format", form)
        assert code == 1, out
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069\u2028\ufeff]", out)
        if form == "github":
            assert all(line.startswith(("::error file=mcp.yaml,", "::warning file=mcp.yaml,"))
                       for line in out.splitlines())  # fmt: skip
        if form == "markdown":
            check_markdown(out)


def check_markdown(text: str) -> None:
    """No text of others is more than text."""
    kinds = SAFE | {"heading_open", "heading_close", "strong_open", "strong_close", "html_block"}
    kinds |= {f"{what}_{end}" for what in ("bullet_list", "list_item") for end in ("open", "close")}
    tokens = [*parsed(text)]
    assert {token.type for token in tokens} <= kinds
    for token in tokens:
        if token.type == "html_block":
            opening = r"<details><summary>(Notes|Accepted): \d+</summary>|</details>"
            assert re.fullmatch(opening, token.content.strip())
        if token.type == "text":
            assert re.fullmatch(r"[A-Za-z0-9 ,;.:()'?+-]*", token.content), token.content
