"""Random specs, and real ones with random faults: a place and a hint, or a server that is right."""

from __future__ import annotations

import copy
import json
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

import jsonschema_rs
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from scaffold.cli.main import main
from scaffold.yaml.source import read
from tests.generated import PACK
from tests.hostile.conftest import Server
from tests.raw_client import MODERN, StdioClient, WireCheck

from . import LONG

SPECS = Path(__file__).parents[2] / "specs"
UNSENT = {"errors", "timeout", "examples", "text", "file", "messages", "renamedFrom"}
REFUSAL = re.compile(r":\d+:\d+: error\[[a-z0-9-]+\] ")

pytestmark = pytest.mark.filterwarnings("ignore:Generating overly large repr")  # whole specs

bounded = settings(
    deadline=None,
    max_examples=500 if LONG else 25,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # To shrink takes minutes.
    suppress_health_check=list(HealthCheck),
)

New: TypeAlias = Callable[[str], Path | None]
"""Runs `new` on the text of a spec; gives the project, or None where the spec is refused."""


@pytest.fixture(scope="module")
def new(tmp_path_factory: pytest.TempPathFactory) -> New:
    folder, numbers = tmp_path_factory.mktemp("fuzz"), count()
    shutil.copytree(SPECS, folder, dirs_exist_ok=True)

    def run(text: str) -> Path | None:
        spec, project = folder / "fuzzed.yaml", folder / f"project-{next(numbers)}"
        spec.write_bytes(text.encode())
        ran = CliRunner().invoke(main, ["new", str(spec), str(project), "--pack", PACK])
        if ran.exception and not isinstance(ran.exception, SystemExit):
            raise ran.exception
        assert ran.exit_code in (0, 2)
        assert (ran.exit_code == 0) is project.exists()
        if ran.exit_code == 0:
            return project
        assert REFUSAL.search(ran.stderr), ran.stderr
        assert "\nhint: " in ran.stderr
        return None

    return run


# Real specs with faults.

WORDS = [
    *("$ref", "$id", "type", "properties", "items", "pattern", "name", "object", "string", "stdio"),
    *("#", "#/$defs/x", "{a}", "(", "^a", "no", "1.10", "~", "é", "class", "a.b", "x://y", "", " "),
]
SCALARS = st.one_of(
    *(st.none(), st.booleans(), st.integers(-5, 2**65), st.text(max_size=8)),
    st.sampled_from(WORDS),
    st.floats(allow_nan=False, allow_infinity=False),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)


def places(value: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of each part of a value."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield (*here, key)
            yield from places(inner, (*here, key))


def part(value: Any, place: Iterable[Any]) -> Any:
    for key in place:
        value = value[key]
    return value


@st.composite
def mutated(draw: st.DrawFn, values: list[dict[str, Any]]) -> dict[str, Any]:
    """One of the specs with a few parts removed, replaced, repeated or moved."""
    value: dict[str, Any] = copy.deepcopy(draw(st.sampled_from(values)))
    pieces = [copy.deepcopy(part(value, place)) for place in places(value)]
    for _ in range(draw(st.integers(1, 3))):
        *way, last = draw(st.sampled_from(list(places(value))))
        holder = part(value, way)
        match draw(st.sampled_from(["remove", "replace", "word", "rename", "repeat", "other"])):
            case "remove":
                del holder[last]
            case "replace":
                holder[last] = draw(VALUES)
            case "word":
                holder[last] = draw(st.sampled_from(WORDS))
            case "rename" if isinstance(holder, dict):
                holder[draw(st.sampled_from(WORDS))] = holder.pop(last)
            case "repeat" if isinstance(holder, list):
                holder.append(copy.deepcopy(holder[last]))
            case _:
                holder[last] = copy.deepcopy(draw(st.sampled_from(pieces)))
    return value


def specs() -> list[dict[str, Any]]:
    """The specs of this repository, as values."""
    values = [read(path).value for path in sorted(SPECS.glob("*.yaml"))]
    return [value for value in values if isinstance(value, dict)]


@bounded
@given(mutated(specs()))
def test_a_real_spec_with_faults_is_refused_or_served(
    new: New, server: Server, check: WireCheck, value: dict[str, Any]
) -> None:
    project = new(json.dumps(value))
    if project is not None:
        served(project, value, server, check)
        shutil.rmtree(project)


def served(project: Path, value: dict[str, Any], server: Server, check: WireCheck) -> None:
    """The server starts, and lists what the spec has."""
    lists = {
        "tools": "tools/list",
        "resources": "resources/list",
        "resourceTemplates": "resources/templates/list",
        "prompts": "prompts/list",
    }
    environment = {variable["name"]: "test" for variable in value.get("env", [])}
    if "stdio" not in value.get("transports", ["stdio"]):
        return
    with StdioClient(server(project, environment), MODERN, check) as client:
        for kind, method in lists.items():
            if value.get(kind):
                expected = [
                    {key: part for key, part in entry.items() if key not in UNSENT}
                    for entry in value[kind]
                ]
                listed = client.request(method)["result"][kind]
                assert json.dumps(listed, sort_keys=True) == json.dumps(expected, sort_keys=True)
    assert client.garbage == []
    assert "Traceback" not in client.log


TOKENS = [
    *(
        "\n",
        "  ",
        "- ",
        ": ",
        "{",
        "}",
        "[",
        "]",
        "&a ",
        "*a",
        "<<: ",
        "!!str ",
        "!x ",
        "|\n",
        ">-\n",
    ),
    *('"', "'", "#", "\t", "\\", "---\n", "...\n", "%YAML 1.1\n", "? ", ",", "\ufeff", "\x00", "é"),
]


@bounded
@given(
    st.sampled_from([path.read_text("utf-8") for path in sorted(SPECS.glob("*.yaml"))]),
    st.lists(
        st.tuples(
            st.floats(0, 1), st.integers(0, 40), st.sampled_from(TOKENS) | st.text(max_size=3)
        ),
        min_size=1,
        max_size=4,
    ),
)
def test_a_real_spec_with_slips_of_the_keyboard_is_refused_or_made(
    new: New, text: str, slips: list[tuple[float, int, str]]
) -> None:
    for place, cut, token in slips:
        at = int(place * len(text))
        text = text[:at] + token + text[at + cut if cut < 20 else at :]
    try:
        text.encode()
    except UnicodeEncodeError:
        return
    project = new(text)
    if project is not None:
        shutil.rmtree(project)


# Random schemas.

NAMES = ["a", "b", "class", "", "a-b", "é", "$ref", "self"]
TYPES = ["string", "integer", "number", "boolean", "null", "array", "object"]
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from(["", "a", "aa", "1", 1.5, 1.0]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=2)
    ),
    max_leaves=3,
)


