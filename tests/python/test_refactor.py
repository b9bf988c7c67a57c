"""Names change where they mean what was renamed, and nowhere else."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest
import yaml

import scaffold
from scaffold.base.files import RelPath
from scaffold.languages.language import NameTakenError, Rewritten
from scaffold.languages.python.refactor.names import NewNames
from scaffold.languages.python.refactor.rewriter import Rewriter

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
HANDLER = "blog.tools.search"


def path_of(module: str) -> RelPath:
    """The path of a module; the name of a package ends in a dot."""
    folder = "" if module.startswith("tests") else "src/"
    inside = f"{folder}{module.replace('.', '/')}"
    return RelPath(f"{inside}__init__.py" if module.endswith(".") else f"{inside}.py")


def program(names: NewNames, modules: Mapping[str, str]) -> Rewriter:
    """A program of these texts by dotted names."""
    texts = {path_of(name): partial(str, text) for name, text in modules.items()}
    packages = [path_of(f"{name}.") for name in names.package]
    return Rewriter(names.package, names.dotted, texts, [*texts, *packages])


def refactored(text: str, module: str, **modules: str) -> Rewritten:
    """The text as that of a module beside others; `__` in the names of the others is a dot."""
    others = {name.replace("__", "."): other for name, other in modules.items()}
    return program(NAMES, {**others, module: text}).rewrite(path_of(module), text)


def renamed(text: str, module: str = "script", **modules: str) -> str:
    return refactored(text, module, **modules).text


CASES: dict[str, dict[str, str]] = yaml.safe_load(
    Path(__file__).with_name("renames.yaml").read_text("utf-8")
)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_names_are_changed_where_they_are_meant(case: dict[str, str]) -> None:
    before = case["before"]
    module = HANDLER if "def search(" in before or "from ." in before else "tests.test_search"
    assert refactored(before, module) == Rewritten(case.get("after", before))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_bytes_that_are_no_ascii_and_every_line_end_are_kept(end: str) -> None:
    text = f"# \u00e9 search{end}\u00fc = 1; from blog.tools.search import search{end}\u00fc = search(){end}"
    assert renamed(text) == (
        f"# \u00e9 search{end}\u00fc = 1; from posts.tools.find import find{end}\u00fc = find(){end}"
    )


@pytest.mark.parametrize(
    "text",
    [
        "def search(x):\n    return x\n\nsearch = cached(search)\n",
        "def search(n, find):\n    return search(n - 1, find)\n",
        "from blog.index import search\n",
    ],
    ids=["set twice", "the new name is a parameter's", "imported"],
)
def test_a_function_that_keeps_its_name_is_given_the_new_one_beside(text: str) -> None:
    """The server finds what it imports."""
    index = "def search(): ...\n"
    whole = text.replace("from blog", "from posts")
    assert renamed(text, HANDLER, blog__index=index) == f"{whole}\n\nfind = search\n"


def test_a_module_that_has_something_else_under_the_new_name_is_refused() -> None:
    with pytest.raises(NameTakenError) as taken:
        renamed("def search(): ...\n\nif True:\n    find = 1\n", HANDLER)
    assert taken.value.line == 4


@pytest.mark.parametrize("text", ["def f(:\n", "\0", "(" * 5000, "x = 'a\n", "a." * 99999 + "b"])
def test_what_is_not_python_is_refused(text: str) -> None:
    with pytest.raises(SyntaxError):
        renamed(text)


IMPORT = "from blog._generated.contract import SearchResult\n"
KEPT = "from posts._generated.contract import FindResult as SearchResult\n"
USES = ["from blog.models import SearchResult\nx: SearchResult\n"]
USES += [
    "import blog.models as m\nx: m.SearchResult\n",
    "from blog.models import *\nSearchResult()\n",
]


@pytest.mark.parametrize("use", USES)
def test_a_name_that_others_import_from_a_module_stays_its_name_there(use: str) -> None:
    used = use.replace("blog", "posts")
    assert refactored(IMPORT, "blog.models", tests__test_it=use) == Rewritten(KEPT)
    assert refactored(use, "tests.test_it", blog__models=IMPORT) == Rewritten(used)


def test_a_star_in_between_passes_names_on_too() -> None:
    others = {
        "blog__all": "from .models import *\n",
        "script": "from blog.all import SearchResult\n",
    }
    assert refactored(IMPORT, "blog.models", **others) == Rewritten(KEPT)


@pytest.mark.parametrize("use", ["from helpers import", "from .helpers import"])
def test_tests_find_what_lies_beside_them(use: str) -> None:
    found = refactored(IMPORT, "tests.helpers", tests__test_it=f"{use} SearchResult\n")
    assert found == Rewritten(KEPT)


@pytest.mark.parametrize("use", [*USES, "import os\nx = os.search\n"])
@pytest.mark.parametrize(
    "models",
    [
        "class SearchResult: ...\n",
        "import enum\nclass SearchResult(enum.Enum):\n    SearchResult = 1\n",
        "from other import SearchResult\n",
        "from blog._generated.contract import Context as SearchResult\n",
    ],
)
def test_what_the_user_calls_by_the_same_name_stays(models: str, use: str) -> None:
    others = {"blog__models": models}
    assert refactored(use, "tests.test_it", **others) == Rewritten(use.replace("blog", "posts"))


UNSURE = {
    "a star": ("from blog._generated.contract import *\nx: SearchResult\n", 2),
    "two modules": (
        "try:\n import blog.models as m\nexcept A:\n import blog._generated.contract as m\nm.SearchResult\n",
        5,
    ),
    "a path in a text": ("mock.patch('blog.tools.search.search')\n", 1),
    "a name for getattr": ("import blog.models as m\ngetattr(m, 'SearchResult')\n", 2),
}


@pytest.mark.parametrize(("text", "line"), UNSURE.values(), ids=UNSURE)
def test_what_is_not_certain_stays_and_is_told(text: str, line: int) -> None:
    found = refactored(text, "tests.test_it", blog__models=IMPORT)
    assert found.text == text.replace("import blog", "import posts").replace(
        "from blog", "from posts"
    )
    assert [at for at, _ in found.unsure] == [line]


@pytest.mark.parametrize(
    "text",
    [
        "x: 'list[SearchResult] | None'\n",
        "def f(x: 'SearchResult'): ...\n",
        "def f() -> 'SearchResult': ...\n",
        "async def f() -> 'SearchResult': ...\n",
        "cast('SearchResult', 1)\n",
        "__all__ = ['SearchResult', 'other']\n",
        "__all__: list[str] = ['SearchResult']\n",
        "__all__ += ('SearchResult',)\n",
        "__all__.append('SearchResult')\n",
    ],
)
def test_a_name_in_a_text_keeps_its_meaning_and_is_told(text: str) -> None:
    found = refactored(IMPORT + text, "tests.test_it")
    assert found == Rewritten(KEPT + text, ((2, "SearchResult"),))


def test_a_package_imports_from_the_modules_in_it() -> None:
    assert renamed("from .search import search\n", "blog.tools.") == "from .find import find\n"


def test_names_are_exchanged_at_once() -> None:
    names = NewNames(("blog", "blog"), {"blog.c.A": "blog.c.B", "blog.c.B": "blog.c.A"})
    text = "from blog.c import A, B\n\ndef f(x: A) -> B: ...\n"
    found = program(names, {"blog.c": "A = 1\nB = 2\n"}).rewrite(path_of("x"), text)
    assert found.text == "from blog.c import B, A\n\ndef f(x: B) -> A: ...\n"


def test_two_names_that_become_one_stay_apart() -> None:
    names = NewNames(("blog", "blog"), {"blog.a.a": "blog.a.c", "blog.b.b": "blog.b.c"})
    text = "from blog.a import a\nfrom blog.b import b\na(b)\n"
    assert program(names, {}).rewrite(path_of("x"), text).text == (
        "from blog.a import c as a\nfrom blog.b import c as b\na(b)\n"
    )


@pytest.mark.parametrize("module", ["script", "blog.index"])
@pytest.mark.parametrize("dots", [".....", "......"])
def test_an_import_from_above_all_folders_is_left_alone(module: str, dots: str) -> None:
    text = f"from {dots} import search\nfrom {dots}blog.tools.search import *\nsearch()\n"
    assert renamed(text, module) == text


def test_real_modules_are_the_same_program_under_new_names() -> None:
    """Ours: the package, a module of it, a function and some classes."""
    names = NewNames(
        ("scaffold", "frame"),
        {
            "scaffold.disk.diff": "frame.disk.delta",
            "scaffold.disk.diff.lines": "frame.disk.delta.split_rows",
            "scaffold.base.files.RelPath": "frame.files.PathInProject",
            "scaffold.disk.lock.Entry": "frame.disk.lock.Row",
        },
    )
    folder = Path(scaffold.__file__).parent
    paths = {f"src/scaffold/{p.relative_to(folder).as_posix()}": p for p in folder.rglob("*.py")}
    texts = {RelPath(path): p.read_text(encoding="utf-8") for path, p in paths.items()}
    rewriter = Rewriter(
        names.package,
        names.dotted,
        {path: partial(str, text) for path, text in texts.items()},
        list(texts),
    )
    done = {path: rewriter.rewrite(path, text).text for path, text in texts.items()}
    assert "\ndef split_rows(" in done[RelPath("src/scaffold/disk/diff.py")]
    assert "\nclass PathInProject(" in done[RelPath("src/scaffold/base/files.py")]
    for path, text in done.items():
        old, new = ast.parse(texts[path]), ast.parse(text)
        assert "from scaffold." not in text
        assert "import RelPath" not in text.replace("import RelPath as", "")
        assert len([*ast.walk(old)]) == len([*ast.walk(new)])
