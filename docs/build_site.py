"""Put together the pages of the documentation site, from which zensical builds it.

Pages are the Markdown files of the repository, with their links changed to lead to pages. Three more
are made of what the tool itself says, so they cannot differ from it: the keys of the spec, those of
`pack.toml`, and the commands.

Run `.ci/site`, which checks all links.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import Any

from click.testing import CliRunner

from scaffold.cli.main import main as main_command

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "dist/docs"
PAGES = BUILD / "pages"
REPOSITORY = "/".join(
    [
        os.environ.get("GITHUB_SERVER_URL", "https://github.com"),
        os.environ.get("GITHUB_REPOSITORY", "OWNER/mcp-scaffold"),
    ]
)
"""Where links to files lead that are no pages. GitHub's workflows have both variables."""

NAMES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "docs/README.md": "contents.md",
    "scaffold/base/diagnostics/diagnostics.md": "diagnostics.md",
    "templates/README.md": "templates.md",
}
"""Names of the pages that are not in `docs/`, or have another name there."""

_LINK = re.compile(r"(\]\()([^)\s#]*)((?:#[^)\s]*)?\))")
_FENCE = re.compile(r"^( *)(`{3,})", re.MULTILINE)


def main() -> None:
    """Write all pages, with their pictures and schemas."""
    shutil.rmtree(BUILD, ignore_errors=True)
    sources = {f"docs/{file.name}": file.name for file in ROOT.glob("docs/*.md")} | NAMES
    files = {
        path.relative_to(ROOT).as_posix(): path.name
        for pattern in ("docs/*.css", "docs/*.png", "docs/*.svg", "specs/*.schema.json")
        for path in ROOT.glob(pattern)
    }
    PAGES.mkdir(parents=True)
    shutil.copyfile(ROOT / "docs/zensical.toml", BUILD / "zensical.toml")
    for source, name in files.items():
        shutil.copyfile(ROOT / source, PAGES / name)
    for source, name in sources.items():
        text = (ROOT / source).read_text("utf-8")
        write(name, linked(text, source, {**sources, **files}))
    spec = json.loads((ROOT / "specs/mcp-scaffold.schema.json").read_text("utf-8"))
    write("spec-keys.md", keys("Keys of the spec", spec, "See [The spec](spec.md) for examples."))
    pack = json.loads((ROOT / "specs/pack.schema.json").read_text("utf-8"))
    write(
        "pack-keys.md",
        keys("Keys of pack.toml", pack, "[Packs](packs.md) explains how to use them."),
    )
    write("commands.md", "\n".join(commands()))


def write(name: str, text: str) -> None:
    """Write a page."""
    (PAGES / name).write_text(text, "utf-8")


def linked(text: str, source: str, sites: Mapping[str, str]) -> str:
    """Return the text of a file with its relative links changed for the site.

    `sites` has the name on the site for each path in the repository. Other paths lead to the
    repository. Blocks of code stay as they are.
    """

    def changed(match: re.Match[str]) -> str:
        start, target, end = match.groups()
        if not target or re.match(r"[a-z]+:", target):
            return match[0]
        path = normpath(PurePosixPath(source).parent / target)
        if path in sites:
            return f"{start}{sites[path]}{end}"
        if not (ROOT / path).exists():
            raise SystemExit(f"{source}: no file {target}")
        kind = "tree" if (ROOT / path).is_dir() else "blob"
        return f"{start}{REPOSITORY}/{kind}/main/{path}{end}"

    return "".join(part if is_code else _LINK.sub(changed, part) for is_code, part in split(text))


def split(text: str) -> Iterator[tuple[bool, str]]:
    """Yield the parts of a Markdown text, and whether each is a block of code."""
    lines: list[str] = []
    fence = ""
    for line in text.splitlines(keepends=True):
        match = _FENCE.match(line)
        if match and not fence:
            yield False, "".join(lines)
            lines, fence = [], match[2]
        lines.append(line)
        if match and fence and len(lines) > 1 and line.strip() == fence:
            yield True, "".join(lines)
            lines, fence = [], ""
    yield bool(fence), "".join(lines)


def keys(title: str, schema: Mapping[str, Any], introduction: str) -> str:
    """Return the page of all keys that a JSON Schema describes."""
    definitions = schema["definitions"]
    parts = [f"# {title}\n\n{introduction}\n", "## Top level\n", table(schema, definitions)]
    for name, definition in sorted(definitions.items()):
        parts.append(f"## {name}\n")
        if description := definition.get("description"):
            parts.append(f"{description}\n")
        if "enum" in definition:
            parts.append(f"One of {values(definition['enum'])}.\n")
        if definition.get("properties"):
            parts.append(table(definition, definitions))
    return "\n".join(parts)


def table(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    """Return the table of the properties of an object."""
    required = schema.get("required", ())
    rows = ["| key | value | |", "|---|---|---|"]
    for name, value in schema["properties"].items():
        definition = definitions.get(value.get("$ref", "").rpartition("/")[2], {})
        description = value.get("description") or definition.get("description", "")
        notes = [description.replace("\n", " ").replace("|", r"\|")]
        if name in required:
            notes.append("**Required.**")
        if "default" in value:
            notes.append(f"Default: {values([value['default']])}.")
        rows.append(f"| `{name}` | {kind(value)} | {' '.join(filter(None, notes))} |")
    return "\n".join(rows) + "\n"


def kind(schema: Mapping[str, Any]) -> str:
    """Return what values a schema takes, in a few words, with links to definitions."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "const" in schema:
        return values([schema["const"]])
    if "enum" in schema:
        return values(schema["enum"])
    for word in ("anyOf", "oneOf"):
        if word in schema:
            return " or ".join(dict.fromkeys(kind(branch) for branch in schema[word]))
    types = schema.get("type", "any value")
    if types == "array":
        items = schema.get("items")
        return f"list of {kind(items)}" if isinstance(items, dict) and items else "list"
    if types == "object":
        additional = schema.get("additionalProperties")
        return f"mapping to {kind(additional)}" if isinstance(additional, dict) else "mapping"
    return types if isinstance(types, str) else " or ".join(types)


def values(items: list[Any]) -> str:
    """Return JSON values, as code."""
    return ", ".join(f"`{json.dumps(item).strip(chr(34))}`" for item in items)


def commands() -> Iterator[str]:
    """Yield the lines of the page with the help of each command."""
    yield "# Commands\n"
    for words in listed(()):
        yield f"## mcp-scaffold {' '.join(words)}\n"
        yield f"```text\n{help_text(*words)}```\n"


def listed(above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the words of all commands below one."""
    _, _, section = help_text(*above).partition("Commands:\n")
    for name in re.findall(r"^  ([a-z]+)(?:  |$)", section, re.MULTILINE):
        yield (*above, name)
        yield from listed((*above, name))


def help_text(*words: str) -> str:
    """Return the help of a command."""
    return (
        CliRunner()
        .invoke(main_command, [*words, "--help"], prog_name="mcp-scaffold", terminal_width=100)
        .output
    )


if __name__ == "__main__":
    main()
