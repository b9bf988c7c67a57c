"""A pack is a stranger's until trusted: what it tries is stopped, each by a message of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from scaffold.diagnostics import Diagnostic, ScaffoldError
from scaffold.packs.pack import read_layers
from scaffold.render.limited import render_limited
from scaffold.teams import fetching
from scaffold.teams.address import Address
from scaffold.teams.asked import Asked
from scaffold.teams.fetching import TeamPack, fetch_pack
from scaffold.teams.folder import check_paths
from scaffold.text import Text
from tests.teams.building import QUESTIONS, TABLE, Repository

DEFAULTS = Asked({}, {}, defaults=True)
TRUSTED = Asked({}, {}, defaults=True, trust=True)


def fetched(folder: Path, asked: Asked = DEFAULTS) -> TeamPack:
    return fetch_pack(Address(None, folder, None), str(folder), asked)


def refused(folder: Path, asked: Asked = DEFAULTS) -> Diagnostic:
    with pytest.raises(ScaffoldError) as raised:
        fetched(folder, asked)
    return raised.value.diagnostics[0]


@pytest.fixture
def write_pack(tmp_path: Path) -> Callable[..., Path]:
    """Writes a pack that asks questions, with these files and lines in its `copier.yml`."""

    def write(files: Mapping[str, str], config: str = "") -> Path:
        folder = tmp_path / "hostile"
        for path, text in {"copier.yml": QUESTIONS + config, "pack.toml": TABLE, **files}.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        return folder

    return write


WritePack = Callable[..., Path]


class TestWhereItWrites:
    @pytest.mark.parametrize(
        ("path", "id"),
        [
            ("<< '..' >>/x.j2.copier", "pack-escape"),
            ("<< '.git' >>/hooks/pre-commit.copier", "pack-escape"),
            ("<< '.GIT' >>/config.copier", "pack-escape"),
            ("a/<< 'git~1' >>/config.copier", "pack-escape"),
            ("<< '.g\u200cit' >>/config.copier", "pack-escape"),
            ("<< 'con' >>.j2.copier", "pack-escape"),
            ("<< 'a' >>\\x.j2.copier", "pack-escape"),
        ],
    )
    def test_a_path_that_leaves_the_pack_or_leads_into_git_is_refused(
        self, path: str, id: str, write_pack: WritePack, tmp_path: Path
    ) -> None:
        assert refused(write_pack({path: "x"}, "_exclude: [nothing]\n")).id == id
        assert sorted(p.name for p in tmp_path.iterdir()) == ["hostile"]

    def test_an_absolute_path_is_refused(self, write_pack: WritePack, tmp_path: Path) -> None:
        config = f"where: {{type: str, default: {tmp_path}/out, when: false}}\n"
        assert refused(write_pack({"<< where >>.j2.copier": "x"}, config)).id == "pack-escape"
        assert not (tmp_path / "out.j2").exists()

    @pytest.mark.parametrize("target", ["/etc/passwd", "pack.toml", "..", "nowhere"])
    def test_links_are_refused(self, target: str, write_pack: WritePack) -> None:
        folder = write_pack({}, "_preserve_symlinks: true\n")
        (folder / "link.j2").symlink_to(target)
        assert refused(folder).id == "pack-link"

    def test_links_in_a_repository_are_refused(self, repository: Repository) -> None:
        repository.write({"pack.toml": TABLE})
        (repository.folder / "etc").symlink_to("/etc")
        repository.tag("v1", {})
        for folder in (repository.folder, repository.folder / ".git"):
            assert refused(folder).id == "pack-link"

    def test_other_repositories_within_are_refused(self, repository: Repository) -> None:
        inner = Repository(repository.folder / "inner")
        inner.tag("v1", {"a": "b"})
        repository.tag("v1", {"pack.toml": TABLE})
        assert refused(repository.folder).id == "pack-link"
        fault = refused(repository.folder / ".git")
        assert (fault.id, "submodules are not supported" in (fault.hint or "")) == (
            "pack-link",
            True,
        )

    def test_devices_are_refused(self, write_pack: WritePack) -> None:
        folder = write_pack({})
        os.mkfifo(folder / "pipe.j2")
        assert refused(folder).id == "pack-link"

    @pytest.mark.parametrize(
        "names", [("A.j2", "a.j2"), ("a\u0308.j2", "\u00e4.j2"), ("stra\u00dfe.j2", "strasse.j2")]
    )
    def test_paths_that_are_one_on_some_systems_are_refused(
        self, names: tuple[str, str], write_pack: WritePack
    ) -> None:
        fault = refused(write_pack(dict.fromkeys(names, "")))
        assert fault.id == "pack-clash"
        fault = refused(write_pack({"one.j2": "", f"<< '{names[0]}' >>.copier": ""}))
        assert fault.id == "pack-clash"

    @pytest.mark.parametrize("path", ["A/x.j2", "a/b/x.j2"])
    def test_a_file_where_another_needs_a_folder_is_refused(self, path: str) -> None:
        with pytest.raises(ScaffoldError, match="`a` is a file where") as raised:
            check_paths(((name, 0o100644, 1) for name in ("a", path)), "p")
        assert [fault.id for fault in raised.value.diagnostics] == ["pack-clash"]

    @pytest.mark.parametrize("path", ["../x", "a/../../x", "./x", "a//x", "/x", "a\\x", "a\0"])
    def test_a_path_that_leads_out_is_refused(self, path: str) -> None:
        with pytest.raises(ScaffoldError, match="outside the pack") as raised:
            check_paths([(path, 0o100644, 1)], "p")
        assert [fault.id for fault in raised.value.diagnostics] == ["pack-escape"]

    def test_a_path_that_is_too_long_for_some_system_is_refused(self) -> None:
        for path in ("a" * 300, "a/" * 500 + "b"):
            with pytest.raises(ScaffoldError, match="too long for some systems") as raised:
                check_paths([(path, 0o100644, 1)], "p")
            assert [fault.id for fault in raised.value.diagnostics] == ["pack-escape"]

    def test_a_pack_of_too_many_or_too_large_files_is_refused(self) -> None:
        for sizes in ([0] * 3000, [2**20] * 20):
            with pytest.raises(ScaffoldError) as raised:
                check_paths(((f"{n}.j2", 0o100644, size) for n, size in enumerate(sizes)), "p")
            assert [fault.id for fault in raised.value.diagnostics] == ["pack-size"]

    def test_a_few_trees_that_list_a_billion_files_are_not_listed(
        self, repository: Repository
    ) -> None:
        repository.tag("v1", {"pack.toml": TABLE, "a/x": "x"})
        tree = repository.git("rev-parse", "HEAD:a").strip()
        for _ in range(9):
            rows = "".join(f"040000 tree {tree}\t{name}\n" for name in "abcdefghij")
            tree = repository.git("mktree", input=rows).strip()
        commit = repository.git("commit-tree", tree, "-m", "a billion").strip()
        repository.git("tag", "v2", commit)
        assert refused(repository.folder / ".git").id == "pack-size"


class TestWhatItReads:
    @pytest.mark.parametrize(
        "template",
        [
            "<< '$SECRET' | expandvars >>",
            "<< '/etc/*' | fileglob >>",
            "<< '~' | expanduser >>",
            "<< '.' | realpath >>",
            "<< ['$SECRET'] | map('expand' ~ 'vars') | join >>",
        ],
    )
    def test_filters_that_look_at_the_machine_are_refused(
        self, template: str, write_pack: WritePack, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("SECRET", "hunter2")
        fault = refused(write_pack({"a.j2.copier": template}))
        assert (fault.id, "reads from your machine" in fault.message) == ("pack-host", True)

    @pytest.mark.parametrize(
        "template",
        [
            "<% include '/etc/passwd' %>",
            "<% include '../../../../etc/passwd' %>",
            "<< _copier_conf.settings.__class__ >>",
            "<< ''.__class__.__mro__ >>",
            "<< self.__init__.__globals__ >>",
        ],
    )
    def test_files_and_insides_are_out_of_reach(self, template: str, write_pack: WritePack) -> None:
        fault = refused(write_pack({"a.j2.copier": f"first\n{template}"}))
        assert fault.id == "pack-render"
        assert fault.place is not None
        assert fault.place.path.endswith("hostile/a.j2.copier")

    @pytest.mark.parametrize(
        "tag", ["!include /etc/passwd", "!include ../secret.yml", "!!python/name:os.system"]
    )
    def test_questions_are_plain_yaml(self, tag: str, write_pack: WritePack) -> None:
        assert refused(write_pack({}, f"a: {tag}\n")).id == "pack-questions"

    @pytest.mark.parametrize(
        "config",
        [
            "_secret_questions: 5\n",
            "_envops: 5\n",
            "_templates_suffix: 5\n",
        ],
    )
    def test_settings_of_another_kind_are_told_without_a_traceback(
        self, config: str, write_pack: WritePack, capfd: pytest.CaptureFixture[str]
    ) -> None:
        assert refused(write_pack({"a.j2": ""}, config)).id in ("pack-questions", "pack-render")
        assert capfd.readouterr().err == ""

    def test_questions_are_asked_in_one_file(self, write_pack: WritePack) -> None:
        fault = refused(write_pack({"copier.yaml": "_tasks: [touch x]\n"}))
        assert (fault.id, fault.hint) == ("pack-questions", "remove one of them")

    def test_nothing_of_the_environment_reaches_the_pack(
        self, write_pack: WritePack, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setenv("SECRET", "hunter2")
        monkeypatch.setenv("HOME", str(tmp_path / "me"))
        config = '_tasks: ["(env; echo HOME=$HOME) > environment.j2"]\n'
        parts = fetched(write_pack({}, config), TRUSTED).parts
        assert b"hunter2" not in parts["environment.j2"]
        assert str(tmp_path / "me").encode() not in parts["environment.j2"]

    def test_settings_of_the_user_change_nothing(
        self, write_pack: WritePack, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        settings = tmp_path / "copier/settings.yml"
        settings.parent.mkdir()
        settings.write_text("defaults: {company: Evil}\ntrust: [/]\n")
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
        monkeypatch.setenv("COPIER_SETTINGS_PATH", str(settings))
        pack = write_pack({"a.j2.copier": "<< company >>"}, "company: {default: Acme}\n")
        assert fetched(pack).parts["a.j2"] == b"Acme"
        assert refused(write_pack({}, "_tasks: [touch x]\n")).id == "pack-untrusted"


class TestWhatItRuns:
    @pytest.mark.parametrize(
        ("config", "word"),
        [
            ("_tasks: [touch x]\n", "tasks"),
            ("_migrations: [{version: v1, before: [touch x]}]\n", "migrations"),
            ("_jinja_extensions: [os.path]\n", "Jinja extensions"),
        ],
    )
    def test_programs_of_the_pack_are_not_run(
        self, config: str, word: str, write_pack: WritePack, tmp_path: Path
    ) -> None:
        fault = refused(write_pack({}, config.replace("touch x", f"touch {tmp_path}/x")))
        assert (fault.id, word in fault.message) == ("pack-untrusted", True)
        assert not (tmp_path / "x").exists()

    def test_programs_of_a_trusted_pack_are_run(self, write_pack: WritePack) -> None:
        pack = write_pack({}, "_tasks: ['echo made > made.j2']\n")
        assert fetched(pack, TRUSTED).parts["made.j2"] == b"made\n"

    def test_a_trusted_task_cannot_plant_a_link_either(self, write_pack: WritePack) -> None:
        pack = write_pack({}, "_tasks: ['ln -s /etc/passwd made.j2']\n")
        assert refused(pack, TRUSTED).id == "pack-link"

    def test_hooks_filters_and_settings_of_git_are_not_run(
        self, repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        """Neither those in the repository, nor those of the user that it asks for."""
        mark = tmp_path / "ran"
        mine = tmp_path / "gitconfig"
        mine.write_text(
            f'[filter "mine"]\nsmudge = touch {mark}; cat\n[core]\nhooksPath = {tmp_path}/hooks\n'
            f"[init]\ntemplateDir = {tmp_path}/hooks\n[safe]\ndirectory = *\n"
        )
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(mine))
        hooks = (tmp_path / "hooks", tmp_path / "hooks/hooks", repository.folder / ".git/hooks")
        repository.tag("v1", {"pack.toml": TABLE, ".gitattributes": "* filter=mine\n"})
        mark.unlink(missing_ok=True)
        for folder in hooks:
            folder.mkdir(exist_ok=True)
            for hook in ("post-checkout", "reference-transaction", "post-merge", "fsmonitor"):
                (folder / hook).write_text(f"#!/bin/sh\ntouch {mark}\n")
                (folder / hook).chmod(0o755)
        repository.git("config", "core.fsmonitor", str(hooks[2] / "fsmonitor"))
        repository.git("config", "uploadpack.packObjectsHook", str(hooks[2] / "fsmonitor"))
        mark.unlink(missing_ok=True)
        for folder in (repository.folder, repository.folder / ".git"):
            assert fetched(folder).parts == {"pack.toml": TABLE.encode()}
        assert not mark.exists()


class TestWhatItAsks:
    @pytest.mark.parametrize(
        "config",
        [
            "token: {type: str, default: x, secret: true}\n",
            "_secret_questions: [token]\ntoken: {type: str, default: x}\n",
        ],
    )
    def test_a_secret_is_not_asked_for(self, config: str, write_pack: WritePack) -> None:
        fault = refused(write_pack({}, config))
        assert (fault.id, "`token`" in fault.message) == ("pack-secret", True)


class TestWhatItTakes:
    @pytest.fixture(autouse=True)
    def limits(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(fetching, "LIMITS", {"seconds": 3, "memory": 2**30, "file": 2**20})

    @pytest.mark.parametrize(
        "template",
        [
            "<% for a in range(99999) %><% for b in range(99999) %><% endfor %><% endfor %>",
            "<< 'x' * 10 ** 10 >>",
            "<< '%10000000000d' % 1 >>",
            "<< 'x' * 2 ** 21 >>",
            "<% macro m(s) %><< m(s ~ s) >><% endmacro %><< m('x' * 1000) >>",
        ],
    )
    def test_a_pack_that_takes_too_much_is_stopped(
        self, template: str, write_pack: WritePack
    ) -> None:
        assert refused(write_pack({"a.j2.copier": template})).id == "pack-limit"

    def test_a_default_that_never_ends_is_stopped(self, write_pack: WritePack) -> None:
        loop = "<% for a in range(99999) %><% for b in range(99999) %><% endfor %><% endfor %>"
        pack = write_pack({}, f'a: {{type: str, default: "{loop}"}}\n')
        assert refused(pack).id == "pack-limit"


@dataclass(frozen=True)
class Project:
    name: str
    words: tuple[str, ...]
    description: Text


LOOP = "".join(f"{{% for w{n} in project.words %}}" for n in range(9)) + "{% endfor %}" * 9
DOUBLED = "{% macro m(s) %}{{ m(s ~ s) }}{% endmacro %}{{ m(project.name * 1000) }}"


class TestWhatItsTemplatesTake:
    """When the project is rendered, each time."""

    project = Project("hello", tuple("abcdefghijklmnopqrstuvwxyz"), Text("text"))

    def rendered(
        self, template: str, tmp_path: Path, megabytes: int = 200, seconds: int = 2
    ) -> Diagnostic:
        folder = tmp_path / "acme"
        folder.mkdir()
        (folder / "pack.toml").write_text(
            TABLE.replace('extends = "python"\n', "")
            + '[[files]]\ntemplate = "a.j2"\nowner = "merged"\n'
        )
        (folder / "a.j2").write_text(f"first\n{template}\n")
        with pytest.raises(ScaffoldError) as raised:
            render_limited(
                self.project, read_layers(folder), {}, seconds=seconds, memory=megabytes * 2**20
            )
        (fault,) = raised.value.diagnostics
        return fault

    @pytest.mark.parametrize(
        ("template", "message"),
        [
            (LOOP, "the template takes too long (in `@acme/a.j2`)"),
            (DOUBLED, "the template uses too much memory (in `@acme/a.j2`)"),
            ("{{ 'x' * 10 ** 10 }}", "the template uses too much memory (in `@acme/a.j2`)"),
            ("{{ '%10000000000d' % 1 }}", "uses too much memory"),
            ("{{ 'a' | indent(10 ** 10) }}", "uses too much memory"),
            ("{{ ('a' * 10 ** 8) | replace('a', 'b' * 100) }}", "uses too much memory"),
            ("{{ 9 ** (9 ** 9) }}", "took more than 2 seconds"),
        ],
    )
    def test_time_and_memory_are_bounded(self, template: str, message: str, tmp_path: Path) -> None:
        fault = self.rendered(template, tmp_path)
        assert fault.id == "template-limit"
        assert message in fault.message
        if "(in " in fault.message:
            assert fault.place is not None
            assert fault.place.line == 2

    def test_the_size_of_what_is_made_is_bounded(self, tmp_path: Path) -> None:
        fault = self.rendered("{{ 'x' * 70000000 }}", tmp_path, 900, seconds=60)
        assert (fault.id, "million characters" in fault.message) == ("template-limit", True)

    @pytest.mark.parametrize(
        "template",
        [
            "{{ project.words.clear() }}",
            "{% set project.name = 'x' %}",
            "{{ project.__setattr__('name', 'x') }}",
            "{{ {}.update({'a': 1}) }}",
        ],
    )
    def test_the_data_cannot_be_changed(self, template: str, tmp_path: Path) -> None:
        assert self.rendered(template, tmp_path).id.startswith("template-")
        assert self.project.name == "hello"
