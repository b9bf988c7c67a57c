"""A pack that was fetched is code from a stranger: what it could do before anyone reads it is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from scaffold.base.diagnostics import Diagnostic, ScaffoldError
from scaffold.teams.address import Address, parse_address
from scaffold.teams.copying import Asked
from scaffold.teams.fetching import TeamPack, fetch_pack
from scaffold.teams.folder import check_paths
from scaffold.teams.git import Fetched
from tests.repository import Repository
from tests.teams.building import QUESTIONS, TABLE

WritePack = Callable[..., Path]

HOSTILE = yaml.safe_load(Path(__file__).with_name("hostile.yaml").read_text("utf-8"))


def fetched(folder: Path, trust: bool = False) -> TeamPack:
    asked = Asked({}, {}, defaults=True, trust=trust)
    return fetch_pack(Address(None, folder, None), str(folder), asked)


def refused(folder: Path) -> Diagnostic:
    with pytest.raises(ScaffoldError) as raised:
        fetched(folder)
    return raised.value.diagnostics[0]


@pytest.fixture
def write_pack(tmp_path: Path) -> WritePack:
    """Writes a pack that asks questions, with these files and lines in its `copier.yml`."""

    def write(files: Mapping[str, str], config: str = "") -> Path:
        folder = tmp_path / "hostile"
        for path, text in {"copier.yml": QUESTIONS + config, "pack.toml": TABLE, **files}.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        return folder

    return write


@pytest.mark.parametrize("path", HOSTILE["paths"])
def test_a_path_that_leaves_the_pack_or_leads_into_git_is_refused(
    path: str, write_pack: WritePack, tmp_path: Path
) -> None:
    assert refused(write_pack({path: "x"}, "_exclude: [nothing]\n")).id == "pack-escape"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["hostile"]


@pytest.mark.parametrize("case", HOSTILE["names"], ids=lambda case: str(case["paths"])[:40])
def test_paths_that_some_system_cannot_have_are_refused(case: dict[str, Any]) -> None:
    with pytest.raises(ScaffoldError, match=case["said"]) as raised:
        check_paths([(path, 0o100644) for path in case["paths"]], "p")
    assert [fault.id for fault in raised.value.diagnostics] == [case["id"]]


@pytest.mark.parametrize("target", ["/etc/passwd", "pack.toml", "nowhere"])
def test_links_are_refused(target: str, write_pack: WritePack) -> None:
    folder = write_pack({}, "_preserve_symlinks: true\n")
    (folder / "link.j2").symlink_to(target)
    assert refused(folder).id == "pack-link"


def test_links_and_other_repositories_in_a_repository_are_refused(repository: Repository) -> None:
    repository.write({"pack.toml": TABLE})
    (repository.folder / "etc").symlink_to("/etc")
    repository.tag("v1", {})
    (repository.folder / "etc").unlink()
    Repository(repository.folder / "inner").tag("v1", {"a": "b"})
    for folder in (repository.folder, repository.folder / ".git"):
        assert refused(folder).id == "pack-link"
    repository.tag("v2", {})
    for folder in (repository.folder, repository.folder / ".git"):
        assert refused(folder).id == "pack-link"


@pytest.mark.parametrize("template", HOSTILE["templates"])
def test_templates_cannot_access_files_or_internals(template: str, write_pack: WritePack) -> None:
    fault = refused(write_pack({"a.j2.copier": f"first\n{template}"}))
    assert fault.id == "pack-render"
    assert fault.place is not None
    assert fault.place.path.endswith("hostile/a.j2.copier")


@pytest.mark.parametrize(("config", "id"), HOSTILE["questions"].items())
def test_questions_are_plain_and_ask_for_no_program_or_secret(
    config: str, id: str, write_pack: WritePack, tmp_path: Path
) -> None:
    assert id in refused(write_pack({}, config.replace("MARK", f"{tmp_path}/mark"))).id
    assert not (tmp_path / "mark").exists()
    fault = refused(write_pack({"copier.yaml": config}))
    assert (fault.id, fault.hint) == ("pack-questions", "remove one of them")


def test_the_user_s_environment_and_settings_do_not_reach_a_pack(
    write_pack: WritePack, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Not even one that is trusted to run programs."""
    settings = tmp_path / "copier/settings.yml"
    settings.parent.mkdir()
    settings.write_text("defaults: {company: Evil}\ntrust: [/]\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("COPIER_SETTINGS_PATH", str(settings))
    monkeypatch.setenv("SECRET", "hunter2")
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    config = 'company: {default: Acme}\n_tasks: ["(env; echo HOME=$HOME) > environment.j2"]\n'
    pack = write_pack({"a.j2.copier": "<< company >>"}, config)
    assert refused(pack).id == "pack-untrusted"
    parts = fetched(pack, trust=True).parts
    assert parts["a.j2"] == b"Acme"
    assert b"HOME=" in parts["environment.j2"]
    assert b"hunter2" not in parts["environment.j2"]
    assert str(tmp_path / "me").encode() not in parts["environment.j2"]


def test_hooks_filters_and_settings_of_git_are_not_run(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Neither those in the repository, nor those of the user that it asks for."""
    mark, mine = tmp_path / "ran", tmp_path / "gitconfig"
    mine.write_text(
        f'[filter "mine"]\nsmudge = touch {mark}; cat\n[core]\nhooksPath = {tmp_path}/hooks\n'
        f"[init]\ntemplateDir = {tmp_path}/hooks\n[safe]\ndirectory = *\n"
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(mine))
    hooks = (tmp_path / "hooks", tmp_path / "hooks/hooks", repository.folder / ".git/hooks")
    repository.tag("v1", {"pack.toml": TABLE, ".gitattributes": "* filter=mine\n"})
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


def test_a_pack_from_elsewhere_reads_no_directory_of_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f'name = "data"\ncontract = 4\nextends = "{tmp_path}"\n'.encode()
    elsewhere = Fetched({"pack.toml": text}, frozenset(), "v1.0.0", "0" * 40)
    monkeypatch.setattr("scaffold.teams.fetching.fetch", lambda *_: elsewhere)
    address = parse_address("https://git.example.org/pack.git")
    with pytest.raises(ScaffoldError, match="invalid pack to extend"):
        fetch_pack(address, address.shown, Asked({}, {}, defaults=True))
