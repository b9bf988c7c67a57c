"""The files of a project, each under the eyes of whatever reads its format."""

from __future__ import annotations

import ast
import json
import re
import tomllib
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unicodedata import category

import yaml
from markdown_it import MarkdownIt

SKIPPED = ("mcp.yaml", "about.txt", "bases.bin")
"""Files that a person wrote, in whatever way they pleased, and one that is compressed."""

INSTRUCTION = re.compile(
    r"(ADD|ARG|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|FROM|HEALTHCHECK|LABEL|RUN|USER|WORKDIR) \S|#|$"
)
INVISIBLE = re.compile(
    "(?![\\n\\u200c\\u200d])[\\x00-\\x1f\\x7f-\\x9f\\u200b-\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff]"
)
FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0"
"""Letters and marks that show nothing."""

MARKDOWN = MarkdownIt().enable("table")


def written(project: Path) -> Iterator[Path]:
    """Each file that was generated."""
    for path in sorted(project.rglob("*")):
        name = path.relative_to(project).as_posix()
        if path.is_file() and path.name not in SKIPPED and "__pycache__" not in name:
            yield path


def unreadable(project: Path) -> dict[str, str]:
    """What is wrong with each file that its format's reader refuses, by its path."""
    faults = {}
    for path in written(project):
        try:
            text = path.read_bytes().decode()
            if seen := INVISIBLE.search(text):
                raise ValueError(f"an invisible {seen[0]!a} at {seen.start()}")
            read(path.name, text)
        except (ValueError, SyntaxError, yaml.YAMLError, Warning) as error:
            faults[str(path.relative_to(project))] = repr(error)
    return faults


def read(name: str, text: str) -> Any:
    """What the text of a file with this name means; raises what its reader raises."""
    match name.rpartition(".")[2]:
        case "py":
            with warnings.catch_warnings(action="error"):
                compile(text, name, "exec")
            return ast.parse(text)
        case "toml":
            return tomllib.loads(text)
        case "json":
            return json.loads(text)
        case "yml" | "yaml":
            return yaml.safe_load(text)
        case "md":
            return MARKDOWN.render(text)
        case "Dockerfile":
            lines = text.replace("\\\n", "").splitlines()
            if wrong := [line for line in lines if not INSTRUCTION.match(line)]:
                raise ValueError(f"no instructions: {wrong}")
            return lines
    return text.splitlines()


def shown(markdown: str) -> str:
    """What a reader of Markdown sees, as `folded` has it."""
    inlines = (token for token in MARKDOWN.parse(markdown) if token.type in ("inline", "fence"))
    texts = (
        "".join(
            " " if part.type.endswith("break") else part.content
            for part in token.children or [token]
            if part.type != "html_inline"
        )
        for token in inlines
    )
    return folded(" ".join(texts))


def folded(text: str) -> str:
    """What is left of a text for the eye: no blanks, nothing unseen, and no escapes for that."""
    escapes = re.sub(r"\\u[0-9a-f]{4}|\\U[0-9a-f]{8}", "", text)
    return "".join(c for c in escapes if not (c.isspace() or c in FILLERS or category(c)[0] == "C"))
