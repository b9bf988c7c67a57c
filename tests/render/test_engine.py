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
from scaffold.packs.pack import read_layers

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


READ = Tool("a/b", "a_b", Text("Reads a post."), stub=True)
SEARCH = Tool("search", "search", Text("Finds posts."), stub=False)
BLOG = Project("blog", Text("A *blog*."), (READ, SEARCH), web=False)

ONE = '[[files]]\ntemplate = "out.txt.j2"\nowner = "merged"\n'
EACH = (
    '[[files]]\ntemplate = "tool.py.j2"\npath = "{{ project.package }}/{{ tool.module }}.py"\n'
    'owner = "owned"\neach = "tool"\n'
)


def rendered(folder: Path, project: Project = BLOG) -> dict[str, str]:
    files = render(project, read_layers(folder, folder.parent), FILTERS)
    return {str(path): file.text for path, file in files.items()}


def faults(folder: Path, project: Project = BLOG) -> tuple[Diagnostic, ...]:
    with pytest.raises(ScaffoldError) as raised:
        render(project, read_layers(folder, folder.parent), FILTERS)
    return raised.value.diagnostics


class TestFiles:
    def test_a_runtime_module_is_copied_below_the_header_and_holds_no_jinja(
        self, write_pack: WritePack
    ) -> None:
        module = 'TEXT = "{{ not.a.name }} {% nor a tag %}"\n'
        row = (
            '[[files]]\ntemplate = "runtime/tools.py"\nowner = "generated"\n'
            'path = "src/{{ project.package }}/_generated/runtime/tools.py"\n'
        )
        templates = {"runtime/tools.py": module, "header.j2": "# {{ project.package }}\n"}
        found = rendered(write_pack(row, **templates))
        assert found == {"src/blog/_generated/runtime/tools.py": f"# blog\n{module}"}

    def test_an_upper_layer_replaces_a_whole_runtime_module(self, write_pack: WritePack) -> None:
        row = '[[files]]\ntemplate = "runtime/tools.py"\nowner = "generated"\n'
        write_pack(row, "base", **{"runtime/tools.py": "ours\n", "header.j2": ""})
        top = write_pack(head='extends = "base"', **{"runtime/tools.py": "theirs\n"})
        assert rendered(top) == {"runtime/tools.py": "theirs\n"}

    def test_a_row_makes_a_file(self, write_pack: WritePack) -> None:
        folder = write_pack(ONE + "executable = true", **{"out.txt.j2": "{{ project.package }}"})
        (file,) = render(BLOG, read_layers(folder), FILTERS).values()
        assert file == RenderedFile(
            RelPath("out.txt"),
            Owner.MERGED,
            text="blog\n",
            origin="@acme/out.txt.j2",
            about=None,
            executable=True,
        )

    def test_a_row_fans_out_over_a_collection(self, write_pack: WritePack) -> None:
        folder = write_pack(EACH, **{"tool.py.j2": "{{ tool.about | py }}"})
        files = render(BLOG, read_layers(folder), FILTERS)
        assert {path: (file.about, file.text) for path, file in files.items()} == {
            "blog/a_b.py": ("a/b", '"a/b"\n'),
            "blog/search.py": ("search", '"search"\n'),
        }

    def test_when_leaves_files_out(self, write_pack: WritePack) -> None:
        folder = write_pack(
            ONE + 'when = "project.web"\n' + EACH + 'when = "tool.stub"\n',
            **{"out.txt.j2": "", "tool.py.j2": ""},
        )
        assert list(rendered(folder)) == ["blog/a_b.py"]
        assert list(rendered(folder, replace(BLOG, tools=(), web=True))) == ["out.txt"]

    @pytest.mark.parametrize(
        ("template", "text"),
        [
            ("a", "a\n"),
            ("a\n\n\n", "a\n"),
            ("a\r\nb\r\n", "a\nb\n"),
            ("", ""),
            ("\n  \n", ""),
            ("{% if project.web %}\nweb\n{% endif %}\n", ""),
            ("a  \nb", "a  \nb\n"),
        ],
    )
    def test_a_file_ends_in_one_line_end_or_is_empty(
        self, template: str, text: str, write_pack: WritePack
    ) -> None:
        assert rendered(write_pack(ONE, **{"out.txt.j2": template})) == {"out.txt": text}


