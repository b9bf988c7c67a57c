"""What a formatter does to Python is told from what a person does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import scaffold
from scaffold.python.reformatted import is_reformatted

TEXT = '''"""A docstring of one line."""

import os  # first


# second
async def search(arguments: dict, context: "C" = None) -> str:
    """Search.

    Slowly.
    """
    if arguments["x"]:  # third
        return f"{arguments['y']}" "joined" 'or not'
    raise NotImplementedError("search")
'''
LAID_OUT = {
    "two spaces": TEXT.replace("    ", "  "),
    "tabs": re.sub("^(    )+", lambda m: "\t" * (len(m[0]) // 4), TEXT, flags=re.MULTILINE),
    "quotes, parentheses and commas": TEXT.replace("'or not'", '"or not"')
    .replace("arguments: dict, context", "\n  arguments: dict,\n  context")
    .replace("if arguments", "if (arguments")
    .replace('"]:  #', '"]):  #'),
    "comments": TEXT.replace("# second", "#second"),
    "blank lines": TEXT.replace("\n\n\n", "\n"),
}
EDITED = {
    "a string": TEXT.replace('"joined"', '"Joined"'),
    "a string's blanks": TEXT.replace('"joined"', '"joined "'),
    "a docstring": TEXT.replace("Slowly", "Fast"),
    "a comment": TEXT.replace("# second", "# 2nd"),
    "a comment in another place": TEXT.replace("# second\n", "")
    .replace("    raise Not", "    # second\n    raise Not")
    .replace("  # third", "", 1)
    .replace("# second", "# second", 1),
    "comments that change places": TEXT.replace("first", "x")
    .replace("second", "first")
    .replace("x\n", "second\n", 1),
    "a comment that moved over a statement": TEXT.replace(
        "import os  # first", "# first\nimport os"
    ),
    "a name": TEXT.replace("context", "ctx"),
    "code": TEXT.replace("if arguments", "if not arguments"),
    "no Python": TEXT + "def (",
}


@pytest.mark.parametrize("text", LAID_OUT.values(), ids=LAID_OUT)
def test_another_layout_is_a_formatters_work(text: str) -> None:
    assert text != TEXT
    assert is_reformatted(text, TEXT)


@pytest.mark.parametrize("text", EDITED.values(), ids=EDITED)
def test_an_edit_is_a_persons_work(text: str) -> None:
    assert text != TEXT
    assert not is_reformatted(text, TEXT)


@pytest.mark.usefixtures("starts_programs")
@pytest.mark.parametrize("style", ["tab", "space"])
def test_what_ruff_does_to_real_modules(tmp_path: Path, style: str) -> None:
    files = sorted(Path(scaffold.__file__).parent.glob("*/[a-f]*.py"))
    for number, file in enumerate(files):
        (tmp_path / f"m{number}.py").write_bytes(file.read_bytes())
    options = (
        f"line-length=60\nindent-width=2\n[format]\nindent-style='{style}'\nquote-style='single'"
    )
    (tmp_path / "ruff.toml").write_text(options)
    subprocess.run([sys.executable, "-m", "ruff", "format", "-q", "."], cwd=tmp_path, check=True)
    for number, file in enumerate(files):
        made, of = (tmp_path / f"m{number}.py").read_text(), file.read_text()
        assert made != of or not of.strip()
        assert is_reformatted(made, of), file
