"""Secrets: refused where they would be written down, and never repeated."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.secrets import holds_credential, mask
from scaffold.cli.console import rendered
from scaffold.cli.people import draw
from scaffold.cli.report import Report
from scaffold.yaml.source import parse
from tests.checked import check

HEAD = 'name: a\nversion: "1.0"\ntools: [{name: t, inputSchema: {type: object}}]\n'


@pytest.mark.parametrize(
    "rest",
    [
        "env: [{name: A, secret: true, default: hunter2, colour: red}]",
        "env:\n- name: A\n  secret: true\n  default: hunter2",
        "env:\n- name: A\n  secret: true\n  default: |\n    hunter2\n  wrong: 1",
        "env: [{name: A, default: 'https://me:hunter2@example.com', secret: 'no'}]",
        "env: [{secret: true, default: hunter2}]",
        "auth: {bearer: {env: A}}\ntransports: [sse]\nenv: [{name: A, default: hunter2}]",
        "env: [{name: A, secret: true, default: hunter2}]\nresources: [" + "{}, " * 120 + "]",
    ],
)
@pytest.mark.parametrize("form", ["human", "json", "github"])
def test_no_message_shows_the_default_of_a_variable(rest: str, form: str) -> None:
    with pytest.raises(ScaffoldError) as caught:
        check(parse(HEAD + rest))
    assert "hunter2" not in "".join(rendered(Report(caught.value.diagnostics), form))
    assert "hunter2" not in repr(caught.value.diagnostics)


def test_a_syntax_error_beside_a_token_does_not_show_it() -> None:
    with pytest.raises(ScaffoldError) as caught:
        parse("env: [{default: AKIAIOSFODNN7EXAMPLE, x: @}]")
    assert "AKIA" not in draw(caught.value.diagnostics)


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("postgres://admin:hunter2@db.example.com/prod", True),
        ("AKIAIOSFODNN7EXAMPLE", True),
        ("ghp_" + "a1" * 18, True),
        ("sk_live_" + "a1B2" * 6, True),
        ("npm_" + "a1B2" * 9, True),
        ("Bearer " + "a1B2" * 9, True),
        ("Bearer of good news", False),
        ("-----BEGIN RSA PRIVATE KEY-----", True),
        ("postgres://user:password@localhost/db", False),
        ("https://user:<token>@example.com", False),
        ("https://user:${TOKEN}@example.com", False),
        ("http://127.0.0.1:11434", False),
        ("mailto:someone@example.com", False),
        ("sk-short", False),
    ],
)
def test_credentials_are_recognized(text: str, is_one: bool) -> None:
    assert holds_credential(text) is is_one


@given(st.text())
def test_masking_keeps_the_length(text: str) -> None:
    assert len(mask(text + " postgres://admin:hunter2@host " + text)) == 2 * len(text) + 31
    assert "hunter2" not in mask(text + " postgres://admin:hunter2@host")
