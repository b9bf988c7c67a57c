"""Rendered Python comes out as ruff would leave it, whatever the machine around it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.files import Owner, RelPath, RenderedFile, RenderedFiles
from scaffold.languages.python.format import formatted

UNFORMATTED = "import sys\nimport os\nx = {'a':os.name}\n"
FORMATTED = 'import os\n\nx = {"a": os.name}\n'


def files(**texts: str) -> RenderedFiles:
    return RenderedFiles(
        {
            RelPath(path): RenderedFile(RelPath(path), Owner.OWNED, text, f"@acme/{path}.j2", path)
            for path, text in texts.items()
        }
    )


def texts(files: RenderedFiles) -> dict[str, str]:
    return {str(path): file.text for path, file in files.items()}


def test_imports_are_sorted_unused_ones_removed_and_the_rest_formatted() -> None:
    assert texts(formatted(files(**{"src/a.py": UNFORMATTED}))) == {"src/a.py": FORMATTED}


def test_a_file_that_changes_keeps_what_its_template_printed() -> None:
    both = formatted(files(**{"a.py": UNFORMATTED, "b.py": FORMATTED}))
    assert [file.unformatted for file in both.values()] == [UNFORMATTED, None]


def test_files_that_are_not_python_pass_untouched() -> None:
    others = files(**{"a.md": "```python\nx=1\n```\n", "b.pyi": "x=1", "pyproject.toml": "a=1"})
    assert formatted(others) == others
    assert formatted(files()) == files()


def test_the_project_s_own_package_is_sorted_apart_from_others() -> None:
    text = "import blog\nimport anyio\n\nanyio.run(blog.main)\n"
    both = formatted(files(**{"src/blog/__init__.py": "main = None\n", "tests/test.py": text}))
    assert both[RelPath("tests/test.py")].text == (
        "import anyio\n\nimport blog\n\nanyio.run(blog.main)\n"
    )


def test_formatted_code_is_reused_and_the_rest_still_sorted() -> None:
    text = "import tool\nimport blog.a.b\nimport anyio\n\nanyio.run(blog, tool)\n"
    every = files(
        **{
            "src/blog/__init__.py": "",
            "src/blog/a/b.py": "x=1\n",
            "tool.py": "",
            "src/blog/c.py": text,
        }
    )
    done = {path: "# as before\n" for path in every if not path.endswith("c.py")}
    whole = formatted(every)
    assert texts(formatted(every, done)) == texts(whole) | done
    assert "import anyio\n\nimport blog.a.b\nimport tool\n" in whole[RelPath("src/blog/c.py")].text


@pytest.mark.parametrize("folder", ["dist", "venv", "node_modules", "site-packages", ".venv"])
def test_no_folder_is_skipped_as_a_build_folder(folder: str) -> None:
    path = f"src/{folder}/a.py"
    assert texts(formatted(files(**{path: UNFORMATTED}))) == {path: FORMATTED}


def test_surrounding_settings_do_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ruff.toml").write_text("line-length = 20\n[format]\nquote-style = 'single'\n")
    (tmp_path / ".gitignore").write_text("*\n")
    (tmp_path / "pyproject.toml").write_text("[tool.ruff]\nexclude = ['*.py']\n")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RUFF_CONFIG", str(tmp_path / "ruff.toml"))
    monkeypatch.setenv("RUFF_OUTPUT_FILE", str(tmp_path / "stolen"))
    monkeypatch.setenv("RUFF_OUTPUT_FORMAT", "full")
    assert texts(formatted(files(**{"a.py": UNFORMATTED}))) == {"a.py": FORMATTED}
    assert {path.name for path in tmp_path.iterdir()} == {
        "ruff.toml",
        ".gitignore",
        "pyproject.toml",
    }


def test_a_full_temporary_disk_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "absent"))
    with pytest.raises(ScaffoldError) as raised:
        formatted(files(**{"src/a.py": UNFORMATTED}))
    (problem,) = raised.value.diagnostics
    assert (problem.id, problem.hint) == (
        "cannot-write",
        "free some space, or set TMPDIR to another directory",
    )
    assert problem.message.endswith(": No such file or directory")


def test_a_syntax_error_names_the_template_and_the_line() -> None:
    broken = {"a.py": "x = 1\ndef f(:\n    pass\n", "b.py": "x = (\n", "c.py": "import os\n"}
    with pytest.raises(ScaffoldError) as raised:
        formatted(files(**broken))
    first, second = raised.value.diagnostics
    assert first.id == second.id == "template-python"
    assert first.message.startswith("`@acme/a.py.j2` renders invalid Python: ")
    assert first.place is not None
    assert (first.place.path, first.place.line, first.place.column) == ("a.py", 2, 7)
    assert first.place.excerpt == "def f(:"
    assert second.message.startswith("`@acme/b.py.j2` renders ")


def test_syntax_newer_than_the_python_of_the_project_is_an_error() -> None:
    with pytest.raises(ScaffoldError, match="renders invalid Python"):
        formatted(files(**{"a.py": "type Name = str\n"}))
