"""What an edit of the spec means for people is said handler by handler."""

from __future__ import annotations

import pytest

from scaffold.project.compare import compare, edited, similar
from scaffold.spec.format import Spec
from scaffold.yaml.source import parse
from tests.checked import check

HEAD = 'name: blog\nversion: "1"\n'
SEARCH = """tools:
  - name: search_blog
    description: Search.
    inputSchema:
      type: object
      properties:
        query: {type: string}
        top_k: {type: integer, maximum: 20}
      required: [query]
"""


def spec(body: str) -> Spec:
    return check(parse(HEAD + body))


def said(old: str, new: str) -> list[str]:
    return [
        " ".join(filter(None, [c.kind, c.how, c.before, c.name, "; ".join(c.details)]))
        for c in compare(spec(old), spec(new))
    ]


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        (SEARCH, []),
        (SEARCH.replace("Search.", "Find."), []),
        (
            SEARCH.replace("maximum: 20", "maximum: 50"),
            ["tool changed search_blog top_k: maximum 20 → 50"],
        ),
        (
            SEARCH.replace("[query]", "[query, language]").replace(
                "query: {type: string}", "query: {type: string}\n        language: {type: string}"
            ),
            ["tool changed search_blog + language (required string)"],
        ),
        (
            SEARCH.replace("        top_k: {type: integer, maximum: 20}\n", ""),
            ["tool changed search_blog - top_k"],
        ),
        (
            SEARCH.replace("[query]", "[query, top_k]"),
            ["tool changed search_blog top_k: required"],
        ),
        (
            SEARCH.replace("name: search_blog", "name: find\n    renamedFrom: search_blog"),
            ["tool renamed search_blog find"],
        ),
        (
            SEARCH + "      additionalProperties: false\n",
            ["tool changed search_blog + additionalProperties false"],
        ),
        (SEARCH.replace("search_blog", "find"), ["tool added find", "tool removed search_blog"]),
        (
            SEARCH + "    outputSchema: {type: object}\n",
            ["tool changed search_blog + result"],
        ),
    ],
)
def test_an_edit_is_said_in_terms_of_handlers(new: str, expected: list[str]) -> None:
    assert said(SEARCH, new) == expected


def test_static_entries_have_no_handler_to_speak_of() -> None:
    static = 'resources:\n  - {uri: "a://b", name: a, text: "1"}\n'
    handled = 'resources:\n  - {uri: "a://b", name: a}\n'
    assert said(static, static.replace('"1"', '"2"')) == []
    assert said(static, handled) == ["resource added a"]
    assert said(handled, static) == ["resource removed a"]


def test_the_result_is_compared_as_the_arguments_are() -> None:
    old = SEARCH + "    outputSchema: {type: object, properties: {n: {type: integer}}}\n"
    assert said(old, old.replace("n: {type: integer}", "n: {type: string}")) == [
        "tool changed search_blog result: n: type integer → string"
    ]


def test_arguments_of_prompts_are_compared_too() -> None:
    old = "prompts:\n  - {name: p, description: P., arguments: [{name: a, description: A.}]}\n"
    new = old.replace("{name: a,", "{name: a, required: true,")
    assert said(old, new) == ["prompt changed p a: required"]


def test_errors_and_variables_concern_handlers_too() -> None:
    old = SEARCH + 'errors:\n  - {name: NotFound, message: "No {source}"}\n'
    variable = "env:\n  - {name: KEY, description: A key., required: false}\n"
    assert said(old, old.replace("{source}", "{path}")) == [
        "error changed NotFound + path; - source"
    ]
    assert said(old, old + variable) == ["variable added KEY"]
    assert said(old + variable, old + variable.replace("false", "true")) == [
        "variable changed KEY required"
    ]
    assert said(old + variable, old + variable.replace("false", "false, type: url")) == [
        "variable changed KEY string → url"
    ]


def test_a_resource_is_known_by_its_address() -> None:
    old = 'resources:\n  - {uri: "a://b", name: a}\n'
    assert said(old, old.replace("name: a", "name: b")) == ["resource renamed a b"]


