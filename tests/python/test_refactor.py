"""NewNames are changed where they mean what was renamed, and nowhere else."""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest

import scaffold
from scaffold.language import NameTakenError, Rewritten
from scaffold.python.refactor import rename as refactor
from scaffold.python.refactor.meanings import Program
from scaffold.python.refactor.names import NewNames, Unit

NAMES = NewNames(
    package=("blog", "posts"),
    dotted={
        "blog.tools.search": "posts.tools.find",
        "blog.tools.search.search": "posts.tools.find.find",
        **{
            f"blog._generated.contract.Search{end}": f"posts._generated.contract.Find{end}"
            for end in ("Arguments", "Result", "ResultHit")
        },
    },
)
CONTRACT = (
    "class {0}Arguments: ...\nclass {0}Result: ...\nclass {0}ResultHit: ...\nclass Context: ...\n"
)
HANDLER = "blog.tools.search"


def program(names: NewNames, modules: Mapping[str, str]) -> Program:
    """A program of these texts by dotted names; that of a package ends in a dot."""
    units = [(Unit(name.rstrip("."), name.endswith(".")), text) for name, text in modules.items()]
    return Program(names, {unit.name: (unit, partial(str, text)) for unit, text in units})


def refactored(text: str, module: str | None, **modules: str) -> Rewritten:
    """The text as that of a module, or of a package (`blog.`), beside others.

    `__` in the names of the others is a dot.
    """
    others = {name.replace("__", "."): other for name, other in modules.items()}
    own = module or "script"
    unit = Unit(own.rstrip("."), own.endswith("."))
    contract = {"blog._generated.contract": CONTRACT.format("Search")}
    return refactor.renamed(text, program(NAMES, {**contract, **others, own: text}), unit)