def keywords(schema: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Keywords of a schema with values that they may have."""
    several = st.dictionaries(st.sampled_from(NAMES), schema, max_size=3)
    number, size = st.integers(-3, 3), st.integers(0, 3)
    listed = st.lists(schema, min_size=1, max_size=2)
    names = st.lists(st.sampled_from(NAMES), max_size=2, unique=True)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(TYPES)
            | st.lists(st.sampled_from(TYPES), min_size=1, unique=True),
            "properties": several,
            "required": names,
            "additionalProperties": schema,
            "patternProperties": st.dictionaries(
                st.sampled_from(["^a", "é", "."]), schema, max_size=1
            ),
            "items": schema,
            "prefixItems": listed,
            "enum": st.lists(JSON, min_size=1, max_size=3, unique_by=json.dumps),
            "const": JSON,
            "default": JSON,
            "examples": st.lists(JSON, max_size=2),
            "anyOf": listed,
            "oneOf": listed,
            "allOf": listed,
            "not": schema,
            "minimum": number,
            "maxLength": size,
            "minItems": size,
            "pattern": st.sampled_from(["^a+$", "\\d", "[^a]"]),
            "format": st.sampled_from(["date", "uri", "nonsense"]),
            "title": st.text(max_size=5),
            "description": st.text(max_size=5),
            "$ref": st.sampled_from(["#", "#/$defs/a", "#/$defs/class"]),
            "x-unknown": JSON,
        },
    ).map(lambda schema: dict(list(schema.items())[:6]))


SCHEMAS = st.recursive(st.booleans(), keywords, max_leaves=6)
INPUTS = st.builds(
    lambda schema, a, b: {**schema, "type": "object", "$defs": {"a": a, "class": b}},
    *(keywords(SCHEMAS), SCHEMAS, SCHEMAS),
)


@bounded
@given(
    st.lists(
        st.tuples(INPUTS, st.lists(st.dictionaries(st.sampled_from(NAMES), JSON), max_size=4)),
        min_size=1,
        max_size=8,
    )
)
def test_random_schemas_are_refused_or_judge_as_they_say(
    new: New, server: Server, check: WireCheck, tools: list[tuple[dict[str, Any], list[Any]]]
) -> None:
    spec = {"name": "fuzz", "version": "1.0"}
    named = {f"t{n}": schema for n, (schema, _) in enumerate(tools)}
    listed = [{"name": name, "inputSchema": schema} for name, schema in named.items()]
    while (project := new(json.dumps({**spec, "tools": listed}))) is None and len(listed) > 1:
        del listed[-1]
    if project is None:
        return
    with StdioClient(server(project), MODERN, check) as client:
        wire = client.request("tools/list")["result"]["tools"]
        assert json.dumps(wire, sort_keys=True) == json.dumps(listed, sort_keys=True)
        for tool, (schema, calls) in zip(listed, tools, strict=False):
            validator = jsonschema_rs.validator_for(schema)
            for arguments in calls:
                result = client.request(
                    "tools/call", {"name": tool["name"], "arguments": arguments}
                )
                [content] = result["result"]["content"]
                refused = content["text"].startswith("Invalid arguments")
                assert refused is not validator.is_valid(arguments), (schema, arguments, content)
    assert client.garbage == []
    assert "Traceback" not in client.log
    shutil.rmtree(project)
