"""Copy the schemas and their tests into a checkout of SchemaStore, from which editors get them.

Run `python specs/schemastore/submit.py CHECKOUT`, then the checkout's own `npm run prettier:fix` and
`node cli.js check --schema-name=mcp-scaffold.json`. A second run updates what the first one copied.

The schemas are in draft-07, because SchemaStore accepts newer dialects as exceptions only. `mcp.yaml` is
the name that `mcp-scaffold new` gives to a spec. There is no pattern for `pack.toml`, which is a file of
packwiz, too: packs name their schema in the first line.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

SCHEMAS = {
    "mcp-scaffold": (ROOT / "specs/mcp-scaffold.schema.json", "specs/*.yaml"),
    "mcp-scaffold-pack": (ROOT / "specs/pack.schema.json", "templates/*/pack.toml"),
}
"""The file of each schema, and a pattern for files that are valid by it."""

_PRAGMAS = {".yaml": "# yaml-language-server: $schema=", ".toml": "#:schema "}


def main(checkout: Path) -> None:
    """Copy everything into `src/` of the checkout."""
    source = checkout / "src"
    for name, (schema, valid) in SCHEMAS.items():
        write(source / f"schemas/json/{name}.json", schema.read_text("utf-8"))
        for file in ROOT.glob(valid):
            stem = file.stem if file.parent.name == "specs" else file.parent.name
            copy(file, source / f"test/{name}/{stem}{file.suffix}")
        for file in HERE.glob(f"negative_test/{name}/*"):
            copy(file, source / f"negative_test/{name}/{file.name}")
    register(source / "api/json/catalog.json")
    allow(source / "schema-validation.jsonc")


def copy(file: Path, to: Path) -> None:
    """Copy a test, with a first line that names its schema."""
    pragma = f"{_PRAGMAS[file.suffix]}../../schemas/json/{to.parent.name}.json\n"
    write(to, pragma + file.read_text("utf-8"))


def register(catalog: Path) -> None:
    """Add the entries to the catalog, before the first entry with a later name."""
    text = catalog.read_text("utf-8")
    for entry in json.loads((HERE / "catalog.json").read_text("utf-8")):
        if f'"{entry["url"]}"' in text:
            continue
        later = (
            match.start()
            for match in re.finditer(r'^    \{\s+"name": "(.+)"', text, re.MULTILINE)
            if match[1].casefold() > entry["name"].casefold()
        )
        at = next(later)
        lines = json.dumps(entry, indent=2).replace("\n", "\n    ")
        text = f"{text[:at]}    {lines},\n{text[at:]}"
    write(catalog, text)


def allow(validation: Path) -> None:
    """Add the keywords and formats that the linter does not know, which are for error messages."""
    text = validation.read_text("utf-8")
    for schema, options in json.loads((HERE / "options.json").read_text("utf-8")).items():
        if f'"{schema}": {{' not in text:
            lines = json.dumps({schema: options}, indent=2)[2:-2].replace("\n", "\n  ")
            text = text.replace('\n  "options": {\n', f'\n  "options": {{\n  {lines},\n', 1)
    write(validation, text)


def write(file: Path, text: str) -> None:
    """Write a file with LF line ends, and create its directory."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
