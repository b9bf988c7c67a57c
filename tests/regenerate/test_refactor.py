"""Names are changed where they mean what was renamed, and nowhere else."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import scaffold
from scaffold.disk.refactor import Names, NameTakenError, renamed

NAMES = Names(
    package=("blog", "posts"),
    dotted={
        "blog.tools.search": "posts.tools.find",
        "blog.tools.search.search": "posts.tools.find.find",
    },
    types={"SearchArguments": "FindArguments", "SearchResultHit": "FindResultHit"},
)
HANDLER = "blog.tools.search"

CASES = {
    "the handler, its types and its package": (
        """\
from blog._generated.contract import Context, SearchArguments

async def search(arguments: SearchArguments, context: Context) -> str:
    return arguments['query']
""",
        """\
from posts._generated.contract import Context, FindArguments

async def find(arguments: FindArguments, context: Context) -> str:
    return arguments['query']
""",
    ),
    "what is decorated, and calls itself": (
        """\
@cached
def search(n):
    return search(n - 1)
""",
        """\
@cached
def find(n):
    return find(n - 1)
""",
    ),
    "not what reads the same": (
        """\
\"\"\"search blog\"\"\"
import re  # search

class Index:
    search = 1

    def search_all(self): return re.search(self.search, 'search', search=1)
""",
        None,
    ),
    "not what is local, in other words the same": (
        """\
import other.search as index

def f(blog):
    return blog.tools.search
""",
        None,
    ),
    "relative imports": (
        """\
from . import search
from .search import search as run
from .._generated.contract import SearchArguments as A
from ..index import x
""",
        """\
from . import find
from .find import find as run
from .._generated.contract import FindArguments as A
from ..index import x
""",
    ),
    "modules and what is in them": (
        """\
import blog.tools.search as s
import blog.tools
from blog import tools as t
s.search(t.search.search, blog.tools.search.search)
""",
        """\
import posts.tools.find as s
import posts.tools
from posts import tools as t
s.find(t.find.find, posts.tools.find.find)
""",
    ),
    "types that go through a module of the user's": (
        """\
from blog.models import SearchArguments
x: list[SearchArguments] = []
""",
        """\
from posts.models import FindArguments
x: list[FindArguments] = []
""",
    ),
    "an import that another one stands in for": (
        """\
try:
    from blog.tools.search import search
except ImportError:
    search = None
""",
        """\
try:
    from posts.tools.find import find as search
except ImportError:
    search = None
""",
    ),
    "an import whose new name is taken": (
        """\
from blog.tools.search import search

def f(find):
    return search(find)
""",
        """\
from posts.tools.find import find as search

def f(find):
    return search(find)
""",
    ),
    "an import in a function": (
        """\
def f():
    from blog.tools.search import search
    return search()
""",
        """\
def f():
    from posts.tools.find import find
    return find()
""",
    ),
    "everything at once": (
        """\
from blog._generated.contract import *
x: SearchArguments
""",
        """\
from posts._generated.contract import *
x: FindArguments
""",
    ),
    "parentheses, continued lines and comments": (
        """\
from blog._generated.contract import (
    Context,  # SearchArguments
    SearchArguments,
)
from blog.tools.search \\
    import search
""",
        """\
from posts._generated.contract import (
    Context,  # SearchArguments
    FindArguments,
)
from posts.tools.find \\
    import find
""",
    ),
}


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=CASES)
def test_names_are_changed_where_they_are_meant(before: str, after: str | None) -> None:
    module = HANDLER if "def search" in before or "from ." in before else "tests.test_search"
    assert renamed(before, NAMES, module) == (before if after is None else after)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_bytes_that_are_no_ascii_and_every_line_end_are_kept(end: str) -> None:
    text = f"# \u00e9 search{end}\u00fc = 1; from blog.tools.search import search{end}\u00fc = search(){end}"
    assert renamed(text, NAMES, None) == (
        f"# \u00e9 search{end}\u00fc = 1; from posts.tools.find import find{end}\u00fc = find(){end}"
    )


def test_a_function_whose_name_is_used_in_two_ways_is_given_the_new_one_beside() -> None:
    """Nothing in the text has to be told apart, and the server finds what it imports."""
    text = "def search(x):\n    return x\n\nsearch = cached(search)\n"
    assert renamed(text, NAMES, HANDLER) == f"{text}\n\nfind = search\n"
    text = "def search(n, find):\n    return search(n - 1, find)\n"
    assert renamed(text, NAMES, HANDLER) == f"{text}\n\nfind = search\n"


def test_a_local_variable_may_have_the_new_name() -> None:
    text = "def search(x):\n    find = x\n    return find\n"
    assert renamed(text, NAMES, HANDLER) == text.replace("search", "find")


def test_a_module_that_has_something_else_under_the_new_name_is_refused() -> None:
    with pytest.raises(NameTakenError):
        renamed("def search(): ...\n\ndef find(): ...\n", NAMES, HANDLER)


@pytest.mark.parametrize("text", ["def f(:\n", "\0", "(" * 5000, "x = 'a\n", "a." * 99999 + "b"])
def test_what_is_not_python_is_refused(text: str) -> None:
    with pytest.raises(SyntaxError):
        renamed(text, NAMES, None)


MODULES = sorted(Path(scaffold.__file__).parent.glob("*/[d-n]*.py"))


@pytest.mark.parametrize("path", MODULES, ids=[path.stem for path in MODULES])
def test_there_and_back_is_the_same_text_and_in_between_the_same_program(path: Path) -> None:
    """On real modules, ours: the package, a module of it, a function and some classes."""
    there = Names(
        ("scaffold", "frame"),
        {
            "scaffold.disk.diff": "frame.disk.delta",
            "scaffold.disk.diff.lines": "frame.disk.delta.split_rows",
        },
        {"RelPath": "PathInProject", "Diagnostic": "Finding_", "Names": "NameS"},
    )
    back = Names(
        ("frame", "scaffold"),
        {new: old for old, new in there.dotted.items()},
        {new: old for old, new in there.types.items()},
    )
    module = ".".join(path.relative_to(path.parents[len(path.parents) - 1]).with_suffix("").parts)
    module = module[module.rindex("scaffold.") :]
    text = path.read_text(encoding="utf-8")
    between = renamed(text, there, module)
    assert renamed(between, back, there.new(module)) == text
    assert "from scaffold." not in between
    ast.parse(between)
