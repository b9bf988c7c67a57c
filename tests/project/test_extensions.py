"""Skills and pages: what is said about them, and which first ones are written."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from scaffold.base.diagnostics import Diagnostic
from scaffold.base.files import RelPath
from scaffold.commands.new import new
from scaffold.commands.regenerate import plan, regenerate
from scaffold.commands.validate import findings_in
from scaffold.project.skills import MAX_BYTES, MAX_FILES
from scaffold.yaml.source import read

OBJECT = {"type": "object"}
TOOLS: list[dict[str, Any]] = [
    {
        "name": name,
        "description": f"{about} in the notes of the team.",
        "inputSchema": {
            **OBJECT,
            "properties": {"max_hits": {"type": "integer", "description": "How many."}},
        },
        "outputSchema": OBJECT,
        "examples": [{"name": "two", "arguments": {"max_hits": 2}}],
    }
    for name, about in (("find_notes", "Look for words"), ("read_note", "Read one page"))
]
TOOLS[1]["renamedFrom"] = "get_note"
HEAD = "---\nname: notes\ndescription: Keep notes.\n---\n"
SKILL, LOGO = "skills/notes/SKILL.md", "skills/mine/logo"


def written(root: Path, files: Mapping[str, str | bytes], **keys: Any) -> Path:
    """Write a spec with skills, and files beside it; return the path of the spec."""
    spec = {"name": "notes", "version": "1", "skills": "./skills", "tools": TOOLS, **keys}
    for name, text in {**files, "spec.json": json.dumps(spec)}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return root / "spec.json"


def findings_of(spec: Path) -> list[str]:
    return [
        described(finding, spec.parent) for finding in findings_in(spec.read_text("utf-8"), spec)
    ]


def described(finding: Diagnostic, root: Path) -> str:
    assert finding.place
    where = Path(finding.place.path).relative_to(root).as_posix()
    line = f":{finding.place.line}:{finding.place.column}" if finding.place.column else ""
    return f"{where}{line} {finding.id}: {finding.message}"


SOUND = HEAD + "Call `find_notes`. See [a guide](references/a%20guide.md#top).\n"
MANUALS: Mapping[str, tuple[str | bytes, list[str]]] = {
    "sound": (SOUND, []),
    "windows": (SOUND.replace("\n", "\r\n"), []),
    "bare": ("# Notes\n", [" skill-frontmatter: SKILL.md does not begin with frontmatter"]),
    "bytes": (b"\xff", [":1:1 not-utf-8: the byte 0xFF is not valid UTF-8"]),
    "yaml": ("---\nname: notes\ndescription: a: b\n---\n", [":3:15 yaml-syntax: an unquoted value cannot contain `: `"]),
    "missing": ("---\ndescription: x\nmore: [yes]\n---\n", [":2:1 missing-key: missing key `name` in the frontmatter"]),
    "empty": (HEAD.replace("Keep notes.", "''"), [':3:14 wrong-length: `description`: "" is shorter than 1 character']),
    "number": (HEAD.replace("---\n", "---\nmetadata: {v: 1.0}\n", 1), [":2:15 wrong-type: `v` must be a string, not `1.0`"]),
    "name": (HEAD.replace("notes", "My-Notes"), [":2:7 bad-skill-name: invalid skill name `My-Notes`"]),
    "directory": (HEAD.replace("notes", "other"), [":2:7 bad-skill-name: the directory of the skill is called `notes`"]),
}  # fmt: skip


@pytest.mark.parametrize("case", MANUALS)
def test_what_hosts_refuse_in_a_skill_is_reported_at_its_place(tmp_path: Path, case: str) -> None:
    text, expected = MANUALS[case]
    spec = written(tmp_path, {SKILL: text, "skills/notes/references/a guide.md": b"\xff"})
    assert findings_of(spec) == [f"{SKILL}{line}" for line in expected]


@pytest.mark.skipif(os.name == "nt", reason="some of the names are none there")
def test_an_invalid_or_too_large_skill_is_reported(tmp_path: Path) -> None:
    misplaced = {
        "skills/SKILL.md": HEAD,
        "skills/other/a.md": "",
        "skills/notes/a:b/SKILL.md": HEAD,
    }
    assert findings_of(written(tmp_path / "misplaced", misplaced)) == [
        "skills/SKILL.md skill-file: a skill needs a directory of its own",
        "skills/notes/a:b skill-file: not a portable path: 'notes/a:b'",
        "skills/notes/a:b/SKILL.md skill-file: not a portable path: 'notes/a:b/SKILL.md'",
        "skills/other skill-file: the skill `other` has no SKILL.md",
    ]
    large: dict[str, str | bytes] = {f"skills/notes/{n}": "" for n in range(MAX_FILES - 1)}
    large |= {SKILL: HEAD, "skills/notes/large": b"x" * MAX_BYTES}
    assert findings_of(written(tmp_path / "large", large)) == [
        "skills/notes skill-file: the skill `notes` has 513 files; hosts take 512",
        "skills/notes skill-file: the skill `notes` has 16,777,261 bytes; hosts take 16,777,216",
    ]


def test_no_symlink_leads_out_of_a_skill(tmp_path: Path) -> None:
    spec = written(tmp_path, {SKILL: HEAD, "secret/key": "k"})
    (tmp_path / "skills/notes/key").symlink_to(tmp_path / "secret/key")
    (tmp_path / "skills/notes/all").symlink_to(tmp_path / "secret")
    assert findings_of(spec) == [
        "skills/notes/all skill-file: `all` is a symlink",
        "skills/notes/key skill-file: `key` is a symlink",
    ]
    shutil.rmtree(tmp_path / "skills")
    (tmp_path / "skills").symlink_to(tmp_path.parent)
    assert "outside the directory of the spec" in findings_of(spec)[0]


def project_with(root: Path, files: Mapping[str, str | bytes], **keys: Any) -> Path:
    """Create a project from a spec beside these files."""
    new(written(root / "spec", files, **keys), root / "made")
    return root / "made"


def again(project: Path, **keys: Any) -> list[str]:
    """Change keys of the spec, regenerate, and return the warnings about extensions."""
    spec = read(project / "mcp.yaml").value
    assert isinstance(spec, dict)
    (project / "mcp.yaml").write_text(json.dumps({**spec, **keys}), "utf-8")
    update = regenerate(project, [], False).update
    return [finding.id for finding in update.warnings if finding.id.startswith(("skill-", "page-"))]


def test_a_first_skill_describes_the_tools_and_follows_them_until_it_is_edited(
    tmp_path: Path,
) -> None:
    project = project_with(tmp_path, {})
    first = (project / SKILL).read_text("utf-8")
    assert "Tool `find_notes`. Look for words" in first
    assert '- two: `{"max_hits":2}`' in first
    renamed = [{**TOOLS[0], "name": "search_notes"}, TOOLS[1]]
    assert again(project, tools=renamed) == []
    assert "Tool `search_notes`." in (project / SKILL).read_text("utf-8")
    (project / SKILL).write_text(f"{HEAD}Call `search_notes`.\n", "utf-8")
    assert again(project, tools=[TOOLS[1]]) == []
    assert (project / SKILL).read_text("utf-8") == f"{HEAD}Call `search_notes`.\n"


def test_a_first_skill_is_not_written_if_others_exist(tmp_path: Path) -> None:
    mine = "skills/mine/SKILL.md"
    files: dict[str, str | bytes] = {mine: HEAD.replace("notes", "mine"), LOGO: b"\xff"}
    project = project_with(tmp_path / "one", files)
    assert (project / LOGO).read_bytes() == b"\xff"
    assert not (project / SKILL).exists()
    project = project_with(tmp_path / "other", {})
    written(project, files)
    again(project)
    assert (project / SKILL).exists()  # it is not deleted behind the user's back
    shutil.rmtree(project / "skills/notes")
    again(project)
    assert not (project / SKILL).exists()


def test_an_edited_skill_is_checked_and_leaves_the_project_up_to_date(tmp_path: Path) -> None:
    project = project_with(tmp_path, {})
    (project / SKILL).write_text(HEAD, "utf-8")
    update = plan(project)
    assert not [step.path for step in update.plan.steps if step.action.writes]
    assert not update.records
    (project / SKILL).write_text(HEAD.replace("notes", "other"), "utf-8")
    with pytest.raises(Exception, match="called `notes`"):
        plan(project)


UI = {"file": "ui/notes.html", "csp": {"connectDomains": ["https://api.example.org"]}}


def with_page(**ui: Any) -> list[dict[str, Any]]:
    return [{**TOOLS[0], "ui": {**UI, **ui}, "_meta": {"a/b": 1}}, TOOLS[1]]


def served(project: Path) -> Any:
    text = (project / "src/notes/_generated/catalog.json").read_text("utf-8")
    return json.loads(text)


def test_a_tool_refers_to_its_page_which_is_a_static_resource(tmp_path: Path) -> None:
    project = project_with(tmp_path, {}, tools=with_page(prefersBorder=False, visibility=["app"]))
    uri, about = "ui://notes/find_notes.html", {"csp": UI["csp"], "prefersBorder": False}
    catalog = served(project)
    meta = {"a/b": 1, "ui": {"resourceUri": uri, "visibility": ["app"]}}
    assert [tool.get("_meta") for tool in catalog["tools"]] == [meta, None]
    assert catalog["capabilities"]["extensions"] == {"io.modelcontextprotocol/ui": {}}
    page = {"uri": uri, "mimeType": "text/html;profile=mcp-app", "_meta": {"ui": about}}
    assert catalog["resources"] == [{"name": "find_notes.html", **page}]
    first = (project / "ui/notes.html").read_text("utf-8")
    assert catalog["contents"] == {uri: {**page, "text": first}}
    assert len(first.splitlines()) <= 80


def test_users_own_their_pages(tmp_path: Path) -> None:
    page = RelPath("ui/notes.html")
    project = project_with(tmp_path, {page: "<p>Mine"}, tools=with_page())
    assert (project / page).read_text("utf-8") == "<p>Mine"
    assert served(project)["contents"]["ui://notes/find_notes.html"]["text"] == "<p>Mine"
    (project / page).write_text("<script src=https://cdn.example.org/x.js></script>", "utf-8")
    assert again(project) == []
    assert "cdn" in served(project)["contents"]["ui://notes/find_notes.html"]["text"]
    both = [*with_page()[:1], {**TOOLS[1], "ui": UI}]  # two tools, one file
    again(project, tools=both)
    assert len(served(project)["contents"]) == 2
    (project / page).unlink()
    again(project)
    assert "ui/initialize" in (project / page).read_text("utf-8")


def test_an_unreadable_page_is_reported(tmp_path: Path) -> None:
    spec = written(tmp_path, {"ui/notes.html": b"\xff"}, tools=with_page())
    assert "unreadable-file: cannot read" in str(findings_of(spec))
