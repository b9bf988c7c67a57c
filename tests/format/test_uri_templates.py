"""URI templates: accepted are those that the SDK of the generated servers can match."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.shared.uri_template import InvalidUriTemplate, UriTemplate

from scaffold.base.diagnostics import ScaffoldError
from scaffold.yaml.source import parse
from tests.checked import check

HEAD = 'name: a\nversion: "1.0"\n'
PARTS = [
    *["a", "/", "?x=", "-", "{a}", "{b}", "{+c}", "{#d}", "{/e}", "{/f*}", "{.g*}", "{;h}"],
    *["{;i*}", "{?j}", "{?k,l}", "{&m}", "{?n*}", "{o:3}", "{p,q}", "{+r,s}", "{/t,u*}", "{v*}"],
    *["{a.b}", "{a..b}", "{.w}", "{a}{b}"],
]
TEMPLATES = st.lists(st.sampled_from(PARTS), min_size=1, max_size=6).map("".join)


def refused(template: str) -> str:
    """What is said of a template that is refused, or nothing."""
    spec = f'{HEAD}resourceTemplates: [{{uriTemplate: "{template}", name: b}}]'
    try:
        check(parse(spec))
    except ScaffoldError as error:
        [diagnostic] = error.diagnostics
        assert diagnostic.id == "bad-uri-template"
        return diagnostic.message
    return ""


@given(TEMPLATES.map("a:".__add__))
def test_a_template_is_accepted_if_the_sdk_can_match_it(template: str) -> None:
    try:
        UriTemplate.parse(template)
    except InvalidUriTemplate:
        assert refused(template)
    else:
        assert not refused(template)


@pytest.mark.parametrize(
    ("template", "part"),
    [
        ("a://{b:3}", "beginning"),
        ("a://{b*}", "list"),
        ("a://{b}/{b}", "duplicate variable"),
        ("a://{b}{c}", "nothing separates"),
        ("a://{+b}/{+c}", "both"),
        ("a://b{?c}{?d}", "only one"),
        ("a://{b..c}", "invalid variable name"),
        ("a://" + "b" * 9000, "characters"),
        ("a://{" + ",".join(f"b{n}" for n in range(300)) + "}", "300 variables"),
    ],
)
def test_the_unsupported_part_of_a_template_is_named(template: str, part: str) -> None:
    assert part in refused(template)
