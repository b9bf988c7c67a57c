"""Templates in any language write names in the case of that language."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaffold.base.text import Text
from scaffold.languages.names import case_filters, identifiers, spelled

words = st.lists(st.text("a1", min_size=1, max_size=2), min_size=1, max_size=3)
names = st.lists(words.map("_".join) | st.text(max_size=12), unique=True, max_size=8)


@pytest.mark.parametrize(
    ("text", "camel", "pascal", "snake", "kebab"),
    [
        ("read_chunk", "readChunk", "ReadChunk", "read_chunk", "read-chunk"),
        ("search", "search", "Search", "search", "search"),
        ("HTTPServer", "httpServer", "HttpServer", "http_server", "http-server"),
        ("OLLAMA_URL", "ollamaUrl", "OllamaUrl", "ollama_url", "ollama-url"),
        ("api_v2_call", "apiV2Call", "ApiV2Call", "api_v2_call", "api-v2-call"),
        ("get_2fa", "get_2fa", "Get_2fa", "get_2fa", "get-2fa"),
        ("2fa code", "value_2faCode", "Value_2faCode", "value_2fa_code", "value-2fa-code"),
        ("Café au lait!", "cafeAuLait", "CafeAuLait", "cafe_au_lait", "cafe-au-lait"),
        ("日本", "value", "Value", "value", "value"),
    ],
)
def test_the_words_of_a_text_are_written_as_a_name(
    text: str, camel: str, pascal: str, snake: str, kebab: str
) -> None:
    wanted = {"camel": camel, "pascal": pascal, "snake": snake, "kebab": kebab}
    assert {case: spell(Text(text)) for case, spell in case_filters().items()} == wanted


def test_a_reserved_word_gets_an_underscore_but_not_in_a_file_name() -> None:
    filters = case_filters(("delete", "Object"))
    assert filters["camel"]("delete") == filters["snake"]("delete") == "delete_"
    assert filters["pascal"]("object") == "Object_"
    assert filters["kebab"]("delete") == "delete"


@given(st.text(max_size=20))
def test_every_text_becomes_a_name_that_is_safe_in_quotes(text: str) -> None:
    for case, name in spelled(text).items():
        assert re.fullmatch("[A-Za-z][A-Za-z0-9_-]*", name), case


@given(names)
def test_different_functions_have_different_names_in_every_case(wire_names: list[str]) -> None:
    never = {"is_reserved": lambda _: False, "is_reserved_type": lambda _: False}
    functions = [one.function for one in identifiers(wire_names, "tool", **never).values()]
    for case in spelled(""):
        assert len({spelled(function)[case] for function in functions}) == len(functions)
