"""Each rule is one that a spec is held to, wherever in the rules it stands."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scaffold.base.diagnostics import ScaffoldError
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


RESOURCES = {"resources": {"listChanged": True}}
WEB = {"transports": ["streamable-http"]}


def named(*former: str) -> dict[str, Any]:
    """Tools with former names."""
    return {
        "tools": [TOOL]
        + [{**TOOL, "name": f"t{n}", "renamedFrom": o} for n, o in enumerate(former)]
    }


def headed(*properties: dict[str, Any]) -> dict[str, Any]:
    """A tool with these arguments."""
    arguments = {f"a{n}": value for n, value in enumerate(properties)}
    return {"tools": [{**TOOL, "inputSchema": {"type": "object", "properties": arguments}}]}


def header(name: str, type: str = "string") -> dict[str, Any]:
    return {"type": type, "x-mcp-header": name}


def template(uri: str) -> dict[str, Any]:
    return {"resourceTemplates": [{"name": "post", "uriTemplate": uri}]}


def variable(name: str = "A", **more: str) -> dict[str, Any]:
    return {"env": [{"name": name, **more}]}


@pytest.mark.parametrize(
    ("keys", "found"),
    [
        (template("blog://{id}"), []),
        (template("blog://{id}{day}"), ["bad-uri-template"]),
        ({"capabilities": {"tools": {"listChanged": True}}}, []),
        ({"capabilities": RESOURCES}, ["unfounded-capability"]),
        ({"capabilities": {"prompts": {}}}, ["unfounded-capability"]),
        (named("a", "b"), []),
        (named("a", "a"), ["bad-rename"]),
        (named("find"), ["bad-rename"]),
        *(
            (variable(name), ["dangerous-variable"])
            for name in ("LD_PRELOAD", "PYTHONPATH", "Path")
        ),
        *((variable(name), []) for name in ("PATHS", "CLASSPATHS", "MY_PATH")),
        (variable("BLOG_LOG_LEVEL"), ["taken-variable"]),
        (variable("BLOG_THREADS"), ["taken-variable"]),
        (variable("BLOG_PORT"), []),
        (variable("BLOG_PORT") | WEB, ["taken-variable"]),
        (variable("BLOG_URL") | WEB, []),
        *(
            ({"errors": [{"name": name, "message": "no"}]}, ["bad-error-name"])
            for name in ("ValueError", "Exception", "ToolError", "None")
        ),
        (headed(header("Region")), []),
        *(
            (headed(header("Region", type)), ["bad-header"])
            for type in ("number", "object", "array", "null")
        ),
        *((headed(header(name)), ["bad-header"]) for name in ("", "a b", "a:b", "a\n", "é")),
        (headed(header("Region"), header("REGION")), ["bad-header"]),
    ],
    ids=str,
)
def test_a_spec_is_held_to_each_rule(keys: dict[str, Any], found: list[str]) -> None:
    assert ids(**keys) == found


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
    assert ids(**variable(default=wrong)) == []
    assert ids(**variable(default=right, type=type)) == []
    assert ids(**variable(default=wrong, type=type)) == ["bad-default"]
