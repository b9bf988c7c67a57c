"""Branches that git has merged: a person merges the spec and the handlers, `regenerate` the rest."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from copy import deepcopy
from pathlib import Path

import pytest

from scaffold.inputs import is_up_to_date
from tests.regenerate.living import NUMBER, TEXT, Living, Spec, tool

pytestmark = [
    pytest.mark.skipif(not shutil.which("git"), reason="git is not installed"),
    pytest.mark.usefixtures("starts_programs"),
]

Edit = Callable[[Spec], object]


def git(root: Path, *arguments: str) -> str:
    who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    done = subprocess.run(
        ["git", *who, *arguments], cwd=root, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


def commit(blog: Living) -> None:
    git(blog.root, "add", "-A")
    git(blog.root, "commit", "-qm", "all")


def work(blog: Living, change: Edit) -> None:
    """Edit the spec, regenerate, write the new handlers, commit."""
    blog.edit(change)
    blog.regenerate()
    for file in blog.root.glob("src/*/tools/*.py"):
        text = file.read_text()
        if "NotImplementedError" in text and "[mine" not in text:
            file.write_text(f"{text}\n# [mine in {file.stem}]\n")
    commit(blog)


def merged(blog: Living, ours: Edit, theirs: Edit, *way: str) -> Living:
    """Make two branches and join them: only the spec is resolved, by doing both edits."""
    git(blog.root, "init", "-qb", "main")
    commit(blog)
    before = deepcopy(blog.spec)
    git(blog.root, "checkout", "-qb", "theirs")
    work(blog, theirs)
    git(blog.root, "checkout", "-q", "main")
    blog.spec = deepcopy(before)
    work(blog, ours)
    git(blog.root, *way)
    blog.spec = before
    ours(blog.spec)
    theirs(blog.spec)
    blog.save()
    return blog


def add(name: str, at: int) -> Edit:
    return lambda spec: spec["tools"].insert(at, tool(name, "query", query=TEXT, count=NUMBER))


def describe(words: str) -> Edit:
    return lambda spec: spec["tools"][0].update(description=words, title=words)


def rename_server(spec: Spec) -> None:
    spec["name"] = "posts"


def rename_tool(spec: Spec) -> None:
    spec["tools"][0].update(name="find", renamedFrom="search")


def rename_other_tool(spec: Spec) -> None:
    spec["tools"][1].update(name="open", renamedFrom="read")


def release(spec: Spec) -> None:
    spec["version"] = "2.0.0"


def first_and_last(spec: Spec) -> None:
    add("fresh", 0)(spec)
    release(spec)


def give_hits(spec: Spec) -> None:
    hits = {"type": "array", "items": {"type": "object", "properties": {"title": TEXT}}}
    spec["tools"][0]["outputSchema"] = {"type": "object", "properties": {"hits": hits}}


def wait(spec: Spec) -> None:
    spec["tools"][0]["timeout"] = 5


def with_posts(spec: Spec) -> None:
    spec["resourceTemplates"] = [{"uriTemplate": "post://{slug}", "name": "post"}]


def with_prompt(spec: Spec) -> None:
    spec["prompts"] = [{"name": "sum_up", "arguments": [{"name": "topic", "required": True}]}]


def with_variable(spec: Spec) -> None:
    spec["env"] = [{"name": "BLOG_TOKEN", "description": "What the API asks for."}]


PAIRS: dict[str, tuple[Edit, Edit]] = {
    "tools in one place": (add("mine", 2), add("theirs", 2)),
    "tools in two places": (add("mine", 0), add("theirs", 2)),
    "one line of the spec": (describe("Finds quickly."), describe("Finds slowly.")),
    "a new server name and a new tool": (rename_server, add("fresh", 2)),
    "a new tool and a new server name": (add("fresh", 2), rename_server),
    "a new tool name and a new tool": (rename_tool, add("fresh", 2)),
    "a new server name and a new version": (rename_server, first_and_last),
    "the same edit": (release, release),
    "a timeout and a new tool name": (wait, rename_tool),
    "a new tool and a new tool name": (add("fresh", 1), rename_tool),
    "a first result and a new tool": (give_hits, add("fresh", 1)),
    "a first prompt and a first template": (with_prompt, with_posts),
    "a new server name and a first variable": (rename_server, with_variable),
}
WAYS = {
    "merge": ("merge", "theirs"),
    "merge, diff3": ("-c", "merge.conflictStyle=diff3", "merge", "theirs"),
    "squash": ("merge", "--squash", "theirs"),
    "rebase": ("rebase", "theirs"),
    "cherry-pick": ("cherry-pick", "theirs"),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("pair", PAIRS)
def test_whatever_git_leaves_of_our_files_is_resolved_by_the_next_run(
    blog: Living, tmp_path: Path, pair: str, way: str
) -> None:
    for name in ("search", "read"):
        path = f"src/blog/tools/{name}.py"
        blog.write(path, f"{blog.read(path)}\n# [mine in {name}]\n")
    merged(blog, *PAIRS[pair], *WAYS[way])
    result = blog.run()
    assert result.exit_code == 0, result.stderr
    assert "[template-missed]" not in result.stderr
    assert is_up_to_date(blog.root)
    git(blog.root, "add", "-A")
    said = blog.regenerate("--check").stderr
    assert said == "already up to date\n"

    fresh = Living.born(tmp_path / "fresh", blog.spec)
    here, there = blog.files(), fresh.files()
    ours = {path: data for path, data in here.items() if not path.startswith(".git/")}
    assert ours.keys() - there.keys() == there.keys() - ours.keys() == set(), result.stderr
    for path, data in ours.items():
        assert b"<<<<<<<" not in data
        name = Path(path).stem
        if "/tools/" in path and name != "__init__":
            assert data.decode().count("# [mine in") == 1, path
            assert f"import {blog.spec['name']}" in data.decode().replace("from", "import"), path
        else:
            assert data == there[path], path


@pytest.mark.parametrize("side", ["ours", "theirs"])
@pytest.mark.parametrize("pair", PAIRS)
def test_where_git_prefers_a_side_everything_imports_from_the_same_package(
    blog: Living, pair: str, side: str
) -> None:
    """The lock then has lines of both sides without markers, or is that of one."""
    merged(blog, *PAIRS[pair], "merge", "-X", side, "theirs")
    result = blog.run()
    assert result.exit_code == 0, result.stderr
    assert blog.regenerate("--check").stderr.startswith("already up to date")
    for path, data in blog.files().items():
        if path.startswith("src/") and path.endswith(".py"):
            packages = re.findall(r"(?:from|import) (blog|posts)\b", data.decode())
            assert {*packages} <= {blog.spec["name"]}, path


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("edits", [(rename_server, rename_tool), (rename_tool, rename_server)])
def test_a_handler_renamed_in_one_branch_and_moved_in_the_other_gets_both_names(
    blog: Living, edits: tuple[Edit, Edit], way: str
) -> None:
    code = written(blog)
    merged(blog, *edits, *WAYS[way])
    gets_both_names(blog, code)


def test_a_handler_of_the_other_side_gets_both_names_where_a_person_takes_that_side_whole(
    blog: Living,
) -> None:
    code = written(blog)
    merged(blog, rename_tool, rename_server, "merge", "-s", "ours", "--no-commit", "theirs")
    git(blog.root, "checkout", "theirs", "--", ".")
    git(blog.root, "rm", "-rqf", "src/blog")
    blog.save()
    gets_both_names(blog, code)


def written(blog: Living) -> str:
    """Write the handler `search`; return its lines but for the first, which says what it does."""
    path = "src/blog/tools/search.py"
    blog.write(path, blog.read(path).replace('raise NotImplementedError("search")', "return mine"))
    return blog.read(path).partition("\n")[2]


def gets_both_names(blog: Living, code: str) -> None:
    assert blog.run().exit_code == 0
    for old, new in (("blog.", "posts."), ("search", "find"), ("Search", "Find")):
        code = code.replace(old, new)
    assert blog.read("src/posts/tools/find.py").endswith(f'"""\n{code}')
    assert blog.regenerate("--check").stderr.startswith("already up to date")


