"""The schemas go to SchemaStore, which gives them to editors, as its linter wants them."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from scaffold.yaml.source import parse
from tests import npm
from tests.generated import REPOSITORY

SCHEMAS = {"mcp-scaffold": "mcp-scaffold", "mcp-scaffold-pack": "pack"}
HERE = Path(__file__).parent
SUBMIT = REPOSITORY / "specs/schemastore/submit.py"
CATALOG = """\
{
  "schemas": [
    {
      "name": ".adonisrc.json",
      "url": "https://www.schemastore.org/adonisrc.json"
    },
    {
      "name": "Zuul",
      "url": "https://zuul-ci.org/schema.json"
    }
  ]
}
"""
VALIDATION = """\
{
  "options": {
    // Formats that no validator has.
    "ansible.json": {
      "unknownFormat": ["uri-reference"]
    }
  }
}
"""
ANNOTATIONS = {"$ref", "title", "description", "default", "examples"}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory, starts_programs: None) -> Path:
    """A checkout of SchemaStore, with little in it, after two runs of the script."""
    checkout = tmp_path_factory.mktemp("schemastore")
    for name, text in (("api/json/catalog.json", CATALOG), ("schema-validation.jsonc", VALIDATION)):
        file = checkout / "src" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    for _ in range(2):
        subprocess.run([sys.executable, str(SUBMIT), str(checkout)], check=True)
    return checkout


def test_the_catalog_has_an_entry_for_each_schema(checkout: Path) -> None:
    entries = json.loads((checkout / "src/api/json/catalog.json").read_text())["schemas"]
    names = [entry["name"] for entry in entries]
    assert names == [".adonisrc.json", "mcp-scaffold spec", "pack.toml (mcp-scaffold)", "Zuul"]
    for entry, (name, file) in zip(entries[1:-1], SCHEMAS.items(), strict=True):
        published = json.loads((REPOSITORY / f"specs/{file}.schema.json").read_text("utf-8"))
        assert entry["url"] == published["$id"] == f"https://www.schemastore.org/{name}.json"
        assert "schema" not in entry["name"] + entry["description"]


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_linter_accepts_a_schema_and_its_tests(checkout: Path, name: str) -> None:
    source = checkout / "src"
    comments = (source / "schema-validation.jsonc").read_text().splitlines()
    assert "    // Formats that no validator has." in comments
    options = json.loads("\n".join(line for line in comments if "//" not in line))["options"]
    valid = sorted(source.glob(f"test/{name}/*"))
    invalid = sorted(source.glob(f"negative_test/{name}/*"))
    assert len(valid) > 2
    assert len(invalid) > 4
    program = npm.installed("ajv", "8.18.0", "dist/ajv.js", REPOSITORY / ".cache")
    schema = json.loads((source / f"schemas/json/{name}.json").read_text("utf-8"))
    values = [value(file) for file in (*valid, *invalid)]
    ended = subprocess.run(
        [npm.NODE, HERE / "ajv.cjs", program],
        input=json.dumps({"schema": schema, "options": options[f"{name}.json"], "values": values}),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert json.loads(ended.stdout) == [True] * len(valid) + [False] * len(invalid)


def value(file: Path) -> Any:
    """Return the value of a test whose first line names its schema."""
    text = file.read_text("utf-8")
    pragma = "#:schema " if file.suffix == ".toml" else "# yaml-language-server: $schema="
    assert text.startswith(f"{pragma}../../schemas/json/{file.parent.name}.json\n")
    return tomllib.loads(text) if file.suffix == ".toml" else parse(text).value


@pytest.mark.parametrize("file", SCHEMAS.values())
def test_editors_that_know_no_newer_dialect_than_draft_07_read_the_schema(file: str) -> None:
    schema = json.loads((REPOSITORY / f"specs/{file}.schema.json").read_text("utf-8"))
    assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"

    def overlooked(part: object) -> list[str]:
        """The keywords beside a `$ref`, which draft-07 ignores, that do more than describe."""
        parts = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
        beside = part.keys() - ANNOTATIONS if isinstance(part, dict) and "$ref" in part else ()
        return [*beside, *(keyword for inner in parts for keyword in overlooked(inner))]

    assert overlooked(schema) == []
    assert "$defs" not in schema
