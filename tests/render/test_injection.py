"""Hostile text in every field of a spec changes no file of the project but in its literals."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Callable, Iterator
from itertools import count, cycle

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from scaffold.clients.catalog import read_clients
from scaffold.project.build import build
from scaffold.render import builtin_packs
from scaffold.render.engine import render
from scaffold.render.format import formatted
from scaffold.render.pack import read_layers
from scaffold.spec.check import check
from scaffold.spec.source import read

HOSTILE = [
    *('"', "'", '"""', "'''", "\\", "\\N{DASH}", "\n", "\r\n", "\t", "\x1b[2J", "\u2028", "\u202e"),
    *("`", "```\n", "|", "*", "__", "~~", "<script>", "<!--", "-->", "&lt;", "![x](y)", "[x]: y"),
    *("\n# x", "\n- x", "\n1. x", "\n> x", "\n===", "\n---\n", "\n    x", "\n| a |\n|---|\n"),
    *("#", "# noqa", "# type: ignore", "# fmt: off", "\nimport os", "\n[tool.x]\n", "\nRUN x"),
    *("{{", "}}", "{% raw %}", "{0}", "${x}", "$(x)", "%s", "{x!r}", "é", "e\u0301", "漢", "👩\u200d🔬"),
    *("no", "null", "1e3", " ", "\xa0", "x" * 100, "https://a.b/c_d", "a@b.c", "word " * 30),
]  # fmt: skip
texts = (
    st.lists(st.one_of(st.sampled_from(HOSTILE), st.text(st.characters(codec="utf-8"), max_size=3)))
    .map("".join)
    .filter(lambda text: any(c.isprintable() and not c.isspace() for c in text))
)


def spec(texts: Iterator[str], names: Iterator[str]) -> object:
    """A spec with one of each thing, and another text in each place that takes any."""

    def entry(**rest: object) -> dict[str, object]:
        return {"title": next(texts), "description": next(texts)} | rest

    def schema(**properties: object) -> dict[str, object]:
        named = {f"{next(texts)}-{next(names)}": entry(type="string", default=next(texts))}
        return entry(type="object", properties=named | properties)

    message, prompt, argument = next(texts), next(texts), {"name": "who"}
    return {
        **entry(name="demo", version="1.0.0", instructions=next(texts)),
        "transports": ["stdio", "streamable-http", "sse"],
        "auth": {"bearer": {"env": "TOKEN"}},
        "env": [
            {"name": "URL", "description": next(texts), "default": next(texts)},
            {"name": "TOKEN", "description": next(texts), "secret": True, "required": False},
        ],
        "errors": [{"name": "NotFound", "message": re.sub("[{}]", "", message) + " {who}"}],
        "tools": [
            entry(
                name="find",
                inputSchema=schema(
                    kind={"enum": [f"{next(texts)}.", "b"]},
                    fixed={"const": next(texts)},
                    deep=schema(),
                ),
                outputSchema=schema(),
                annotations={"title": next(texts)},
                errors=["NotFound"],
                examples=[{"name": "one", "arguments": {"kind": "b", next(texts): next(texts)}}],
            )
        ],
        "resources": [
            entry(uri="x://static", name="static", text=next(texts)),
            entry(uri="x://handled", name="handled"),
        ],
        "resourceTemplates": [entry(uriTemplate="post://{slug}", name="post")],
        "prompts": [
            entry(
                name="static",
                arguments=[argument | {"description": next(texts)}],
                messages=[{"role": "user", "content": re.sub("[{}]", r"\g<0>" * 2, prompt)}],
            ),
            entry(name="handled", arguments=[argument | {"description": next(texts)}]),
        ],
    }


def shape(path: str, text: str) -> object:
    """What a file is, its texts aside."""
    match path.rpartition(".")[2]:
        case "py":
            tree = ast.parse(text)
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    node.value = ""
            return ast.dump(tree)
        case "toml":
            return without_texts(tomllib.loads(text))
        case "json":
            return without_texts(json.loads(text))
        case "yml":
            return without_texts(yaml.safe_load(text))
        case "md":
            html = MarkdownIt().enable("table").render(text).replace("<br />", "")
            return re.findall(r"</?\w+|href=\"[^\"]*", html)
    return text.count("\n")


def without_texts(value: object) -> object:
    match value:
        case dict():
            return [without_texts(item) for item in value.values()]
        case list():
            return [without_texts(item) for item in value]
    return "" if isinstance(value, str) else value


Shapes = Callable[[list[str]], dict[str, object]]


@pytest.fixture(scope="module")
def shapes(tmp_path_factory: pytest.TempPathFactory) -> Shapes:
    """Makes the project of the spec with these texts, and tells the shape of each of its files."""
    path = tmp_path_factory.mktemp("injection") / "spec.json"
    layers, clients = read_layers(builtin_packs() / "python"), read_clients()

    def made(texts: list[str]) -> dict[str, object]:
        path.write_text(json.dumps(spec(cycle(texts), map(str, count()))), "utf-8")
        project = build(check(read(path)), {}, clients)
        files = formatted(render(project, layers))
        return {path: shape(path, file.text) for path, file in files.items()}

    return made


@pytest.fixture(scope="module")
def harmless(shapes: Shapes) -> dict[str, object]:
    return shapes(["Some words"])


@given(st.lists(texts, min_size=3, max_size=12))
@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
def test_every_file_has_the_shape_that_harmless_texts_give_it(
    shapes: Shapes, harmless: dict[str, object], hostile: list[str]
) -> None:
    assert shapes(hostile) == harmless