def test_a_resource_at_the_old_address_of_one_that_moved_is_a_new_one() -> None:
    old = 'resources:\n  - {uri: "a://b", name: a}\n'
    new = 'resources:\n  - {uri: "a://b", name: b}\n  - {uri: "a://c", name: a}\n'
    assert said(old, new) == ["resource added b"]


def test_names_that_are_near_are_taken_for_renames_each_once() -> None:
    old = SEARCH + SEARCH.removeprefix("tools:\n").replace("search_blog", "read_chunk")
    new = old.replace("search_blog", "search_blogs").replace("read_chunk", "delete_all")
    found = compare(spec(old), spec(new))
    assert [(was, now.name) for was, now in similar(found)] == [("search_blog", "search_blogs")]
    old = old.replace("read_chunk", "search_block")
    found = compare(spec(old), spec(SEARCH.replace("search_blog", "search_blogs")))
    assert [(was, now.name) for was, now in similar(found)] == [("search_blog", "search_blogs")]


def test_what_was_edited_is_told_down_to_the_entry() -> None:
    old = parse(HEAD + SEARCH).value
    moved = SEARCH + SEARCH.removeprefix("tools:\n").replace("search_blog", "read")
    assert edited(old, old) == frozenset()
    assert edited(old, parse(HEAD + SEARCH + "title: Blog\n").value) == {"/title"}
    assert edited(old, parse(HEAD + moved).value) == {"/tools/1", "/tools/-"}
    assert edited(old, parse(HEAD + SEARCH.replace("20", "50")).value) == {"/tools/0"}
    assert edited(None, old) == {""}


NESTED = (
    SEARCH
    + """    outputSchema:
      type: object
      properties:
        hits: {type: array, items: {$ref: "#/$defs/hit"}}
      $defs:
        hit:
          type: object
          properties:
            title: {type: string, description: A title.}
            parts: {type: array, items: {$ref: "#/$defs/hit"}}
"""
)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (
            "title: {type: string, description: A title.}",
            "due: {type: [string, 'null'], format: date}",
            "result: + hits[].due (optional string or null); result: - hits[].title",
        ),
        (
            "{type: string, description: A title.}",
            "{type: string, maxLength: 9}",
            "result: hits[].title: + maxLength 9",
        ),
        (
            '{type: array, items: {$ref: "#/$defs/hit"}}\n      $defs',
            "{type: array}\n      $defs",
            "result: hits: - items",
        ),
    ],
)
def test_what_changed_inside_a_value_is_said_by_its_path(
    before: str, after: str, expected: str
) -> None:
    assert before in NESTED
    assert said(NESTED, NESTED.replace(before, after)) == [f"tool changed search_blog {expected}"]


def test_definitions_that_use_others_twice_are_compared_at_once() -> None:
    """There are 2^40 paths to the last one."""
    twice = "{type: object, properties: {a: {$ref: '#/$defs/d%d'}, b: {$ref: '#/$defs/d%d'}}}"
    definitions = [f"d{n}: {twice % (n + 1, n + 1)}" for n in range(40)]
    end = "d40: {type: object, properties: {x: {type: string}}}"
    schema = f"{{type: object, $ref: '#/$defs/d0', $defs: {{{', '.join([*definitions, end])}}}}}"
    old = f"tools:\n  - {{name: search, description: S., inputSchema: {schema}}}\n"
    assert said(old, old.replace("S.", "Search.")) == []
    (change,) = said(old, old.replace("x: {type: string}", "x: {type: integer}"))
    assert change.count("x: type string → integer") == 100
    assert change.endswith("; …")


def test_a_new_property_of_an_alternative_has_its_type() -> None:
    old = SEARCH + "    outputSchema: {type: object, properties: {n: {anyOf: [{type: object}]}}}\n"
    new = old.replace("[{type: object}]", "[{type: object, properties: {a: {type: string}}}]")
    assert said(old, new)[0].endswith("; result: + n.a (optional string)")
