"""Formats of servers without dependencies: the verdicts of the pack `python`, on any text."""

from __future__ import annotations

import json
import subprocess
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema_rs import Validator

from scaffold.jsonschema.faults import validator
from scaffold.python.validators.vocabulary import FORMATS
from tests.python.formats import CONTENTS, formats, function, source

DRAFTS = {"draft7": "draft-07", "draft2020-12": "2020-12"}
EVERY = sorted(FORMATS["2020-12"])
SIGNS = [*'aZz09.-:/?#[]@%~^ {}+*,TP_"\\é', "·", "\u0300", "ß", "א", "\u0661", "\ue000"]
SEEDS = {
    "date": ["2024-02-29", "1900-02-28"],
    "date-time": [
        "1998-12-31T23:59:60Z",
        "1990-12-31T15:59:60-08:00",
        "2024-02-29T12:00:00.5+01:00",
    ],
    "duration": ["P1Y2M3DT4H5M6S", "P2W", "PT1H"],
    "email": [
        "joe.bloggs@example.com",
        '"joe bloggs"@example.com',
        "a@[127.0.0.1]",
        "a@[IPv6:::1]",
    ],
    "hostname": ["www.example.com", "xn--4gbwdl.xn--wgbh1c"],
    "idn-email": ["실례@실례.테스트", "a@example.com"],
    "idn-hostname": ["실례.테스트", "l·l", "straße.de", "א.com", "例え。jp"],
    "ipv4": ["192.168.0.1", "255.255.255.255"],
    "ipv6": ["::ffff:192.168.0.1", "1:2:3:4:5:6:7:8", "fe80::a"],
    "iri": ["http://ƒøø.ßår/?∂éœ=πîx#πîüx", "http://[2001:db8::1]:80/a"],
    "iri-reference": ["/âππ", "#ƒrägmênt", "//é@ü:1"],
    "json-pointer": ["/foo/a~1b~0", ""],
    "regex": ["^[a-z]+(?:b|c){1,3}$", r"\d\p{L}[^\]]*?"],
    "relative-json-pointer": ["1/a/~0", "0#"],
    "time": ["23:59:60Z", "08:30:06.283185+01:30"],
    "uri": ["http://a:b@foo.bar:80/?q=%20#x", "urn:oasis:names", "ldap://[2001:db8::7]/c=GB?o?one"],
    "uri-reference": ["//foo.bar/?baz=qux#quux", "./this:that", "abc"],
    "uri-template": ["http://example.com/{term:1}/{term}", "{?x,y*}{+path}"],
    "uuid": ["2EB8AA08-AA98-11EA-B4AA-73B441D16380"],
}

RIGHT = {
    "date": "digits are digits (RFC 3339, 5.6); the engine also takes a sign for one",
    "date-time": "as for `date`",
    "hostname": "an A-label holds letters of IDNA 2008 (RFC 5890, 2.3.2.1), which the engine does not check",
    "idn-email": "RFC 6531, 3.3 extends qtext but not quoted-pair",
    "idn-hostname": "as for `hostname`; tables of Unicode of another version",
    "regex": "ECMA-262 has neither flags nor references to groups that there are not",
}
"""Why verdicts differ from those of the engine, which nevertheless follow the RFC."""


@cache
def engine(format: str) -> Validator:
    return validator({"format": format})


def cases(corpus: Path) -> list[tuple[str, str, bool, str]]:
    """Return the suite's cases of formats: format, text, verdict and description."""
    found = []
    for draft, dialect in DRAFTS.items():
        folder = corpus / "json-schema-test-suite" / draft / "optional-format"
        for file in sorted(folder.glob("*.json")):
            groups: list[dict[str, Any]] = json.loads(file.read_text("utf-8"))
            for group in groups:
                format = group["schema"].get("format")
                if format in FORMATS[dialect] and not {*group["schema"]} - {
                    "$schema",
                    "format",
                    "$comment",
                }:
                    found += [
                        (format, test["data"], test["valid"], test["description"])
                        for test in group["tests"]
                        if isinstance(test["data"], str)
                    ]
    return found