def merge_an_edit_of_a_generated_file(blog: Living, path: str, edit: str) -> None:
    """Two branches add a tool each; on one a person adds a text to a generated file as well."""
    git(blog.root, "init", "-qb", "main")
    commit(blog)
    git(blog.root, "checkout", "-qb", "theirs")
    work(blog, add("theirs", 2))
    blog.write(path, f"{blog.read(path)}{edit}")
    commit(blog)
    git(blog.root, "checkout", "-q", "main")
    del blog.spec["tools"][2]
    work(blog, add("mine", 2))
    git(blog.root, "merge", "theirs")
    add("theirs", 2)(blog.spec)
    blog.save()


def test_an_edit_by_hand_of_a_generated_file_is_no_work_of_git(blog: Living) -> None:
    path = "src/blog/_generated/server.py"
    merge_an_edit_of_a_generated_file(blog, path, "# unheard\n")
    result = blog.run()
    assert result.exit_code == 1
    assert f"error[edited] `{path}` is generated, but was modified" in result.stderr
    assert "# unheard" in blog.read(path)
    blog.regenerate("--force", path)
    assert "# unheard" in blog.read(f"{path}.orig")


@pytest.mark.parametrize(
    "edit",
    [
        "raise TypeError\n",
        "def run() -> None: ...\n",
        "info.version = 1\n",
        "return\n",
        "# 0\n",
    ],
)
def test_an_edit_by_hand_in_words_of_ours_is_kept_beside(blog: Living, edit: str) -> None:
    path = "src/blog/_generated/server.py"
    merge_an_edit_of_a_generated_file(blog, path, edit)
    blog.run()
    kept = blog.root / f"{path}.orig"
    assert edit in (kept.read_text() if kept.exists() else blog.read(path))


