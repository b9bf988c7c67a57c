"""What people, programs and GitHub are shown, whatever the texts hold."""

from __future__ import annotations

import json
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from scaffold.cli.report import draw, visible
from scaffold.diagnostics import Diagnostic, Place, Related, Severity

HOSTILE = "a\x1b[31m\x07\u202e\u2028\ud83d%0A\r\n,:b"


def test_control_characters_are_shown_and_never_sent() -> None:
    place = Place(HOSTILE, 3, 2, 1, "a\t\x1b]0;title\x07b")
    drawn = draw([Diagnostic("some-id", HOSTILE, place, HOSTILE)])
    assert "\x1b" not in drawn
    assert "\\x1b[31m" in drawn
    assert "\\u202e" in drawn


def test_the_underline_stands_below_the_place() -> None:
    excerpt = "日本: {type: strng}"
    drawn = draw([Diagnostic("x-y", "m", Place("f", 1, 12, 5, excerpt))]).splitlines()
    line, under = drawn[2].partition(" | ")[2], drawn[3].partition(" | ")[2]
    width = sum(1 + (unicodedata.east_asian_width(c) == "W") for c in line[: line.index("strng")])
    assert under == " " * width + "^^^^^"


def test_a_second_place_is_drawn_below_the_first() -> None:
    first, again = Place("f", 9, 1, 4, "name: a"), Place("f", 12, 1, 4, "name: b")
    diagnostic = Diagnostic("x-y", "m", again, "h", related=Related(first, "already defined here"))
    assert draw([diagnostic]).splitlines()[1:8] == [
        "   |",
        "12 | name: b",
        "   | ^^^^",
        "   |",
        " 9 | name: a",
        "   | ---- already defined here",
        "hint: h",
    ]
    (told,) = json.loads(draw([diagnostic], "json"))["diagnostics"]
    assert told["related"] == {
        "message": "already defined here",
        "path": "f",
        "line": 9,
        "column": 1,
        "length": 4,
    }


def test_github_commands_are_one_line_each_and_read_back_as_they_were() -> None:
    place = Place("a,b:c%.yaml", 3, 2, 4)
    command = draw(
        [Diagnostic("some-id", "100 %\nsure", place, "do: it", Severity.WARNING)], "github"
    )
    assert command == (
        "::warning file=a%2Cb%3Ac%25.yaml,line=3,col=2,endColumn=6,title=some-id"
        "::100 %25%0Asure%0Ahint: do: it\n"
    )


def test_nothing_to_say_is_nothing_but_in_json() -> None:
    assert draw([]) == ""
    assert draw([], "github") == ""
    assert json.loads(draw([], "json"))["diagnostics"] == []


def test_colours_only_where_they_are_asked_for() -> None:
    diagnostic = Diagnostic("some-id", "m", Place("f", 1, 1, 1, "x"), "h")
    assert "\x1b[" in draw([diagnostic], colour=True)
    assert "\x1b[" not in draw([diagnostic])


@given(st.text())
def test_what_is_visible_is_not_changed_and_the_rest_is_escaped(text: str) -> None:
    shown = visible(text)
    unseen = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert not {unicodedata.category(c) for c in shown if c != "\u200d"} & unseen
    assert shown.isprintable() or not text.isprintable()
    if text.isprintable():
        assert shown == text