class TestLayers:
    def test_the_topmost_template_wins_and_reaches_the_original(
        self, write_pack: WritePack
    ) -> None:
        base = "{% block head %}head{% endblock %} {% include 'part.j2' %}"
        write_pack(ONE, "common", **{"out.txt.j2": base, "part.j2": "common part"})
        write_pack("", "python", 'extends = "common"', **{"part.j2": "python part"})
        folder = write_pack(
            head='extends = "python"',
            **{
                "out.txt.j2": '{% extends "@python/out.txt.j2" %}'
                "{% block head %}my {{ super() }}{% endblock %}"
            },
        )
        assert rendered(folder) == {"out.txt": "my head python part\n"}
        (file,) = render(BLOG, read_layers(folder, folder.parent), FILTERS).values()
        assert file.origin == "@acme/out.txt.j2"

    def test_the_rows_of_a_template_replace_those_beneath(self, write_pack: WritePack) -> None:
        write_pack(ONE + EACH, "python", **{"out.txt.j2": "", "tool.py.j2": ""})
        moved = '[[files]]\ntemplate = "out.txt.j2"\npath = "{}"\nowner = "owned"\n'
        folder = write_pack(moved.format("x") + moved.format("y"), head='extends = "python"')
        assert list(rendered(folder)) == ["blog/a_b.py", "blog/search.py", "x", "y"]

    def test_a_layer_can_do_without_files_of_those_beneath(self, write_pack: WritePack) -> None:
        write_pack(ONE + EACH, "python", **{"out.txt.j2": "", "tool.py.j2": ""})
        folder = write_pack(head='extends = "python"\nwithout = ["tool.py.j2"]')
        assert list(rendered(folder)) == ["out.txt"]


class TestClaims:
    def test_a_path_claimed_twice_is_an_error_with_both_templates(
        self, write_pack: WritePack
    ) -> None:
        folder = write_pack(
            ONE + ONE.replace("out", "two") + 'path = "OUT.txt"\n',
            **{"out.txt.j2": "", "two.txt.j2": ""},
        )
        (fault,) = faults(folder)
        assert fault.id == "path-claimed"
        assert fault.message == "`@acme/out.txt.j2` and `@acme/two.txt.j2` both write `OUT.txt`"
        assert fault.place is not None
        assert fault.place.line == 10

    def test_a_file_where_another_needs_a_folder_is_an_error(self, write_pack: WritePack) -> None:
        folder = write_pack(ONE + 'path = "Blog"\n' + EACH, **{"out.txt.j2": "", "tool.py.j2": ""})
        assert faults(folder, replace(BLOG, tools=(READ,)))[0].message == (
            "`Blog` is a directory for `@acme/tool.py.j2` for `a/b`, a file for `@acme/out.txt.j2`"
        )

    @pytest.mark.parametrize("module", ["../../x", "", ".git", "con/../x", "a\\b", "mcp.yaml"])
    def test_a_value_cannot_lead_a_path_astray(self, module: str, write_pack: WritePack) -> None:
        rows = EACH.replace("{{ project.package }}/", "").replace(".py", "", 1).replace(".py", "")
        folder = write_pack(rows.replace('"tool.j2"', '"tool.py.j2"'), **{"tool.py.j2": ""})
        (fault,) = faults(folder, replace(BLOG, tools=(replace(READ, module=module),)))
        assert fault.id == "template-failed"
        assert fault.place is not None
        assert fault.place.line == 6


