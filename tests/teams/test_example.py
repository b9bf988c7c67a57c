"""The company's pack in `examples/` is what the example server was made with."""

from __future__ import annotations

from scaffold.packs.parts import read_parts
from scaffold.project.pack_record import read_record
from scaffold.teams.address import parse_address
from scaffold.teams.copying import Asked
from scaffold.teams.fetching import fetch_pack
from tests.generated import REPOSITORY

SERVER = REPOSITORY / "examples/service-status"


def test_the_server_has_the_current_pack_and_its_answers() -> None:
    record = read_record(SERVER)
    assert record is not None
    asked = Asked({}, record.answers)
    pack = fetch_pack(parse_address(record.source, SERVER), record.source, asked)
    assert pack.record == record
    assert dict(pack.parts) == dict(read_parts(SERVER / ".scaffold/pack"))


def test_every_python_file_of_the_server_has_the_license() -> None:
    files = [path for path in SERVER.rglob("*.py") if "pytest" not in str(path)]
    assert len(files) > 15
    assert [
        path for path in files if not path.read_text().startswith("# Copyright Acme Ltd.")
    ] == []


def test_the_tutorial_names_existing_files() -> None:
    text = (REPOSITORY / "docs/packs.md").read_text()
    settings = text.partition("_subdirectory: pack\n")[2].partition("```")[0]
    assert settings.strip() in (REPOSITORY / "examples/company-pack/copier.yml").read_text()
    block = text.partition("{% block imports %}")[2].partition("```")[0]
    tools = "examples/company-pack/pack/src/package/_generated/server.py.j2"
    assert block.strip() in (REPOSITORY / tools).read_text()