def test_two_new_names_of_the_server_leave_no_copies_beside(blog: Living) -> None:
    merged(blog, rename_server, lambda spec: spec.update(name="news"), *WAYS["merge"])
    assert "<<<<<<<< HEAD:src/posts/" in blog.read("src/news/_generated/stdio.py")
    blog.run("--accept-conflicts")
    assert "<<<<<<<<" not in blog.read("src/news/_generated/stdio.py")
    assert not [path for path in blog.files() if path.endswith(".py.orig")]


def test_a_squashed_branch_with_the_old_name_of_the_server_leaves_no_copies_beside(
    blog: Living,
) -> None:
    """Git does not say which branches it has merged."""
    merged(blog, rename_server, add("fresh", 2), *WAYS["squash"])
    assert "from blog.tools.fresh import" in blog.read("src/posts/_generated/handlers.py")
    blog.regenerate()
    assert "from posts.tools.fresh import" in blog.read("src/posts/_generated/handlers.py")
    assert not [path for path in blog.files() if path.endswith(".orig")]


def two_branches(
    blog: Living, ours: Edit, theirs: Mapping[str, str], edit: Edit | None = None
) -> None:
    """One branch edits the spec and regenerates, the other edits files; git merges them.

    With `edit`, the other edits the spec as well. Afterwards `blog.spec` is that of the other.
    """
    before = deepcopy(blog.spec)
    git(blog.root, "init", "-qb", "main")
    commit(blog)
    git(blog.root, "checkout", "-qb", "mine")
    blog.edit(ours)
    blog.regenerate()
    commit(blog)
    git(blog.root, "checkout", "-qb", "theirs", "main")
    blog.spec = before
    for path, text in theirs.items():
        blog.write(path, text)
    if edit:
        blog.edit(edit)
        blog.regenerate()
    commit(blog)
    git(blog.root, "checkout", "-q", "mine")
    git(blog.root, "merge", "theirs")


@pytest.mark.parametrize("is_committed", [True, False])
def test_edits_in_a_package_that_the_other_branch_renamed_are_orphans(
    blog: Living, is_committed: bool
) -> None:
    paths = ["src/blog/__init__.py", "src/blog/__main__.py"]
    two_branches(blog, rename_server, {path: f"{blog.read(path)}# Jane\n" for path in paths})
    if is_committed:
        commit(blog)
    checked = blog.run("--check")
    assert checked.exit_code == 1
    said = blog.regenerate().stderr
    for path in paths:
        told = f"warning[orphan] `{path}` is no longer generated, but contains your changes"
        assert (told in checked.stderr, told in said) == (True, True), said
        assert "# Jane" in blog.read(path)
    assert blog.regenerate("--check").stderr == "already up to date\n"


@pytest.mark.parametrize("is_alone", [True, False])
def test_a_handler_that_one_branch_renamed_and_the_other_wrote_anew_gets_its_new_name(
    blog: Living, is_alone: bool
) -> None:
    text = "\n".join(f"# line {n} of Jane" for n in range(50))
    handler = f"{text}\nasync def search(arguments, context): return str(arguments)\n"
    written = {"src/blog/tools/search.py": handler}
    if is_alone:
        two_branches(blog, rename_tool, written)
    else:  # the lock has conflict markers, and names both files
        two_branches(blog, rename_tool, written, rename_other_tool)
        assert "<<<<<<<" in blog.read(".scaffold/lock.json")
        rename_tool(blog.spec)
        blog.save()
    assert "src/blog/tools/search.py" in blog.files()  # git does not see that it is renamed
    blog.regenerate()
    assert "src/blog/tools/search.py" not in blog.files()
    assert blog.read("src/blog/tools/find.py") == handler.replace("def search", "def find")
    assert blog.regenerate("--check").stderr == "already up to date\n"


def test_a_conflict_that_only_a_person_can_decide_is_told_at_its_line(blog: Living) -> None:
    git(blog.root, "init", "-qb", "main")
    commit(blog)
    readme = blog.read("README.md")
    git(blog.root, "checkout", "-qb", "theirs")
    blog.write("README.md", f"Theirs.\n{readme}")
    commit(blog)
    git(blog.root, "checkout", "-q", "main")
    blog.write("README.md", f"Mine.\n{readme}")
    commit(blog)
    git(blog.root, "merge", "theirs")
    result = blog.run()
    assert result.exit_code == 1
    assert "README.md:1:1: error[conflict]" in result.stderr


def test_a_lock_with_conflict_markers_is_not_up_to_date(blog: Living) -> None:
    path = blog.root / ".scaffold/lock.json"
    lines = path.read_text().splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if "TOOLS.md" in line)
    lines[at : at + 1] = ["<<<<<<< HEAD\n", lines[at], "=======\n", lines[at], ">>>>>>> theirs\n"]
    path.write_text("".join(lines))
    checked = blog.run("--check")
    assert (checked.exit_code, "run `mcp-scaffold regenerate`" in checked.stderr) == (1, True)
    assert "has been rewritten" in blog.regenerate().stderr
    blog.regenerate("--check")
