"""Names change where they mean what was renamed, and nowhere else."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import yaml

import scaffold
from scaffold.base.files import RelPath
from scaffold.languages.files import NameTakenError, Renaming, Rewritten
from scaffold.languages.python.refactor.module import NewNames
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


def path_of(module: str) -> RelPath:
    """The path of a module; the name of a package ends in a dot."""
    folder = "" if module.startswith("tests") else "src/"
    inside = f"{folder}{module.replace('.', '/')}"
    return RelPath(f"{inside}__init__.py" if module.endswith(".") else f"{inside}.py")


def program(names: NewNames, modules: Iterable[str]) -> Rewriter:
    """A program of modules with these dotted names."""
    paths = [path_of(name) for name in modules]
    packages = [path_of(f"{name}.") for name in names.package]
    return Rewriter(Renaming(names.package, names.dotted, paths, [*paths, *packages]))


def refactored(text: str, module: str = "script", others: Iterable[str] = ()) -> Rewritten:
    """The text as that of a module beside others."""
    return program(NAMES, [*others, module]).rewrite(path_of(module), text)


CASES: dict[str, dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("renames.yaml").read_text("utf-8")
)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_only_references_to_the_names_are_renamed(case: dict[str, Any]) -> None:
    before = case["before"]
    is_handler = "def search(" in before or "from ." in before
    module = case.get("module", "blog.tools.search" if is_handler else "tests.test_search")
    result = refactored(before, module, case.get("others", ()))
    assert result.text == case.get("after", before)
    assert dict(result.unsure) == case.get("told", {})


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_non_ascii_bytes_and_line_endings_are_kept(end: str) -> None:
    text = f"# \u00e9 search{end}\u00fc = 1; from blog.tools.search import search{end}\u00fc = search(){end}"
    assert refactored(text).text == (
        f"# \u00e9 search{end}\u00fc = 1; from posts.tools.find import find{end}\u00fc = find(){end}"
    )


def test_a_module_that_uses_the_new_name_for_something_else_is_refused() -> None:
    with pytest.raises(NameTakenError) as taken:
        refactored("def search(): ...\n\nif True:\n    find = 1\n", "blog.tools.search")
    assert taken.value.line == 4


@pytest.mark.parametrize("text", ["def f(:\n", "\0", "(" * 5000, "x = 'a\n", "a." * 99999 + "b"])
def test_a_module_with_a_syntax_error_is_refused(text: str) -> None:
    with pytest.raises(SyntaxError):
        refactored(text)


def test_names_can_be_swapped() -> None:
    names = NewNames(("blog", "blog"), {"blog.c.A": "blog.c.B", "blog.c.B": "blog.c.A"})
    text = "from blog.c import A, B\n\ndef f(x: A) -> B: ...\n"
    result = program(names, ["blog.c"]).rewrite(path_of("x"), text)
    assert result.text == "from blog.c import B, A\n\ndef f(x: B) -> A: ...\n"


def test_two_names_never_become_the_same() -> None:
    names = NewNames(("blog", "blog"), {"blog.a.a": "blog.a.c", "blog.b.b": "blog.b.c"})
    text = "from blog.a import a\nfrom blog.b import b\na(b)\n"
    assert program(names, []).rewrite(path_of("x"), text).text == (
        "from blog.a import c as a\nfrom blog.b import c as b\na(b)\n"
    )


@pytest.mark.parametrize("module", ["script", "blog.index"])
@pytest.mark.parametrize("dots", [".....", "......"])
def test_a_relative_import_beyond_the_top_is_left_alone(module: str, dots: str) -> None:
    text = f"from {dots} import search\nfrom {dots}blog.tools.search import *\nsearch()\n"
    assert refactored(text, module).text == text


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
    rewriter = Rewriter(Renaming(names.package, names.dotted, list(texts), list(texts)))
    done = {path: rewriter.rewrite(path, text).text for path, text in texts.items()}
    assert "\ndef split_rows(" in done[RelPath("src/scaffold/disk/diff.py")]
    assert "\nclass PathInProject(" in done[RelPath("src/scaffold/base/files.py")]
    for path, text in done.items():
        old, new = ast.parse(texts[path]), ast.parse(text)
        assert "from scaffold." not in text
        assert "import RelPath" not in text.replace("import RelPath as", "")
        assert len([*ast.walk(old)]) == len([*ast.walk(new)])
