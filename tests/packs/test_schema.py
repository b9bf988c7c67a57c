"""`specs/pack.schema.json` is what mcp-scaffold checks packs by, and names what the code knows."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema_rs import Draft7Validator, meta

from scaffold.base.files import Owner
from scaffold.cli.main import main
from scaffold.format.schema import json_schema
from scaffold.format.spec import Spec
from scaffold.languages.registry import NAMES, language
from scaffold.packs import builtin_packs
from scaffold.packs.table import CONTRACT, PLACEHOLDER, VALUES
from tests.generated import REPOSITORY

TEXT = (REPOSITORY / "specs/pack.schema.json").read_text("utf-8")
SCHEMA = json.loads(TEXT)
KEYS = SCHEMA["properties"]
PAGE = (builtin_packs() / "README.md").read_text("utf-8")


def test_the_command_prints_the_schema() -> None:
    assert CliRunner().invoke(main, ["schema", "--pack"]).output == TEXT


def test_the_schema_is_valid() -> None:
    meta.validate(SCHEMA)


@pytest.mark.parametrize("name", ["python", "python-stdlib"])
def test_built_in_packs_are_valid_for_editors(name: str) -> None:
    table = tomllib.loads((builtin_packs() / name / "pack.toml").read_text("utf-8"))
    Draft7Validator(SCHEMA).validate(table)


def test_the_schema_lists_the_values_that_the_code_accepts() -> None:
    assert KEYS["contract"]["const"] == CONTRACT
    assert KEYS["language"]["enum"] == [*NAMES]
    assert KEYS["files"]["items"]["properties"]["owner"]["enum"] == [*Owner]
    assert PLACEHOLDER.pattern in KEYS["files"]["items"]["properties"]["path"]["pattern"]
    assert {*VALUES} < {*KEYS}


def test_a_pack_can_refuse_keys_of_a_spec_and_every_limit_of_a_language() -> None:
    words = {*KEYS["refuses"]["items"]["enum"]}
    limits = {word for name in NAMES for word in language(name).limits}
    assert limits < words
    schema = json_schema()
    for word in words - limits:
        first, *others = word.split(".")
        part = schema if first in schema["properties"] else schema["definitions"]["Tool"]
        for key in (first, *others):
            part = items_of(part["properties"][key], schema)
        assert word not in schema["required"]


def items_of(part: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """The schema that a key refers to, or that of its items."""
    part = part.get("items", part)
    name = part.get("$ref", "").rpartition("/")[2]
    return schema["definitions"][name] if name else part


def test_a_pack_can_ignore_only_optional_parts_of_a_spec() -> None:
    transports = {"streamable-http", "sse"}
    for word in {*KEYS["ignores"]["items"]["enum"]} - transports:
        assert not Spec.model_fields[word].is_required()


@pytest.mark.parametrize(
    "key", sorted({*KEYS, *KEYS["commands"]["properties"], *KEYS["publish"]["properties"]})
)
def test_every_key_is_on_the_contract_page(key: str) -> None:
    assert re.search(rf"(`|\n){re.escape(key)}(`| = )|\[{key}\]|\[\[{key}\]\]", PAGE)


def test_every_slot_of_a_command_is_on_the_contract_page() -> None:
    slots = {
        slot
        for purpose in SCHEMA["definitions"].values()
        for slot in re.findall(r"\{(\w+)\}`", purpose["patternErrorMessage"])
    }
    assert slots
    assert {slot for slot in slots if f"`{{{slot}}}`" not in PAGE} == set()
