"""URI templates are matched as the SDK matches them."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from mcp.shared.uri_template import InvalidUriTemplate, UriTemplate

from tests.generated import generate

NAMES = ["a", "b", "c", "d"]
LITERALS = ["", "x", "/", "/x/", ".", "-", "?q=", "#"]
TEXTS = st.text("ab/.,;?&#=%41é ", max_size=6)


@st.composite
def templates(draw: st.DrawFn) -> str:
    """A scheme, and expressions with literals between them, each with names of its own."""
    names = draw(st.permutations(NAMES))
    text = "t://" + draw(st.sampled_from(LITERALS))
    while names and (len(names) == len(NAMES) or draw(st.booleans())):
        operator = draw(st.sampled_from(["", "", "+", "#", ".", "/", ";", "?", "?", "&"]))
        own = [names.pop() for _ in range(draw(st.integers(1, min(2, len(names)))))]
        star = draw(st.sampled_from(["", "", "", "*"])) if operator in "/.;" else ""
        text += "{" + operator + ",".join(name + star for name in own) + "}"
        text += draw(st.sampled_from(LITERALS))
    return text


@pytest.fixture(scope="module")
def uris(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    template = {"uriTemplate": "t://{a}", "name": "t"}
    spec = {"name": "uris", "version": "1", "resourceTemplates": [template]}
    project = generate(spec, tmp_path_factory.mktemp("uris") / "uris", pack="python-stdlib")
    found = importlib.util.spec_from_file_location("uris", project.source / "_generated/uris.py")
    assert found
    assert found.loader
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


# What earlier tests left open is collected while this one runs.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@settings(max_examples=500)
@given(templates(), st.lists(TEXTS, min_size=4, max_size=4), st.integers(0, 15), TEXTS)
@example("t://{a}{?b}", ["x", "y", "", ""], 1, "")
def test_a_uri_has_the_values_that_the_sdk_finds_in_it(
    uris: ModuleType, text: str, values: list[str], given: int, end: str
) -> None:
    try:
        template = UriTemplate.parse(text)
    except InvalidUriTemplate:
        assume(False)
    named = {
        name: value
        for n, (name, value) in enumerate(zip(NAMES, values, strict=True))
        if given >> n & 1
    }
    lists = {v.name: [named[v.name]] for v in template.variables if v.explode and v.name in named}
    uri = template.expand({**named, **lists}) + end
    assert uris.UriTemplate(text).match(uri) == template.match(uri)