def renamed(text: str, module: str | None, **modules: str) -> str:
    return refactored(text, module, **modules).text


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
    "an import beside a parameter of the package's name": (
        """\
import blog.util

def f(blog, util):
    return blog.util.words

def g():
    return blog.util.words
""",
        """\
import posts.util

def f(blog, util):
    return blog.util.words

def g():
    return posts.util.words
""",
    ),
    "an import of the package where the new name is taken": (
        """\
import blog.util

def f(posts):
    return blog.util.words(posts)
""",
        """\
import posts.util, posts as blog

def f(posts):
    return blog.util.words(posts)
""",
    ),
    "scopes of their own": (
        """\
from blog._generated.contract import SearchResult

def f(SearchResult):
    return [SearchResult for SearchResult in SearchResult]

def g(x: SearchResult = SearchResult()) -> SearchResult:
    def h():
        nonlocal x
        return SearchResult

class A(SearchResult):
    b: SearchResult
    def c(self): return SearchResult
""",
        """\
from posts._generated.contract import FindResult

def f(SearchResult):
    return [SearchResult for SearchResult in SearchResult]

def g(x: FindResult = FindResult()) -> FindResult:
    def h():
        nonlocal x
        return FindResult

class A(FindResult):
    b: FindResult
    def c(self): return FindResult
""",
    ),
    "a class that has an attribute of the name, and reads it": (
        """\
from blog._generated.contract import SearchResult

class A:
    SearchResult = SearchResult
""",
        """\
from posts._generated.contract import FindResult as SearchResult

class A:
    SearchResult = SearchResult
""",
    ),
    "global variables and patterns": (
        """\
from blog._generated.contract import SearchResult as R, SearchArguments

def f(x):
    global SearchResult
    match x:
        case SearchArguments(): pass
        case {"a": SearchResult}: return SearchResult
""",
        """\
from posts._generated.contract import FindResult as R, FindArguments

def f(x):
    global SearchResult
    match x:
        case FindArguments(): pass
        case {"a": SearchResult}: return SearchResult
""",
    ),
    "annotations in quotes, but no other strings": (
        """\
from typing import TYPE_CHECKING, Annotated, Literal, cast
if TYPE_CHECKING:
    from blog._generated.contract import SearchResult

def f(x: "list[SearchResult] | None", y: Literal["SearchResult"]) -> 'SearchResult':
    z: Annotated["SearchResult", "SearchResult"] = cast("SearchResult", x["SearchResult"])
    return z
""",
        """\
from typing import TYPE_CHECKING, Annotated, Literal, cast
if TYPE_CHECKING:
    from posts._generated.contract import FindResult

def f(x: "list[FindResult] | None", y: Literal["SearchResult"]) -> 'FindResult':
    z: Annotated["FindResult", "SearchResult"] = cast("FindResult", x["SearchResult"])
    return z
""",
    ),
    "what a module says it exports": (
        """\
from blog._generated.contract import SearchResult as SearchResult

__all__ = ["SearchResult", "other"]
__all__ += ("SearchResult",)
""",
        """\
from posts._generated.contract import FindResult as FindResult

__all__ = ["FindResult", "other"]
__all__ += ("FindResult",)
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
    assert renamed(before, module) == (before if after is None else after)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_bytes_that_are_no_ascii_and_every_line_end_are_kept(end: str) -> None:
    text = f"# \u00e9 search{end}\u00fc = 1; from blog.tools.search import search{end}\u00fc = search(){end}"
    assert renamed(text, None) == (
        f"# \u00e9 search{end}\u00fc = 1; from posts.tools.find import find{end}\u00fc = find(){end}"
    )


def test_a_function_whose_name_is_used_in_two_ways_is_given_the_new_one_beside() -> None:
    """Nothing in the text has to be told apart, and the server finds what it imports."""
    text = "def search(x):\n    return x\n\nsearch = cached(search)\n"
    assert renamed(text, HANDLER) == f"{text}\n\nfind = search\n"
    text = "def search(n, find):\n    return search(n - 1, find)\n"
    assert renamed(text, HANDLER) == f"{text}\n\nfind = search\n"


def test_a_local_variable_may_have_the_new_name() -> None:
    text = "def search(x):\n    find = x\n    return find\n"
    assert renamed(text, HANDLER) == text.replace("search", "find")


def test_a_module_that_has_something_else_under_the_new_name_is_refused() -> None:
    with pytest.raises(NameTakenError):
        renamed("def search(): ...\n\ndef find(): ...\n", HANDLER)


@pytest.mark.parametrize("text", ["def f(:\n", "\0", "(" * 5000, "x = 'a\n", "a." * 99999 + "b"])
def test_what_is_not_python_is_refused(text: str) -> None:
    with pytest.raises(SyntaxError):
        renamed(text, None)


REEXPORTS = {
    "by name": "from blog._generated.contract import SearchResult\n",
    "where it may be": "try:\n from ._generated.contract import SearchResult\nexcept A:\n from blog._generated.contract import SearchResult\n",
    "by a star": "from blog._generated.contract import *\n",
    "by a star and a list": "from ._generated.contract import *\n__all__ = ['SearchResult']\n",
    "from another module": "from .more import SearchResult\n",
    "by stars from another module": "from .more import *\n",
    "for type checkers": "if TYPE_CHECKING:\n    from .more import SearchResult\n",
}
USES = {
    "from blog.models import SearchResult\nx: SearchResult\n": "from posts.models import FindResult\nx: FindResult\n",
    "from blog.models import *\nx: SearchResult\n": "from posts.models import *\nx: FindResult\n",
    "import blog.models as m\nx: m.SearchResult\n": "import posts.models as m\nx: m.FindResult\n",
    "import blog.models\nx: 'blog.models.SearchResult'\n": "import posts.models\nx: 'posts.models.FindResult'\n",
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("models", REEXPORTS.values(), ids=REEXPORTS)
def test_a_type_is_followed_through_the_modules_that_pass_it_on(models: str, use: str) -> None:
    more = "from blog._generated.contract import SearchResult\n"
    others = {"blog__models": models, "blog__more": more}
    assert refactored(use, "blog.tools.search", **others) == Rewritten(USES[use])


OWN = {
    "class": "class SearchResult: ...\n",
    "enum member": "import enum\nclass SearchResult(enum.Enum):\n    SearchResult = 1\n",
    "import": "from other import SearchResult\n",
    "alias": "from blog._generated.contract import Context as SearchResult\n",
    "list": "from ._generated.contract import *\n__all__ = ['Context']\nclass SearchResult: ...\n",
}


@pytest.mark.parametrize(
    "use", [*USES, "from blog.models import SearchResult as R\nR.SearchResult\n"]
)
@pytest.mark.parametrize("models", OWN.values(), ids=OWN)
def test_what_the_user_calls_by_the_same_name_stays(models: str, use: str) -> None:
    others = {"blog__models": models}
    assert refactored(use, "tests.test_it", **others) == Rewritten(use.replace("blog", "posts"))


UNSURE = {
    "a module that is no Python": ("from blog.models import SearchResult\n", "def (", 1),
    "a star of it": ("from blog.models import *\nx: SearchResult\n", "def (", 2),
    "a module that is made up": ("from blog.compiled import SearchResult\n", "", 1),
    "a module that answers for any name": (
        "from blog.models import SearchResult\n",
        "def __getattr__(name): ...\n",
        1,
    ),
    "two modules": (
        "try:\n import blog.models as m\nexcept A:\n import blog._generated.contract as m\nm.SearchResult\n",
        "class SearchResult: ...\n",
        5,
    ),
    "two meanings": (
        "from blog.models import SearchResult\n",
        "from blog._generated.contract import SearchResult\nif A: SearchResult = 1\n",
        1,
    ),
    "two stars": (
        "from blog.models import *\nfrom blog._generated.contract import *\nx: SearchResult\n",
        "class SearchResult: ...\n",
        3,
    ),
    "a path in a string": ("mock.patch('blog.tools.search.search')\n", "", 1),
}


@pytest.mark.parametrize(("text", "models", "line"), UNSURE.values(), ids=UNSURE)
def test_what_is_not_certain_stays_and_is_told(text: str, models: str, line: int) -> None:
    found = refactored(text, "tests.test_it", blog__models=models)
    assert [at for at, _ in found.unsure] == [line]
    assert "Find" not in found.text.replace("FindResult as SearchResult", "")


def test_modules_that_import_from_each_other_come_to_an_end() -> None:
    one = "from .two import *\nfrom .two import SearchResult, x\n"
    two = "from .one import *\nfrom ._generated.contract import SearchResult\nfrom .one import x\n"
    others = {"blog__one": one, "blog__two": two}
    found = renamed("from blog.one import SearchResult, x\n", None, **others)
    assert found == "from posts.one import FindResult, x\n"


def test_tests_find_what_lies_beside_them() -> None:
    helpers = {"tests__helpers": "from blog._generated.contract import SearchResult\n"}
    for text in ("from helpers import SearchResult\n", "from .helpers import SearchResult\n"):
        assert renamed(text, "tests.test_it", **helpers) == text.replace("Search", "Find")


def test_a_package_imports_from_the_modules_in_it() -> None:
    text = "from .search import search\n"
    assert renamed(text, "blog.tools.") == "from .find import find\n"


def test_two_names_are_exchanged_at_once() -> None:
    names = NewNames(("blog", "blog"), {"blog.c.A": "blog.c.B", "blog.c.B": "blog.c.A"})
    text = "from blog.c import A, B\n\ndef f(x: A) -> B: ...\n"
    found = refactor.renamed(text, program(names, {"blog.c": "A = 1\nB = 2\n"}), Unit("x"))
    assert found.text == "from blog.c import B, A\n\ndef f(x: B) -> A: ...\n"


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the syntax is that of Python 3.12")
def test_type_parameters_have_a_scope_of_their_own() -> None:
    text = """\
from blog._generated.contract import SearchResult

type X = list[SearchResult]
def f[SearchResult](x: SearchResult) -> SearchResult: ...
class A[T: SearchResult]: ...
"""
    assert renamed(text, None) == text.replace("blog", "posts").replace(
        "SearchResult", "FindResult"
    ).replace(
        "[FindResult](x: FindResult) -> FindResult",
        "[SearchResult](x: SearchResult) -> SearchResult",
    )


PACKAGE = Path(scaffold.__file__).parent


def dotted(path: Path) -> str:
    """The name of a module of ours, as `program` takes it."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(["scaffold", *parts]).removesuffix("__init__")


def test_there_and_back_is_the_same_text_and_in_between_the_same_program() -> None:
    """On real modules, ours: the package, a module of it, a function and some classes."""
    there = NewNames(
        ("scaffold", "frame"),
        {
            "scaffold.disk.diff": "frame.disk.delta",
            "scaffold.disk.diff.lines": "frame.disk.delta.split_rows",
            "scaffold.files.RelPath": "frame.files.PathInProject",
            "scaffold.disk.lock.Entry": "frame.disk.lock.Row",
            "scaffold.python.refactor.names.NewNames": "frame.python.refactor.names.NameS",
        },
    )
    back = NewNames(("frame", "scaffold"), {new: old for old, new in there.dotted.items()})

    def all_renamed(names: NewNames, texts: dict[str, str]) -> dict[str, str]:
        whole = program(names, texts)
        done = {}
        for name, text in texts.items():
            unit = Unit(name.rstrip("."), name.endswith("."))
            new = names.new(unit.name) + "." * unit.is_package
            done[new] = refactor.renamed(text, whole, unit).text
        return done

    texts = {dotted(path): path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}
    between = all_renamed(there, texts)
    assert all_renamed(back, between) == texts
    for text in between.values():
        assert "from scaffold." not in text
        assert "import RelPath" not in text
        ast.parse(text)


@pytest.mark.parametrize("module", [None, HANDLER], ids=["outside the package", "in it"])
@pytest.mark.parametrize("dots", [".", "..", "...", "......"])
def test_an_import_from_a_folder_that_is_not_known_is_left_alone(
    module: str | None, dots: str
) -> None:
    text = f"from {dots} import helper\nfrom {dots}other import *\nhelper()\n"
    assert renamed(text, module) == text


@pytest.mark.parametrize("module", [None, "tests.test_it"], ids=["a script", "a test"])
def test_an_import_from_above_all_folders_is_not_from_ours(module: str | None) -> None:
    text = "from .....blog.tools.search import search\nsearch()\n"
    assert refactored(text, module) == Rewritten(text)


def test_a_star_of_an_unknown_module_does_not_hide_ours() -> None:
    text = "from {0}._generated.contract import *\nfrom os.path import *\nx: {1}Result\n"
    found = refactored(text.format("blog", "Search"), "tests.test_it")
    assert found == Rewritten(text.format("posts", "Find"))
