"""Every wire name gets Python names of its own, and keeps them while others come and go."""

from __future__ import annotations

import ast
import itertools
import keyword
import random
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaffold.languages.names import MAX_LENGTH, Names, words
from scaffold.languages.python.handlers import CONTRACT_NAMES
from scaffold.languages.python.names import identifiers, package_name, singular
from scaffold.languages.python.reserved import BUILTINS, DEVICES, KEYWORDS, STANDARD_LIBRARY

TOOL_CHARACTERS = "ABCDEFXYZabcdefxyz0123456789_.-/"
tool_names = st.text(TOOL_CHARACTERS, min_size=1, max_size=128)
NEAR_NAMES = """
    getUser getuser GETUSER get_user GetUser get-user get_user_2 getUser2 2fa tool_2fa print Print
    print_ class con CON a_b ab a-b a--b . .. _ IDs ids tool Tool None True
"""
near_names = st.sampled_from(NEAR_NAMES.split())
any_names = st.lists(near_names | tool_names | st.text(max_size=20), unique=True, max_size=12)


@pytest.mark.parametrize(
    ("name", "function", "type_name"),
    [
        ("search_blog", "search_blog", "SearchBlog"),
        ("getUser", "get_user", "GetUser"),
        ("HTTPServer", "http_server", "HttpServer"),
        ("getUserIDs", "get_user_ids", "GetUserIds"),
        ("ApiV2010--ListCall", "api_v2010_list_call", "ApiV2010ListCall"),
        (
            "com.example.calculator/arithmetic",
            "com_example_calculator_arithmetic",
            "ComExampleCalculatorArithmetic",
        ),
        ("OLLAMA_URL", "ollama_url", "OllamaUrl"),
        ("naïve \uff2eame", "naive_name", "NaiveName"),
        ("../../etc/passwd", "etc_passwd", "EtcPasswd"),
        ("--help", "help_", "Help"),
        ("__init__", "init", "Init"),
        ("3d_render", "tool_3d_render", "Tool3dRender"),
        ("class", "class_", "Class"),
        ("list", "list_", "List"),
        ("None", "none", "NoneTool"),
        ("CON", "con_", "Con"),
        ("..", "tool_5ec1", "Tool5ec1"),
        ("ツール", "tool_7638", "Tool7638"),
    ],
)
def test_a_name_is_written_as_a_python_programmer_would(
    name: str, function: str, type_name: str
) -> None:
    assert identifiers([name], "tool") == {name: Names(function, type_name)}


def test_the_canonical_name_wins_a_collision() -> None:
    names = identifiers(["getUser", "get_user", "get-user"], "tool")
    assert names["get_user"] == Names("get_user", "GetUser")
    assert names["getUser"].function.startswith("get_user_")
    assert names["get-user"].function.startswith("get_user_")
    reserved = identifiers(["print", "Print"], "tool")
    assert reserved["print"].function == "print_"


@pytest.mark.parametrize("pack", ["python", "python-stdlib"])
def test_a_handler_never_has_the_name_of_an_import_of_the_server(pack: str) -> None:
    """Both are in `server.py`. Types begin with a capital letter, which a function never does."""
    server = Path("templates", pack, "src/package/_generated/server.py.j2")
    lines = [line.strip() for line in server.read_text("utf-8").splitlines()]
    source = "\n".join(item for item in lines if re.match("(from|import) [^{]+$", item))
    imports = [
        item for item in ast.parse(source).body if isinstance(item, ast.Import | ast.ImportFrom)
    ]
    bound = {item.asname or item.name.partition(".")[0] for line in imports for item in line.names}
    names = {item for item in bound if item.islower()}
    assert "c" in names
    given = identifiers(names, "tool", CONTRACT_NAMES)
    assert [name for name in names if given[name].function == name] == []


def test_names_with_a_common_hash_prefix_are_distinct_in_any_order() -> None:
    by_function: dict[str, str] = {}
    for joint in map("".join, itertools.product("._-", repeat=6)):
        name = f"a{joint}b"
        first = by_function.setdefault(identifiers([name, "a_b"], "tool")[name].function, name)
        if first != name:
            forwards = identifiers([first, name, "a_b"], "tool")
            assert forwards[first].function != forwards[name].function
            assert identifiers(["a_b", name, first], "tool") == forwards
            return
    pytest.fail("no two hashes began alike")


def test_colliding_types_are_distinct_even_if_their_functions_are() -> None:
    names = identifiers(["get_user_2", "get_user2"], "tool")
    assert names["get_user2"] == Names("get_user2", "GetUser2")
    assert names["get_user_2"].function == "get_user_2"
    assert names["get_user_2"].type_name.startswith("GetUser2")
    assert names["get_user_2"].type_name != "GetUser2"


@given(any_names, st.sampled_from(["tool", "prompt", "resource"]))
def test_names_are_distinct_valid_and_bounded(wire_names: list[str], kind: str) -> None:
    names = identifiers(wire_names, kind)
    assert list(names) == wire_names
    for identifier in [name for n in names.values() for name in (n.function, n.type_name)]:
        assert identifier.isidentifier()
        assert identifier.isascii()
        assert not keyword.iskeyword(identifier)
        assert len(identifier) <= MAX_LENGTH
    for name in names.values():
        assert name.function == name.function.lower()
        assert not name.function.startswith("_")
        assert name.function not in KEYWORDS | BUILTINS | DEVICES
    assert len({name.function for name in names.values()}) == len(wire_names)
    assert len({name.type_name for name in names.values()}) == len(wire_names)


@given(any_names, st.randoms())
def test_the_order_of_the_names_does_not_matter(
    wire_names: list[str], randomness: random.Random
) -> None:
    shuffled = list(wire_names)
    randomness.shuffle(shuffled)
    assert identifiers(shuffled, "tool") == identifiers(wire_names, "tool")


@given(any_names, near_names | tool_names)
def test_a_new_name_only_renames_those_it_collides_with(wire_names: list[str], new: str) -> None:
    before = identifiers(wire_names, "tool")
    after = identifiers([*wire_names, new], "tool")

    def letters(name: str) -> str:
        return "".join(words(name)).lower().removeprefix("tool")

    for name in wire_names:
        assert after[name] == before[name] or letters(name) == letters(new)


@pytest.mark.parametrize(
    ("server", "package"),
    [
        ("blog-search", "blog_search"),
        ("json", "json_server"),
        ("mcp", "mcp_server"),
        ("mcp-types", "mcp_types_server"),
        ("class", "class_server"),
        ("tests", "tests_server"),
        ("nul", "nul_server"),
        ("test", "test_server"),
        ("sitecustomize", "sitecustomize_server"),
    ],
)
def test_a_package_does_not_shadow_modules_that_its_server_imports(
    server: str, package: str
) -> None:
    assert package_name(server) == package


def test_the_list_of_modules_covers_the_running_python() -> None:
    public = {name for name in sys.stdlib_module_names if not name.startswith("_")}
    assert public <= STANDARD_LIBRARY
    assert set(keyword.kwlist) <= KEYWORDS


@pytest.mark.parametrize(
    ("name", "singular_name"),
    [
        ("Hits", "Hit"),
        ("Queries", "Query"),
        ("Addresses", "Address"),
        ("Boxes", "Box"),
        ("Databases", "Database"),
        ("Status", None),
        ("Movies", None),
        ("Indices", None),
        ("Results", None),  # the singular ends the name of the type of a tool's result
        ("Data", None),
        ("S", None),
    ],
)
def test_a_plural_has_a_singular_only_if_it_is_certain(
    name: str, singular_name: str | None
) -> None:
    assert singular(name) == singular_name
