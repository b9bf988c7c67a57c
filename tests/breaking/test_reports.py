"""What people, programs and pull requests are shown of what was found, whatever the texts hold."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from tests.breaking.test_baselines import FETCH, TOOL
from tests.command import run

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


def breaking(folder: Path, *options: str) -> tuple[int, str]:
    ended = run("breaking", "mcp.yaml", "--against", "old.yaml", *options, cwd=folder)
    return ended.code, ended.out + ended.err


class TestFormats:
    def test_a_comment_is_not_longer_than_github_allows(self, tmp_path: Path) -> None:
        tools = [{**TOOL, "name": f"{'t' * 100}{n}", "timeout": 60} for n in range(500)]
        accept = [
            {"id": "tool-removed", "where": f"/tools/{'t' * 100}{n}", "reason": "`" * 300}
            for n in range(150)
        ]
        old = {"name": "demo", "version": "1.0.0", "tools": [FETCH, *tools]}
        new = [{**tool, "title": "T", "timeout": 1} for tool in tools[300:]]
        (tmp_path / "old.yaml").write_text(json.dumps(old))
        changed = {**old, "tools": [FETCH, *new], "breaking": {"accept": accept}}
        (tmp_path / "mcp.yaml").write_text(json.dumps(changed))
        _, out = breaking(tmp_path, "--format", "markdown")
        assert 50_000 < len(out) < 65_000
        assert re.search(r"\n… and \d+ more lines\n`{3,}\n$", out)

    def test_a_long_example_is_cut_for_people_only(self, tmp_path: Path) -> None:
        for file, most in (("old", 100_000), ("mcp", 99_999)):
            schema = {"type": "object", "properties": {"q": {"type": "string", "maxLength": most}}}
            document = {"name": "demo", "version": "1.0.0"}
            tools = [{**TOOL, "inputSchema": schema}]
            (tmp_path / f"{file}.yaml").write_text(json.dumps({**document, "tools": tools}))
        for form in ("human", "github", "markdown"):
            assert len(breaking(tmp_path, "--format", form)[1]) < 5000
        [change, _] = json.loads(breaking(tmp_path, "--format", "json")[1])["changes"]
        assert len(change["proof"]["instance"]["q"]) == 100_000


class TestHostileTexts:
    @pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
    @pytest.mark.parametrize("form", ["human", "markdown", "github"])
    def test_a_report_has_the_exact_text_of_its_case(
        self, text: str, form: str, tmp_path: Path
    ) -> None:
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
        code, out = breaking(tmp_path, "--format", form)
        assert code == 1, out
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069\u2028\ufeff]", out)
        if form == "github":
            command = re.compile("::(error|warning|notice) file=mcp.yaml,")
            assert all(map(command.match, out.splitlines()))
        if form == "markdown":
            check_markdown(out)


def check_markdown(text: str) -> None:
    """Check that all text of others is in one code block."""
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    assert [token.type for token in tokens] == ["heading_open", "inline", "heading_close", "fence"]
    assert re.fullmatch(r"[A-Za-z0-9 ,]*", tokens[1].content), tokens[1].content