def test_all_cases_of_the_suite_have_their_verdict(corpus: Path) -> None:
    every = cases(corpus)
    assert len(every) > 900
    wrong = [case for case in every if formats()[function(case[0])](case[1]) is not case[2]]
    assert wrong == []


@st.composite
def mutated(draw: st.DrawFn) -> tuple[str, str]:
    """A format, and a text that nearly has it."""
    format = draw(st.sampled_from(EVERY))
    text = [*draw(st.sampled_from(SEEDS[format]))]
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text)))
        text[at : at + draw(st.integers(0, 1))] = draw(st.lists(st.sampled_from(SIGNS), max_size=1))
    return format, "".join(text)


@given(mutated())
def test_the_verdict_is_that_of_the_pack_python(case: tuple[str, str]) -> None:
    format, text = case
    said = formats()[function(format)](text)
    if said is not engine(format).is_valid(text):
        # Where it is stricter; never where it lets through what the engine refuses.
        assert format in RIGHT, text
        assert not said or format in ("regex", "idn-hostname"), text


@pytest.mark.parametrize(
    ("format", "text"), [("time", "12:30:60Z"), ("hostname", "ab--c"), ("idn-hostname", "ab--c")]
)
def test_what_only_looks_right_is_refused_as_in_the_pack_python(format: str, text: str) -> None:
    assert formats()[function(format)](text) is engine(format).is_valid(text) is False


@given(st.sampled_from(EVERY), st.text())
def test_no_text_makes_a_format_fail(format: str, text: str) -> None:
    assert formats()[function(format)](text) in (True, False)


HOSTILE = ["[", '"', "(", "a@é", "é", "a-", "1:", "\\", "{", "%41", "a.", "[a]", "P1D", "/~0"]


@pytest.mark.parametrize("format", EVERY)
def test_no_text_takes_long(format: str) -> None:
    start = time.perf_counter()
    for part in HOSTILE:
        for end in ("", "\\", "!"):
            formats()[function(format)](part * 50_000 + end)
            formats()[function(format)](part * 2_500 + end)
    assert time.perf_counter() - start < 10


@pytest.mark.parametrize(
    "text",
    [
        "",
        "YQ==",
        "YQ=",
        "YQ",
        "Y Q==",
        "é",
        "YQ==YQ==",
        "====",
        "e30=",
        "W10",
        "a*b=",
        "[NaN]",
        "TmFO",
    ],
)
def test_encodings_are_those_of_the_pack_python(text: str) -> None:
    keywords = {
        "is_base64": {"contentEncoding": "base64"},
        "is_json": {"contentMediaType": "application/json"},
    }
    for name, schema in keywords.items():
        assert formats()[name](text) is validator(schema).is_valid(text), name
    both = {"contentMediaType": "application/json", "contentEncoding": "base64"}
    said = formats()["is_base64"](text) and formats()["is_base64_json"](text)
    assert said is validator(both).is_valid(text)


def test_a_module_has_only_the_formats_that_are_used() -> None:
    assert "is_date(" in source("is_date_time")
    assert "ipv" not in source("is_date_time")
    assert source("is_uuid").count("def ") == 1


@pytest.mark.usefixtures("starts_programs")
@pytest.mark.parametrize("name", [*map(function, EVERY), *CONTENTS, ""])
def test_each_function_comes_with_all_that_it_calls(name: str, tmp_path: Path) -> None:
    names = [name] if name else [*map(function, EVERY), *CONTENTS]
    file = tmp_path / "formats.py"
    file.write_text(source(*names), "utf-8")
    for command in (
        ["ruff", "check", "-q", "--isolated", "--fix"],
        ["ruff", "format", "-q", "--isolated"],
    ):
        subprocess.run([*command, file], check=True)
    if not name:
        subprocess.run(["mypy", "--strict", "--no-incremental", file], check=True, cwd=tmp_path)
