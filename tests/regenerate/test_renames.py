"""What is renamed in the spec takes along what people wrote for it, and the server starts."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.regenerate.living import NUMBER, TEXT, Living, Spec, listed, spec, tool
from tests.teams.building import record_pack

NESTED = {
    "type": "object",
    "properties": {
        "hits": {"type": "array", "items": {"type": "object", "properties": {"title": TEXT}}}
    },
    "required": ["hits"],
}
HANDLER = '''"""How we search, which is not how others search."""

from blog._generated.contract import Context, SearchArguments, SearchHit, SearchResult
from blog.index import search as look_up

import re


async def search(arguments: SearchArguments, context: Context) -> SearchResult:
    # search for "search"
    if re.search("again", arguments.query):
        return await search(SearchArguments(query="search"), context)
    return SearchResult(hits=[SearchHit(title=look_up(arguments.query))])
'''
INDEX = """def search(query: str) -> str:
    from blog.tools import search as handler

    return f"{query}: {handler.__doc__}"
"""
TEST = """from blog.index import search as look_up
from blog.tools.search import search


def test_it() -> None:
    assert "not how others" in look_up("x")
    assert search.__name__
"""


@pytest.fixture
def living(tmp_path: Path) -> Living:
    """A server with a handler that uses what it may, a module of its own, and a test."""
    project = Living.born(
        tmp_path / "blog",
        spec(
            {**tool("search", "query", query=TEXT), "outputSchema": NESTED},
            tool("read", "source", source=TEXT),
            resources=[{"uri": "blog://posts", "name": "posts", "description": "All posts."}],
            resourceTemplates=[
                {"uriTemplate": "post://{slug}", "name": "post", "description": "A post."}
            ],
            prompts=[
                {
                    "name": "summarise",
                    "description": "Summarise a post.",
                    "arguments": [{"name": "slug", "description": "Which.", "required": True}],
                }
            ],
        ),
    )
    project.write("src/blog/tools/search.py", HANDLER)
    project.write("src/blog/index.py", INDEX)
    project.write("src/blog/data/words.txt", "search blog\n")
    project.write("tests/unit/test_search.py", TEST)
    return project


def rename(entry: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {**entry, "name": name, "renamedFrom": entry["name"]}


def rename_search(spec: Spec) -> None:
    spec["tools"][0] = rename(spec["tools"][0], "find")


def in_project(living: Living, *command: str) -> str:
    """What a command of the project prints, which ends well."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=living.root,
        env={"PYTHONPATH": "src:.", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_two_tools_swap_their_names_in_one_run(blog: Living) -> None:
    def swap(spec: Spec) -> None:
        spec["tools"][0].update(name="read", renamedFrom="search")
        spec["tools"][1].update(name="search", renamedFrom="read")

    for name in ("search", "read"):
        handler = f"src/blog/tools/{name}.py"
        blog.write(handler, f"{blog.read(handler)}# mine of {name}\n")
    blog.edit(swap)
    assert "search → read\nread → search\n" in blog.regenerate().stderr
    for name, was in (("search", "read"), ("read", "search")):
        text = blog.read(f"src/blog/tools/{name}.py")
        assert f"async def {name}(" in text
        assert text.endswith(f"# mine of {was}\n")
    blog.edit(lambda spec: spec.update(version="2.0.0"))
    assert "→ read" not in blog.regenerate().stderr
    assert "# mine of read" in blog.read("src/blog/tools/search.py")


def test_tools_in_another_order_keep_their_handlers_and_what_these_import(tmp_path: Path) -> None:
    """Names that clash depend on the order: what a handler imports follows."""
    blog = Living.born(tmp_path / "blog", spec(tool("get.user", a=TEXT), tool("getUser", b=TEXT)))
    for file in blog.package.glob("tools/[!_]*.py"):
        of = "get.user" if "get.user" in file.read_text() else "getUser"
        file.write_text(f"{file.read_text()}# mine of {of}\n")
    blog.edit(lambda spec: spec["tools"].reverse())
    blog.regenerate()
    stubs = Living.born(tmp_path / "fresh", blog.spec)
    for file in blog.package.glob("tools/[!_]*.py"):
        text, _, mine = file.read_text().partition("# mine of ")
        assert text == stubs.read(f"src/blog/tools/{file.name}")
        assert f"what {mine.strip()} does" in text


class TestOfATool:
    @pytest.mark.usefixtures("starts_programs")
    def test_the_handler_moves_with_its_text_and_all_use_the_new_names(
        self, living: Living
    ) -> None:
        living.edit(rename_search)
        said = living.regenerate().stderr
        assert "move      src/blog/tools/find.py  (from src/blog/tools/search.py)\n" in said
        assert "\nsearch → find\n" in said
        assert not (living.root / "src/blog/tools/search.py").exists()
        assert living.read("src/blog/tools/find.py") == (
            HANDLER.replace("SearchArguments", "FindArguments")
            .replace("SearchHit", "FindHit")
            .replace("SearchResult", "FindResult")
            .replace("async def search", "async def find")
            .replace("await search", "await find")
        )
        assert living.read("src/blog/index.py") == INDEX.replace("search as", "find as")
        in_project(living, "-m", "pytest", "-q", "tests/unit")
        in_project(living, "-c", "import blog._generated.server")

    @pytest.mark.usefixtures("starts_programs")
    def test_a_rename_that_was_forgotten_can_be_made_good(self, living: Living) -> None:
        """The first run tells how, the second finds the handler that it has left behind."""

        def drop_and_add(spec: Spec) -> None:
            spec["tools"][0] = {**spec["tools"][0], "name": "searches"}

        living.edit(drop_and_add)
        said = living.regenerate().stderr
        assert "mcp.yaml:" in said
        assert "warning[maybe-renamed] `searches` is new, `search` is gone" in said
        assert "add `renamedFrom: search` and run again" in said
        living.edit(lambda spec: spec["tools"][0].update(renamedFrom="search"))
        living.regenerate()
        assert "async def searches(arguments: SearchesArguments" in living.read(
            "src/blog/tools/searches.py"
        )
        assert not (living.root / "src/blog/tools/search.py").exists()
        in_project(living, "-c", "import blog._generated.server")

    def test_a_tool_that_comes_back_finds_its_handler(self, living: Living) -> None:
        search = living.spec["tools"][0]
        living.edit(lambda spec: spec["tools"].remove(search))
        living.regenerate()
        assert living.read("src/blog/tools/search.py") == HANDLER
        living.edit(lambda spec: spec["tools"].append(search))
        said = living.regenerate().stderr
        assert "src/blog/tools/search.py" not in said
        assert living.read("src/blog/tools/search.py") == HANDLER

    def test_a_name_that_is_taken_is_a_conflict(self, living: Living) -> None:
        living.write("src/blog/tools/search.py", HANDLER + "\n\ndef find() -> None: ...\n")
        living.edit(rename_search)
        before = living.everything()
        result = living.run()
        assert result.exit_code == 1
        assert "error[name-taken]" in result.stderr
        assert living.everything() == before

    @pytest.mark.usefixtures("starts_programs")
    def test_a_place_that_another_handler_has_is_a_conflict(self, living: Living) -> None:
        """Neither answers for the other: the user says which it is by moving one away."""
        living.write("src/blog/tools/read.py", living.read("src/blog/tools/read.py") + "# mine\n")
        living.edit(lambda spec: spec.update(tools=[rename(spec["tools"][0], "read")]))
        before = living.everything()
        for options in ([], ["--force=src/blog/tools/read.py"], ["--accept-conflicts"]):
            result = living.run(*options)
            assert result.exit_code == 1
            assert (
                "error[no-room] `src/blog/tools/read.py` already exists, but another file should move"
                " there\nhint: move it or `src/blog/tools/search.py` away, then run again"
            ) in result.stderr
            assert "orphan" not in result.stderr
            assert living.everything() == before
        (living.root / "src/blog/tools/read.py").rename(living.root / "read.txt")
        living.regenerate()
        assert "how others search" in living.read("src/blog/tools/read.py")
        assert not (living.root / "src/blog/tools/search.py").exists()
        in_project(living, "-c", "import blog._generated.server")

    @pytest.mark.parametrize("text", [b"def search(:\n", b"search = '\xff'\n"])
    def test_what_cannot_be_read_moves_as_it_is_and_says_so(
        self, living: Living, text: bytes
    ) -> None:
        (living.root / "src/blog/tools/search.py").write_bytes(text)
        living.edit(rename_search)
        assert "warning[old-names] `src/blog/tools/find.py` may use old names" in (
            living.regenerate().stderr
        )
        assert (living.root / "src/blog/tools/find.py").read_bytes() == text


class TestOfNamesThatAreTheUsers:
    """What the user has called as we call something is left alone."""

    @pytest.mark.usefixtures("starts_programs")
    def test_classes_enum_members_and_star_imports(self, living: Living) -> None:
        mine = {
            "src/blog/models.py": "class SearchResult:\n    pass\n",
            "src/blog/kinds.py": "import enum\n\nclass Kind(enum.Enum):\n    SearchResult = 1\n    search = 2\n",
            "src/blog/stars.py": "from blog.models import *\n\nx = SearchResult()\n",
            "src/blog/uses.py": "from blog.models import SearchResult\nfrom .kinds import Kind\nimport blog.models as m\nx: SearchResult = m.SearchResult()\ny = Kind.SearchResult, Kind.search\n",
            "src/blog/tools/read.py": "class SearchResult: ...\n\nasync def read(arguments, context):\n    return 'x'\n",
            "tests/unit/test_mine.py": "from blog.tools.read import SearchResult\nfrom blog.uses import SearchResult as S\n",
        }
        for path, text in mine.items():
            living.write(path, text)
        living.edit(rename_search)
        assert "old-names" not in living.regenerate().stderr
        assert {path: living.read(path) for path in mine} == mine
        in_project(living, "-c", "import blog.uses, blog.stars, blog._generated.server")

    @pytest.mark.usefixtures("starts_programs")
    def test_one_that_a_module_of_the_user_passes_on_stays_its_name(self, living: Living) -> None:
        living.write("src/blog/types.py", "from ._generated.contract import SearchResult\n")
        living.write("src/blog/uses.py", "from .types import SearchResult\nx = SearchResult\n")
        living.edit(rename_search)
        living.regenerate()
        kept = "from ._generated.contract import FindResult as SearchResult\n"
        assert living.read("src/blog/types.py") == kept
        assert "FindResult" not in living.read("src/blog/uses.py")
        in_project(living, "-c", "import blog.uses")

    def test_what_is_not_certain_is_told_with_its_line(self, living: Living) -> None:
        text = "from blog._generated.contract import *\nx: SearchResult\n"
        living.write("src/blog/uses.py", text)
        living.edit(rename_search)
        said = living.regenerate().stderr
        assert "src/blog/uses.py:2: warning[old-names] `src/blog/uses.py` may use" in said
        assert "`SearchResult` (line 2)" in said
        assert living.read("src/blog/uses.py") == text

    def test_a_name_that_there_was_not(self, living: Living) -> None:
        living.edit(lambda s: s["tools"][0].update(name="find", renamedFrom="serch"))
        said = living.regenerate().stderr
        assert "warning[unknown-name] `find` cannot be renamed from `serch`, which did not" in said
        assert "hint: did you mean `search`?" in said
        assert "unknown-name" not in living.regenerate().stderr


class TestOfHandlersThatArePackages:
    """`search/__init__.py` in the place of `search.py`."""

    @pytest.fixture
    def living(self, living: Living) -> Living:
        (living.root / "src/blog/tools/search.py").unlink()
        text = HANDLER.replace("\nimport re", "\nfrom .words import WORDS\nimport re")
        living.write("src/blog/tools/search/__init__.py", text)
        living.write("src/blog/tools/search/words.py", "WORDS = ['a']\n")
        return living

    def test_it_is_used_with_no_stub_beside_it(self, living: Living) -> None:
        assert living.regenerate().stderr == "already up to date\n"
        living.edit(lambda spec: spec["tools"][1].update(description="Reads."))
        living.regenerate()
        assert not (living.root / "src/blog/tools/search.py").exists()
        assert listed(living) == ["search", "read"]

    @pytest.mark.parametrize("server", ["blog", "posts"])
    def test_it_goes_where_its_tool_goes(self, living: Living, server: str) -> None:
        living.edit(lambda spec: spec.update(name=server))
        living.edit(rename_search)
        living.regenerate()
        names = {path.name for path in (living.root / f"src/{server}/tools").iterdir()}
        assert names == {"__init__.py", "find", "read.py"}
        assert "async def find(" in living.read(f"src/{server}/tools/find/__init__.py")
        assert living.read(f"src/{server}/tools/find/words.py") == "WORDS = ['a']\n"
        assert listed(living) == ["find", "read"]
        assert living.regenerate().stderr == "already up to date\n"


class TestOfNamesThatFollowFromOthers:
    """Two wire names that would get one Python name get other ones, and their handlers move."""

    @pytest.mark.usefixtures("starts_programs")
    def test_a_handler_gives_way_to_a_tool_with_the_better_claim(self, tmp_path: Path) -> None:
        living = Living.born(tmp_path / "blog", spec(tool("get.user", "id", id=TEXT)))
        mine = living.read("src/blog/tools/get_user.py").replace(
            "raise NotWritten", 'return "mine"'
        )
        living.write("src/blog/tools/get_user.py", mine)
        living.edit(lambda spec: spec["tools"].append(tool("get_user", "id", id=NUMBER)))
        living.regenerate()
        (moved,) = (living.root / "src/blog/tools").glob("get_user_*.py")
        assert 'return "mine"' in moved.read_text()
        assert f"async def {moved.stem}(" in moved.read_text()
        assert "raise NotWritten" in living.read("src/blog/tools/get_user.py")
        in_project(living, "-c", "import blog._generated.server")
        living.edit(lambda spec: spec["tools"].pop())
        living.regenerate()
        assert living.read("src/blog/tools/get_user.py") == mine


class TestOfOtherEntries:
    @pytest.mark.usefixtures("starts_programs")
    @pytest.mark.parametrize(
        ("kind", "path", "now"),
        [
            ("resources", "src/blog/resources/posts.py", "every_post"),
            ("resourceTemplates", "src/blog/resources/post.py", "article"),
            ("prompts", "src/blog/prompts/summarise.py", "sum_up"),
        ],
    )
    def test_each_kind_can_be_renamed(self, living: Living, kind: str, path: str, now: str) -> None:
        """A resource at the same address needs no `renamedFrom`."""
        mine = living.read(path).replace("raise NotWritten", 'return "mine"')
        living.write(path, mine)
        entry = living.spec[kind][0]
        was = entry["name"]
        entry.update(rename(entry, now) if kind == "prompts" else {"name": now})
        living.save()
        assert f"{was} → {now}" in living.regenerate().stderr
        text = living.read(path.replace(was, now))
        assert 'return "mine"' in text
        assert f"async def {now}(" in text
        assert not (living.root / path).exists()
        in_project(living, "-c", "import blog._generated.server")


class TestOfTheServer:
    @pytest.mark.usefixtures("starts_programs")
    def test_everything_goes_along_and_works_under_the_new_name(self, living: Living) -> None:
        """Handlers, what is shared, the user's own modules and data, and what tests import."""
        living.write("src/blog/__main__.py", living.read("src/blog/__main__.py") + "# mine\n")
        living.write("tests/test_blog.py", living.read("tests/test_blog.py") + "# mine\n")
        living.edit(lambda spec: spec.update(name="my-posts"))
        living.regenerate()
        assert [path.name for path in (living.root / "src").iterdir()] == ["my_posts"]
        assert living.read("src/my_posts/data/words.txt") == "search blog\n"
        assert living.read("src/my_posts/index.py") == INDEX.replace("from blog", "from my_posts")
        assert living.read("src/my_posts/tools/search.py") == HANDLER.replace(
            "from blog.", "from my_posts."
        )
        assert living.read("src/my_posts/__main__.py").endswith("# mine\n")
        assert "from my_posts._generated.server" in living.read("tests/test_my_posts.py")
        assert living.read("tests/test_my_posts.py").endswith("# mine\n")
        assert not (living.root / "tests/test_blog.py").exists()
        in_project(living, "-m", "pytest", "-q")
        assert living.regenerate("--check").stderr == "already up to date\n"

    def test_what_has_no_room_is_a_conflict_before_anything_is_written(
        self, living: Living
    ) -> None:
        """Imports of `posts.index` would mean the module that lies there."""
        living.write("src/posts/index.py", "there already\n")
        living.edit(lambda spec: spec.update(name="posts"))
        before = living.everything()
        result = living.run()
        assert result.exit_code == 1
        assert "error[no-room] `src/posts` already exists" in result.stderr
        assert "hint: move it or `src/blog` away" in result.stderr
        assert living.everything() == before

    def test_caches_of_another_branch_are_not_in_the_way(self, living: Living) -> None:
        living.write("src/posts/tools/__pycache__/search.cpython-313.pyc", "bytecode\n")
        living.edit(lambda spec: spec.update(name="posts"))
        living.regenerate()
        assert [path.name for path in (living.root / "src").iterdir()] == ["posts"]
        assert not (living.root / "src/posts/tools/__pycache__").exists()
        assert living.regenerate("--check").stderr == "already up to date\n"

    def test_nor_are_those_in_a_handler_that_is_a_package(self, living: Living) -> None:
        tools = living.root / "src/blog/tools"
        (tools / "search").mkdir()
        (tools / "search.py").rename(tools / "search/__init__.py")
        living.write("src/blog/tools/find/__pycache__/old.cpython-313.pyc", "bytecode\n")
        living.edit(lambda spec: spec.update(name="posts"))
        living.edit(lambda spec: spec["tools"][0].update(name="find", renamedFrom="search"))
        living.regenerate()
        found = [path.name for path in (living.root / "src/posts/tools/find").iterdir()]
        assert found == ["__init__.py"]
        assert living.regenerate("--check").stderr == "already up to date\n"

    def test_all_that_lies_in_the_package_goes_along_whatever_it_is(
        self, living: Living, tmp_path: Path
    ) -> None:
        """Links, odd names, repositories in it, and empty folders; links are not followed."""
        package = living.root / "src/blog"
        (tmp_path / "outside").mkdir()
        (tmp_path / "outside/__init__.py").write_text("from blog import index\n")
        (package / "linked").symlink_to(tmp_path / "outside")
        (package / "link.py").symlink_to("index.py")
        (package / os.fsdecode(b"data/\xff:*.txt")).write_text("odd\n")
        living.write("src/blog/vendor/.git/config", "[core]\n")
        living.write("src/blog/vendor/code.py", "import blog.index\n")
        (package / "empty").mkdir()
        living.edit(lambda spec: spec.update(name="posts"))
        living.regenerate()
        package = living.root / "src/posts"
        assert [path.name for path in (living.root / "src").iterdir()] == ["posts"]
        assert (package / "linked").readlink() == tmp_path / "outside"
        assert (package / "link.py").resolve() == package / "index.py"
        assert (package / os.fsdecode(b"data/\xff:*.txt")).read_text() == "odd\n"
        assert living.read("src/posts/vendor/.git/config") == "[core]\n"
        assert living.read("src/posts/vendor/code.py") == "import posts.index\n"
        assert (package / "empty").is_dir()
        assert (tmp_path / "outside/__init__.py").read_text() == "from blog import index\n"
        assert living.regenerate("--check").stderr == "already up to date\n"

    def test_a_package_that_the_user_has_moved_is_ours_all_the_same(self, living: Living) -> None:
        living.write("src/blog/__main__.py", living.read("src/blog/__main__.py") + "# mine\n")
        (living.root / "src/blog").rename(living.root / "src/posts")
        living.edit(lambda spec: spec.update(name="posts"))
        said = living.regenerate().stderr
        assert said.count("warning[") == said.count("warning[breaks-callers]") == 1
        assert [path.name for path in (living.root / "src").iterdir()] == ["posts"]
        assert living.read("src/posts/index.py") == INDEX.replace("from blog", "from posts")
        assert "from posts._generated" in living.read("src/posts/__main__.py")
        assert living.read("src/posts/__main__.py").endswith("# mine\n")
        assert "from posts._generated" in living.read("src/posts/tools/search.py")
        assert listed(living) == ["search", "read"]


class TestOfTemplates:
    PACK = """name = "acme"
contract = 3
extends = "python"

[[files]]
template = "Dockerfile.j2"
path = "docker/Dockerfile"
owner = "merged"

[[files]]
template = "tests/test_package.py.j2"
path = "tests/tools/test_examples.py"
owner = "owned"
when = "project.handlers"
"""

    def test_where_a_template_has_another_path_the_user_s_file_goes_there(
        self, living: Living
    ) -> None:
        """But nothing else does: what lies beside it is none of the template's business."""
        living.write("Dockerfile", living.read("Dockerfile") + "# mine\n")
        living.write("tests/test_blog.py", "# mine\n")
        living.write(".scaffold/pack/pack.toml", self.PACK)
        record_pack(living.root)
        said = living.regenerate().stderr
        assert "move      docker/Dockerfile  (from Dockerfile)\n" in said
        assert living.read("docker/Dockerfile").endswith("# mine\n")
        assert living.read("tests/tools/test_examples.py") == "# mine\n"
        assert living.read("tests/unit/test_search.py") == TEST
        assert not (living.root / "Dockerfile").exists()
        assert living.regenerate("--check").stderr == "already up to date\n"