class TestMistakes:
    def test_the_line_is_that_of_the_layer_where_it_happened(self, write_pack: WritePack) -> None:
        base = "\n\n{% block a %}{% endblock %}{{ project.nothing }}"
        lower = write_pack(ONE, "python", **{"out.txt.j2": base})
        text = '{% extends "@python/out.txt.j2" %}{% block a %}mine{% endblock %}'
        folder = write_pack(head='extends = "python"', **{"out.txt.j2": text})
        (fault,) = faults(folder)
        assert fault.message == "`Project` has no `nothing` (in `@python/out.txt.j2`)"
        assert fault.place is not None
        assert (fault.place.path, fault.place.line) == (str(lower / "out.txt.j2"), 3)

    def test_all_rows_that_fail_are_told_at_once(self, write_pack: WritePack) -> None:
        folder = write_pack(
            ONE
            + EACH
            + ONE.replace("out", "absent")
            + ONE
            + 'each = "prompt"\n'
            + ONE
            + 'when = "project.wbe"\n',
            **{"out.txt.j2": "{{ project.x }}", "tool.py.j2": "{{ tool.description }}"},
        )
        messages = {(fault.id, re.split(r":| \(in", fault.message)[0]) for fault in faults(folder)}
        assert messages == {
            ("template-undefined", "`Project` has no `x`"),
            ("template-unquoted", "free text must pass a quoting filter"),
            ("template-missing", "no template `absent.txt.j2`"),
            ("template-undefined", "`Project` has no `prompts`"),
            ("template-undefined", "`Project` has no `wbe`"),
        }

    def test_half_a_character_is_no_text_of_a_file(self, write_pack: WritePack) -> None:
        (fault,) = faults(write_pack(ONE, **{"out.txt.j2": "{{ '\\ud83d' }}"}))
        assert fault.id == "template-failed"
        assert fault.message == "U+D83D is a lone surrogate, which UTF-8 cannot encode"


def test_nothing_global_is_in_sight(write_pack: WritePack) -> None:
    names = [
        "range",
        "dict",
        "lipsum",
        "cycler",
        "joiner",
        "namespace",
        "config",
        "request",
        "open",
    ]
    tests = "".join(f"{{{{ {name} is defined and '{name}' or '' }}}}" for name in names)
    assert rendered(write_pack(ONE, **{"out.txt.j2": tests})) == {"out.txt": ""}


class TestCompiledTemplates:
    @pytest.fixture
    def packs(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """The folder of the packs of the tests, taken for that of the built-in ones."""
        monkeypatch.setattr("scaffold.packs.sandbox.builtin_packs", lambda: tmp_path / "packs")
        monkeypatch.setattr("sys.dont_write_bytecode", False)
        return tmp_path / "packs"

    def test_a_template_is_compiled_once_for_all_runs(
        self, packs: Path, write_pack: WritePack, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        folder = write_pack(ONE, **{"out.txt.j2": "{{ project.package }}"})
        assert rendered(folder) == {"out.txt": "blog\n"}
        monkeypatch.setattr(Environment, "compile", pytest.fail)
        assert rendered(folder) == {"out.txt": "blog\n"}

    def test_an_edited_template_is_compiled_anew(self, packs: Path, write_pack: WritePack) -> None:
        folder = write_pack(ONE, **{"out.txt.j2": "old"})
        assert rendered(folder) == {"out.txt": "old\n"}
        (folder / "out.txt.j2").write_text("new")
        assert rendered(folder) == {"out.txt": "new\n"}

    def test_a_damaged_file_is_made_anew(self, packs: Path, write_pack: WritePack) -> None:
        folder = write_pack(ONE, **{"out.txt.j2": "text"})
        assert rendered(folder) == {"out.txt": "text\n"}
        (kept,) = (packs / "__pycache__").iterdir()
        whole = kept.read_bytes()
        for damaged in [b"\0" * 99, *(whole[:length] for length in range(0, len(whole), 40))]:
            kept.write_bytes(damaged)
            assert rendered(folder) == {"out.txt": "text\n"}
        assert kept.read_bytes() == whole

    def test_nothing_of_other_packs_is_kept(
        self, write_pack: WritePack, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr("scaffold.packs.sandbox.builtin_packs", lambda: tmp_path / "other")
        rendered(write_pack(ONE, **{"out.txt.j2": "text"}))
        assert not list(tmp_path.rglob("*.jinja"))
