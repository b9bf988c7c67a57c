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
