"""Arguments on their way to an API: what is encoded can be decoded, and leads nowhere else."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from templates.python.runtime import wire
from templates.python.runtime.handlers import Model, ToolError

SCALARS = st.none() | st.booleans() | st.integers() | st.text()
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    SCALARS | NUMBERS,
    lambda below: st.lists(below) | st.dictionaries(st.text(), below),
    max_leaves=20,
)
NAMES = st.text("abcdef-_.", min_size=1)
TREES = st.recursive(
    st.text() | st.integers(),
    lambda below: st.dictionaries(NAMES, below, min_size=1),
    max_leaves=10,
)


def texts(value: Any) -> list[str]:
    """What a server reads as the values of a parameter."""
    items = value if isinstance(value, list) else [value]
    return [
        item if isinstance(item, str) else json.dumps(item) for item in items if item is not None
    ]


@given(JSON)
def test_a_value_is_sent_as_its_json(value: Any) -> None:
    assert wire.plain(value) == value
    assert json.loads(wire.json_text(value)) == value


@given(st.integers(-(2**53), 2**53))
def test_an_integer_has_no_fraction(value: int) -> None:
    assert wire.text(float(value)) == str(value)


@given(st.dictionaries(st.text(min_size=1), SCALARS | st.lists(SCALARS)))
def test_a_query_is_read_as_the_names_and_values_that_were_given(values: dict[str, Any]) -> None:
    parts = urlsplit(f"http://api.example/books{wire.query(values)}")
    assert (parts.path, parts.fragment) == ("/books", "")
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    assert pairs == [(name, text) for name, value in values.items() for text in texts(value)]


@given(st.lists(st.text() | st.integers(), min_size=1))
def test_joined_items_stay_distinguishable(values: list[Any]) -> None:
    assert [unquote(item) for item in str(wire.joined(values)).split(",")] == texts(values)


@given(st.dictionaries(st.text(), st.text(), min_size=1))
def test_joined_properties_stay_distinguishable(values: dict[str, str]) -> None:
    rows = [item.split("=") for item in str(wire.joined(values, "=")).split(",")]
    assert {unquote(name): unquote(value) for name, value in rows} == values


@given(st.lists(st.text(), min_size=1))
def test_a_list_in_a_header_has_commas_between_its_items_only(values: list[str]) -> None:
    assert [unquote(item) for item in str(wire.field(values)).split(",")] == values


@given(st.text() | st.integers() | st.lists(st.text()))
def test_a_value_in_a_path_stays_one_segment(value: Any) -> None:
    try:
        segment = wire.segment(value)
    except ToolError:
        assert wire.joined(value) in (None, "", ".", "..")
        return
    parts = urlsplit(f"http://api.example/books/{segment}/pages")
    assert parts.path.split("/") == ["", "books", segment, "pages"]
    if not isinstance(value, list):
        assert [unquote(segment)] == texts(value)


@pytest.mark.parametrize("value", ["", ".", "..", None, [], {}])
def test_a_value_that_would_lead_to_another_path_is_refused(value: Any) -> None:
    with pytest.raises(ToolError, match="cannot be part of a path"):
        wire.segment(value)


@pytest.mark.parametrize("value", [" a", "a\t", "a\nb", "a\r\nX-Evil: 1", "\0", "\x7f"])
def test_a_value_that_no_header_can_hold_is_refused(value: str) -> None:
    with pytest.raises(ToolError, match="X-Name cannot have line ends"):
        wire.headers({"X-Name": value}, {})


@given(st.text(), st.text())
def test_a_header_holds_one_line_or_is_refused(value: str, cookie: str) -> None:
    try:
        headers = dict(wire.headers({"X-Name": value}, {"jar": cookie}))
    except ToolError:
        assert value != value.strip() or any(ord(char) < 32 or char == "\x7f" for char in value)
        return
    assert headers["X-Name"] == value
    assert not {*"\r\n\0"} & {*headers["X-Name"]}
    assert unquote(headers["Cookie"].removeprefix("jar=")) == cookie
    assert ";" not in headers["Cookie"]


@given(st.dictionaries(NAMES, TREES, min_size=1))
def test_a_deep_object_can_be_decoded(values: dict[str, Any]) -> None:
    result: dict[str, Any] = {}
    for key, value in wire.deep("top", values).items():
        *path, last = [part.rstrip("]") for part in key.split("[")][1:]
        place = result
        for part in path:
            place = place.setdefault(part, {})
        place[last] = value
    assert result == values


@given(st.dictionaries(NAMES, SCALARS | st.lists(SCALARS)))
def test_a_form_has_a_field_for_each_value(values: dict[str, Any]) -> None:
    fields = {name: items for name, value in values.items() if (items := texts(value))}
    assert wire.form(values) == fields


def test_a_form_has_fields_of_its_own_for_objects_and_json_where_the_spec_says() -> None:
    fields = wire.form({"a": {"b": 1}, "c": {"d": 2}}, ["a"], types={"c": "application/json"})
    assert fields == {"a[b]": ["1"], "c": ['{"d": 2}']}
    assert wire.form({"a": ["x", 1], "b": [2]}, joint=["a"]) == {"a": ["x,1"], "b": ["2"]}


@given(st.binary())
def test_a_file_is_sent_as_the_bytes_that_it_holds(data: bytes) -> None:
    base64 = b64encode(data).decode()
    assert wire.decoded(base64) == data
    given = {"it": base64, "none": None, "no": None}
    parts = wire.parts(given, ["it", "none"], {"it": "image/png"})
    assert parts == [("it", ("it", data, "image/png"))]


class Book(Model):
    title: str
    pages: int | None = None
    class_: str | None = Field(default=None, alias="class")


def test_omitted_arguments_are_not_sent() -> None:
    arguments = Book.of_client({"title": "a", "class": "b"})
    assert wire.given(arguments) == {"title": "a", "class": "b"}
    assert wire.given(arguments, ["class"]) == {"title": "a"}
    assert wire.renamed(wire.given(arguments), {"title": "t"}) == {"t": "a", "class": "b"}
    assert wire.properties(arguments) == {"title": "a", "class": "b"}
    assert wire.properties(None) == {}
    assert wire.as_json(None) is None


def test_a_body_is_read_as_a_result_or_as_a_property_of_one() -> None:
    assert wire.read(Book, b'{"title": "a", "class": "b"}').class_ == "b"
    assert wire.read(Book, b'{"title": "a", "class_": "b"}').model_extra == {"class_": "b"}
    assert wire.read(dict[str, Any], b"[1]", "result") == {"result": [1]}
    assert wire.read(dict[str, Any], b"", "result") == {}


@pytest.mark.parametrize("charset", ["iso-8859-99", "windows-none", "zlib", "utf-16"])
def test_a_wrong_charset_is_ignored(charset: str) -> None:
    assert wire.utf8(b"abc", f"text/plain; charset={charset}") == b"abc"
    assert wire.utf8(b"\xef\xbb\xbfPNG", f"image/png; charset={charset}") == b"\xef\xbb\xbfPNG"
