"""What templates can do: print the project, quoted, into files of their own. And nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from jinja2 import Environment
from msgspec import Struct
from msgspec.structs import replace

from scaffold.base.diagnostics import Diagnostic, ScaffoldError
from scaffold.base.files import Owner, RelPath, RenderedFile
from scaffold.base.text import Text
from scaffold.languages.python.text import FILTERS
from scaffold.packs.engine import render
from scaffold.packs.pack import read_pack

WritePack = Callable[..., Path]


class Tool(Struct, frozen=True):
    about: str
    module: str
    description: Text
    stub: bool


class Project(Struct, frozen=True):
    package: str
    description: Text
    tools: tuple[Tool, ...]
    web: bool
    source: str = "src/blog"


READ = Tool("a/b", "a_b", Text("Reads a post."), stub=True)
SEARCH = Tool("search", "search", Text("Finds posts."), stub=False)
BLOG = Project("blog", Text("A *blog*."), (READ, SEARCH), web=False)

ONE = '[[files]]\ntemplate = "out.txt.j2"\nowner = "merged"\n'
EACH = (
    '[[files]]\ntemplate = "tool.py.j2"\npath = "{{ project.package }}/{{ tool.module }}.py"\n'
    'owner = "owned"\neach = "tool"\n'
)
RUNTIME = '[runtime]\n"tools.py" = true\n"http.py" = "project.web"\n'


def rendered(*folders: Path, project: Project = BLOG) -> dict[str, str]:
    """Render the packs in these folders, the topmost first."""
    files = render(project, [*map(read_pack, folders)], FILTERS)
    return {str(path): file.text for path, file in files.items()}


IN_BLOG = "src/blog/_generated/runtime/tools.py"


def faults(*folders: Path, project: Project = BLOG) -> tuple[Diagnostic, ...]:
    with pytest.raises(ScaffoldError) as raised:
        render(project, [*map(read_pack, folders)], FILTERS)
    return raised.value.diagnostics


def test_a_runtime_module_is_copied_below_the_header_and_holds_no_jinja(
    write_pack: WritePack,
) -> None:
    module = 'TEXT = "{{ not.a.name }} {% nor a tag %}"\n'
    modules = {"runtime/tools.py": module, "runtime/http.py": "\n"}
    base = write_pack(RUNTIME, "base", **modules, **{"header.j2": "# {{ project.package }}\n"})
    assert rendered(base) == {IN_BLOG: f"# blog\n{module}"}
    top = write_pack(**{"runtime/tools.py": "theirs\n"})
    assert rendered(top, base) == {IN_BLOG: "# blog\ntheirs\n"}


def test_a_row_makes_a_file(write_pack: WritePack) -> None:
    folder = write_pack(ONE + "executable = true", **{"out.txt.j2": "{{ project.package }}"})
    (file,) = render(BLOG, [read_pack(folder)], FILTERS).values()
    assert file == RenderedFile(
        RelPath("out.txt"),
        Owner.MERGED,
        text="blog\n",
        origin="@acme/out.txt.j2",
        about=None,
        executable=True,
    )


def test_a_row_fans_out_over_a_collection_and_when_leaves_files_out(write_pack: WritePack) -> None:
    rows = ONE + 'when = "project.web"\n' + EACH
    templates = {"out.txt.j2": "", "tool.py.j2": "{{ tool.about | py }}"}
    folder = write_pack(rows, **templates)
    assert rendered(folder) == {"blog/a_b.py": '"a/b"\n', "blog/search.py": '"search"\n'}
    assert list(rendered(folder, project=replace(BLOG, tools=(), web=True))) == ["out.txt"]
    stubs = write_pack(EACH + 'when = "tool.stub"\n', "stubs", **templates)
    assert list(rendered(stubs)) == ["blog/a_b.py"]


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("a", "a\n"),
        ("a\n\n\n", "a\n"),
        ("a\r\nb\r\n", "a\nb\n"),
        ("\n  \n", ""),
        ("{% if project.web %}\nweb\n{% endif %}\n", ""),
        ("a  \nb", "a  \nb\n"),
    ],
)
def test_a_file_ends_with_exactly_one_newline_or_is_empty(
    template: str, text: str, write_pack: WritePack
) -> None:
    assert rendered(write_pack(ONE, **{"out.txt.j2": template})) == {"out.txt": text}


class TestLayers:
    def test_the_topmost_template_wins_and_can_include_the_original(
        self, write_pack: WritePack
    ) -> None:
        base = "{% block head %}head{% endblock %} {% include 'part.j2' %}"
        common = write_pack(ONE, "common", **{"out.txt.j2": base, "part.j2": "common part"})
        python = write_pack("", "python", **{"part.j2": "python part"})
        extends = '{% extends "@python/out.txt.j2" %}{% block head %}my {{ super() }}{% endblock %}'
        top = write_pack(**{"out.txt.j2": extends})
        assert rendered(top, python, common) == {"out.txt": "my head python part\n"}

    def test_rows_of_a_layer_replace_those_beneath_or_leave_them_out(
        self, write_pack: WritePack
    ) -> None:
        base = write_pack(ONE + EACH, "python", **{"out.txt.j2": "", "tool.py.j2": ""})
        moved = '[[files]]\ntemplate = "out.txt.j2"\npath = "{}"\nowner = "owned"\n'
        top = write_pack(moved.format("x") + moved.format("y"))
        assert list(rendered(top, base)) == ["blog/a_b.py", "blog/search.py", "x", "y"]
        less = write_pack(name="less", head='without = ["tool.py.j2"]')
        assert list(rendered(less, base)) == ["out.txt"]


@pytest.mark.parametrize("module", ["../../x", "", ".git", "con/../x", "a\\b", "mcp.yaml"])
def test_a_value_cannot_change_the_directory_of_a_path(module: str, write_pack: WritePack) -> None:
    rows = EACH.replace("{{ project.package }}/", "").replace(".py", "", 1).replace(".py", "")
    folder = write_pack(rows.replace('"tool.j2"', '"tool.py.j2"'), **{"tool.py.j2": ""})
    (fault,) = faults(folder, project=replace(BLOG, tools=(replace(READ, module=module),)))
    assert fault.id == "template-failed"
    assert fault.place is not None
    assert fault.place.line == 6


def test_colliding_paths_are_an_error_that_names_both_templates(write_pack: WritePack) -> None:
    two = ONE.replace("out", "two")
    templates = {"out.txt.j2": "", "two.txt.j2": "", "tool.py.j2": ""}
    (fault,) = faults(write_pack(ONE + two + 'path = "OUT.txt"\n', **templates))
    assert fault.id == "path-claimed"
    assert fault.message == "`@acme/out.txt.j2` and `@acme/two.txt.j2` both write `OUT.txt`"
    assert fault.place is not None
    assert fault.place.line == 10
    assert faults(write_pack(ONE + 'path = "Blog"\n' + EACH, "more", **templates))[0].message == (
        "`Blog` is a directory for `@more/tool.py.j2` for `a/b`, a file for `@more/out.txt.j2`"
    )


class TestMistakes:
    def test_an_error_has_the_line_of_the_layer_that_caused_it(self, write_pack: WritePack) -> None:
        base = "\n\n{% block a %}{% endblock %}{{ project.nothing }}"
        lower = write_pack(ONE, "python", **{"out.txt.j2": base})
        text = '{% extends "@python/out.txt.j2" %}{% block a %}mine{% endblock %}'
        (fault,) = faults(write_pack(**{"out.txt.j2": text}), lower)
        assert fault.message == "`Project` has no `nothing` (in `@python/out.txt.j2`)"
        assert fault.place is not None
        assert (fault.place.path, fault.place.line) == (str(lower / "out.txt.j2"), 3)

    def test_all_failing_rows_are_reported_at_once(self, write_pack: WritePack) -> None:
        rows = ONE + EACH + ONE.replace("out", "absent")
        rows += f'{ONE}each = "prompt"\n{ONE}when = "project.wbe"\n{ONE.replace("out", "half")}'
        folder = write_pack(
            rows,
            **{
                "out.txt.j2": "{{ project.x }}",
                "tool.py.j2": "{{ tool.description }}",
                "half.txt.j2": "{{ '\\ud83d' }}",
            },
        )
        messages = {(fault.id, re.split(r":| \(in", fault.message)[0]) for fault in faults(folder)}
        assert messages == {
            ("template-undefined", "`Project` has no `x`"),
            ("template-unquoted", "free text must pass a quoting filter"),
            ("template-missing", "no template `absent.txt.j2`"),
            ("template-undefined", "`Project` has no `prompts`"),
            ("template-undefined", "`Project` has no `wbe`"),
            ("template-failed", "U+D83D is a lone surrogate, which UTF-8 cannot encode"),
        }


class TestCompiledTemplates:
    def test_a_template_is_compiled_once_for_all_runs_until_it_changes(
        self, write_pack: WritePack, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        """The packs of the tests are taken for the built-in ones."""
        monkeypatch.setattr("scaffold.packs.sandbox.builtin_packs", lambda: tmp_path / "packs")
        monkeypatch.setattr("sys.dont_write_bytecode", False)
        folder = write_pack(ONE, **{"out.txt.j2": "{{ project.package }}"})
        assert rendered(folder) == {"out.txt": "blog\n"}
        with monkeypatch.context() as within:
            within.setattr(Environment, "compile", pytest.fail)
            assert rendered(folder) == {"out.txt": "blog\n"}
        (kept,) = (tmp_path / "packs/__pycache__").iterdir()
        for damaged in (b"", kept.read_bytes()[:40]):
            kept.write_bytes(damaged)
            assert rendered(folder) == {"out.txt": "blog\n"}
        (folder / "out.txt.j2").write_text("new")
        assert rendered(folder) == {"out.txt": "new\n"}

    def test_the_cache_drops_templates_of_other_packs(
        self, write_pack: WritePack, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr("scaffold.packs.sandbox.builtin_packs", lambda: tmp_path / "other")
        rendered(write_pack(ONE, **{"out.txt.j2": "text"}))
        assert not list(tmp_path.rglob("*.jinja"))
