"""Each rule is one that a spec is held to, wherever in the rules it stands."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scaffold.diagnostics import ScaffoldError
from scaffold.yaml.source import parse
from tests.checked import check

TOOL = {"name": "find", "inputSchema": {"type": "object"}}


def ids(**keys: Any) -> list[str]:
    """The ids of the errors in a spec."""
    spec = {"name": "blog", "version": "1", "tools": [TOOL], **keys}
    try:
        check(parse(json.dumps(spec)))
    except ScaffoldError as error:
        return [found.id for found in error.diagnostics]
    return []


def test_a_uri_template_must_be_one_that_a_uri_can_be_matched_against() -> None:
    template = {"name": "post", "uriTemplate": "blog://{id}"}
    assert ids(resourceTemplates=[template]) == []
    template["uriTemplate"] = "blog://{id}{day}"
    assert ids(resourceTemplates=[template]) == ["bad-uri-template"]


@pytest.mark.parametrize("name", ["resources", "prompts"])
def test_a_server_announces_changes_of_what_it_has(name: str) -> None:
    assert ids(capabilities={"tools": {"listChanged": True}}) == []
    assert ids(capabilities={name: {"listChanged": True}}) == ["unfounded-capability"]


def test_a_name_has_one_former_name_for_one_entry() -> None:
    def named(*former: str) -> list[dict[str, Any]]:
        return [{**TOOL, "name": f"t{n}", "renamedFrom": old} for n, old in enumerate(former)]

    assert ids(tools=named("a", "b")) == []
    assert ids(tools=named("a", "a")) == ["bad-rename"]
    assert ids(tools=[TOOL, *named("find")]) == ["bad-rename"]


@pytest.mark.parametrize("name", ["LD_PRELOAD", "DYLD_INSERT_LIBRARIES", "PYTHONPATH", "Path"])
def test_no_variable_decides_which_code_runs(name: str) -> None:
    assert ids(env=[{"name": name}]) == ["dangerous-variable"]


@pytest.mark.parametrize("name", ["PATHS", "CLASSPATHS", "MY_PATH"])
def test_a_variable_that_is_only_called_much_like_one_is_fine(name: str) -> None:
    assert ids(env=[{"name": name}]) == []


@pytest.mark.parametrize("name", ["ValueError", "Exception", "ToolError", "None"])
def test_an_error_hides_no_class_of_python_or_ours(name: str) -> None:
    assert ids(errors=[{"name": name, "message": "no"}]) == ["bad-error-name"]


def headed(*properties: dict[str, Any]) -> list[str]:
    """The ids of the errors in the headers of a tool with these arguments."""
    named = {f"a{n}": value for n, value in enumerate(properties)}
    return ids(tools=[{**TOOL, "inputSchema": {"type": "object", "properties": named}}])


@pytest.mark.parametrize("type", ["number", "object", "array", "null"])
def test_a_header_is_a_text_an_integer_or_a_boolean(type: str) -> None:
    assert headed({"type": "string", "x-mcp-header": "Region"}) == []
    assert headed({"type": type, "x-mcp-header": "Region"}) == ["bad-header"]


@pytest.mark.parametrize("header", ["", "a b", "a:b", "a\r\nb", "a\n", "é"])
def test_a_header_ends_no_line(header: str) -> None:
    assert headed({"type": "string", "x-mcp-header": header}) == ["bad-header"]


def test_headers_that_differ_in_case_are_one() -> None:
    first, second = ({"type": "string", "x-mcp-header": name} for name in ("Region", "REGION"))
    assert headed(first, second) == ["bad-header"]


@pytest.mark.parametrize(
    ("type", "right", "wrong"),
    [
        ("integer", "-7", "7.5"),
        ("number", "0.5", "nan"),
        ("boolean", "Off", "maybe"),
        ("url", "https://example.org", "example.org"),
    ],
)
def test_the_default_of_a_variable_is_of_its_type(type: str, right: str, wrong: str) -> None:
    def variable(default: str, **more: str) -> list[dict[str, str]]:
        return [{"name": "A", "default": default, **more}]

    assert ids(env=variable(wrong)) == []
    assert ids(env=variable(right, type=type)) == []
    assert ids(env=variable(wrong, type=type)) == ["bad-default"]
    assert ids(env=variable(wrong, type="path")) == []
    assert ids(env=variable(wrong, type="date")) == ["unknown-value"]


def test_a_variable_has_one_meaning() -> None:
    web = ["streamable-http"]
    assert ids(env=[{"name": "BLOG_LOG_LEVEL"}]) == ["taken-variable"]
    assert ids(env=[{"name": "BLOG_THREADS"}]) == ["taken-variable"]
    assert ids(env=[{"name": "BLOG_PORT"}]) == []
    assert ids(env=[{"name": "BLOG_PORT"}], transports=web) == ["taken-variable"]
    assert ids(env=[{"name": "BLOG_URL"}], transports=web) == []
