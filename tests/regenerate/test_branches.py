"""Two branches of a project, joined by git: one resolves the spec and one's own files, and runs."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import pytest

from scaffold.project.inputs import is_up_to_date
from tests.regenerate.living import NUMBER, TEXT, Living, Spec, listed, tool
from tests.repository import git

pytestmark = pytest.mark.usefixtures("starts_programs")

Edit = Callable[[Spec], object]


def commit(blog: Living) -> None:
    git(blog.root, "add", "-A")
    git(blog.root, "commit", "-qm", "all")


def work(blog: Living, change: Edit) -> None:
    """Edit the spec, regenerate, write the handlers that are new, commit."""
    blog.edit(change)
    blog.regenerate()
    write_handlers(blog)
    commit(blog)


def write_handlers(blog: Living) -> None:
    for file in blog.root.glob("src/*/tools/*.py"):
        if "NotWritten" in file.read_text() and "# mine" not in file.read_text():
            file.write_text(f"{file.read_text()}# mine in {file.stem}\n")


def joined(blog: Living, ours: Edit, theirs: Edit, way: str) -> None:
    """Make two branches, join them, and resolve the spec by doing both edits."""
    git(blog.root, "init", "-qb", "main")
    write_handlers(blog)
    commit(blog)
    before = deepcopy(blog.spec)
    git(blog.root, "checkout", "-qb", "theirs")
    work(blog, theirs)
    git(blog.root, "checkout", "-q", "main")
    blog.spec = deepcopy(before)
    work(blog, ours)
    git(blog.root, way, "theirs", check=False)
    blog.spec = before
    theirs(blog.spec)
    ours(blog.spec)
    blog.save()


def resolve(blog: Living) -> None:
    """Take one side of every merged file in which git has left conflict markers."""
    for path in git(blog.root, "diff", "--name-only", "--diff-filter=U", "--relative").splitlines():
        if b"<<<<<<<" in (blog.root / path).read_bytes():
            git(blog.root, "checkout", "--ours", path)


def add(name: str, at: int) -> Edit:
    return lambda spec: spec["tools"].insert(at, tool(name, "query", query=TEXT, count=NUMBER))


def rename_tool(spec: Spec) -> None:
    spec["tools"][0].update(name="find", renamedFrom="search")


def rename_server(spec: Spec) -> None:
    spec["name"] = "journal"


def release(spec: Spec) -> None:
    spec["version"] = "2.0.0"


PAIRS: dict[str, tuple[Edit, Edit]] = {
    "tools in one place": (add("mine", 2), add("theirs", 2)),
    "tools in two places": (add("mine", 0), add("theirs", 2)),
    "a new tool and a tool renamed": (add("fresh", 2), rename_tool),
    "a tool renamed and a new tool": (rename_tool, add("fresh", 2)),
    "a release and a new tool": (release, add("fresh", 1)),
    "a new tool and a server renamed": (add("fresh", 2), rename_server),
    "a server renamed and a new tool": (rename_server, add("fresh", 2)),
}


@pytest.mark.parametrize("way", ["merge", "rebase", "cherry-pick"])
@pytest.mark.parametrize("pair", PAIRS)
def test_after_the_spec_is_resolved_the_next_run_resolves_the_rest(
    blog: Living, pair: str, way: str
) -> None:
    joined(blog, *PAIRS[pair], way)
    resolve(blog)
    for path, data in blog.everything().items():
        assert b"<<<<<<<" not in data, path
    blog.regenerate()
    assert is_up_to_date(blog.root)
    package = blog.package.name
    for file in blog.root.glob(f"src/{package}/tools/*.py"):
        if package != "blog" and "from blog." in (text := file.read_text()):
            broken = blog.run("--check")  # git has joined what does not fit together
            assert broken.exit_code == 1
            assert f"{file.relative_to(blog.root)}:3: warning[gone-name]" in broken.output
            file.write_text(text.replace("from blog.", f"from {package}."))
    assert blog.run("--check").exit_code == 0
    handlers = {p.stem: p.read_text() for p in blog.root.glob(f"src/{package}/tools/[!_]*.py")}
    assert handlers.keys() == {tool["name"] for tool in blog.spec["tools"]}
    assert all("# mine in" in text for text in handlers.values())
    assert sorted(listed(blog)) == sorted(handlers)
    fresh = Living.born(blog.root.with_name("fresh"), blog.spec).files()
    same = {path for path, data in blog.files().items() if data == fresh.get(path)}
    mine = {f"src/{package}/tools/{name}.py" for name in handlers}
    assert fresh.keys() - same <= mine


def test_git_merges_no_generated_file_of_a_server_that_the_other_branch_renamed(
    blog: Living,
) -> None:
    git(blog.root, "init", "-qb", "main")
    paths = ("src/blog/_generated/server.py", "src/journal/_generated/server.py")
    output = git(blog.root, "check-attr", "merge", "--", *paths)
    assert output == "".join(f"{path}: merge: unset\n" for path in paths)


def test_a_clone_has_the_handlers_of_a_server_with_an_unlucky_name(tmp_path: Path) -> None:
    for name in ("dist", "build", "env"):
        blog = Living.born(
            tmp_path / name, {"name": name, "version": "1.0.0", "tools": [tool("a")]}
        )
        git(blog.root, "init", "-qb", "main")
        assert git(blog.root, "status", "--porcelain", "--ignored=matching", "src") == "?? src/\n"
