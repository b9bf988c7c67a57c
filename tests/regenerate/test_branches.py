"""Two branches of a project, joined by git: one resolves the spec and one's own files, and runs."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy

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


def release(spec: Spec) -> None:
    spec["version"] = "2.0.0"


PAIRS: dict[str, tuple[Edit, Edit]] = {
    "tools in one place": (add("mine", 2), add("theirs", 2)),
    "tools in two places": (add("mine", 0), add("theirs", 2)),
    "a new tool and a tool renamed": (add("fresh", 2), rename_tool),
    "a tool renamed and a new tool": (rename_tool, add("fresh", 2)),
    "a release and a new tool": (release, add("fresh", 1)),
}


@pytest.mark.parametrize("way", ["merge", "rebase", "cherry-pick"])
@pytest.mark.parametrize("pair", PAIRS)
def test_with_the_spec_resolved_the_next_run_does_the_rest(
    blog: Living, pair: str, way: str
) -> None:
    joined(blog, *PAIRS[pair], way)
    resolve(blog)
    for path, data in blog.everything().items():
        assert b"<<<<<<<" not in data, path
    blog.regenerate()
    assert is_up_to_date(blog.root)
    handlers = {p.stem: p.read_text() for p in blog.root.glob("src/blog/tools/[!_]*.py")}
    assert handlers.keys() == {one["name"] for one in blog.spec["tools"]}
    assert all("# mine in" in text for text in handlers.values())
    assert sorted(listed(blog)) == sorted(handlers)
    fresh = Living.born(blog.root.with_name("fresh"), blog.spec).files()
    same = {path for path, data in blog.files().items() if data == fresh.get(path)}
    mine = {f"src/blog/tools/{name}.py" for name in handlers}
    assert fresh.keys() - same <= mine
