"""What a person writes for a pack is a folder or a plain address, and nothing that git would run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from scaffold.base.diagnostics import ScaffoldError
from scaffold.teams.address import parse_address

ADDRESSES = yaml.safe_load(Path(__file__).with_name("addresses.yaml").read_text("utf-8"))


@pytest.mark.parametrize("text", ADDRESSES["taken"])
def test_addresses_over_https_and_ssh_are_taken(text: str) -> None:
    address = parse_address(text)
    assert [address.remote, address.version] == ADDRESSES["taken"][text]
    assert address.folder is None


@pytest.mark.parametrize("text", ADDRESSES["refused"])
def test_every_other_address_is_refused(text: str) -> None:
    with pytest.raises(ScaffoldError) as refused:
        parse_address(text)
    assert [fault.id for fault in refused.value.diagnostics] == ["pack-address"]


@given(st.one_of(st.text(), st.from_regex(r"(ext|https|ssh|file|git)(::?|://).*@?.*")))
def test_no_address_that_is_taken_is_an_option_or_names_a_program(text: str) -> None:
    try:
        address = parse_address(text, Path("/nonexistent"))
    except ScaffoldError:
        return
    if address.remote is not None:
        assert re.match(
            r"(https|ssh)://[A-Za-z0-9_\[]|[A-Za-z0-9_][\w.+-]*@[A-Za-z0-9\[]", address.remote
        )
        assert not re.search(r"\s|::|[/@:]-|\\", address.remote.replace("[::", "["))
    assert address.version is None or re.match(r"\w", address.version)


@pytest.mark.parametrize("text", ["./pack", "../pack@v1", "{tmp}/pack", "file://{tmp}/pack"])
def test_a_missing_directory_is_reported(text: str, tmp_path: Path) -> None:
    with pytest.raises(ScaffoldError, match=r"the pack's directory `.*/pack` does not exist"):
        parse_address(text.format(tmp=tmp_path), tmp_path)
    (tmp_path / "pack").write_text("")
    if ".." not in text:
        with pytest.raises(ScaffoldError, match="is not a directory"):
            parse_address(text.format(tmp=tmp_path), tmp_path)
    with pytest.raises(ScaffoldError, match="unsupported pack address"):
        parse_address("http://git.example.org/pack", tmp_path)


def test_a_password_in_an_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(ScaffoldError, match="committed") as refused:
        parse_address("https://ann:hunter2@git.example.org/pack")
    assert "hunter2" not in str(refused.value)


def test_a_folder_is_taken_as_a_path_or_as_a_file_address(tmp_path: Path) -> None:
    (tmp_path / "pack@home").mkdir()
    (tmp_path / "pack").mkdir()
    assert parse_address(f"{tmp_path}/pack").folder == tmp_path / "pack"
    assert parse_address(f"file://{tmp_path}/pack@v1").folder == tmp_path / "pack"
    assert parse_address(f"{tmp_path}/pack@v1").version == "v1"
    assert parse_address(f"{tmp_path}/pack@home").version is None
    assert parse_address("pack", tmp_path).folder == tmp_path / "pack"


def test_a_recorded_path_is_relative_to_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    for folder in (project, elsewhere):
        (folder / "pack").mkdir(parents=True)
    monkeypatch.chdir(elsewhere)
    for text in ("pack", "file://pack"):
        address = parse_address(text, project)
        assert address.folder
        assert address.folder.resolve() == project / "pack"
        address = parse_address(text)
        assert address.folder
        assert address.folder.resolve() == elsewhere / "pack"
    (project / "pack").rmdir()
    with pytest.raises(ScaffoldError):
        parse_address("pack", project)
