"""What people, programs and GitHub are shown, whatever the texts hold."""

from __future__ import annotations

import json
from pathlib import Path

from scaffold.base.diagnostics import Diagnostic, Place, Related, Severity
from scaffold.cli.people import draw, for_people
from scaffold.cli.pull_requests import for_github
from scaffold.cli.report import Report, as_json


def test_a_second_place_is_part_of_the_json() -> None:
    first, again = Place("f", 9, 1, 4, "name: a"), Place("f", 12, 1, 4, "name: b")
    diagnostic = Diagnostic("x-y", "m", again, "h", related=Related(first, "already defined here"))
    (shown,) = json.loads(json.dumps(as_json(Report((diagnostic,)))))["diagnostics"]
    where = {"path": "f", "line": 9, "column": 1, "length": 4}
    assert shown["related"] == {"message": "already defined here", **where}


def test_github_commands_are_one_line_each_and_decode_to_the_same_text() -> None:
    place = Place("a,b:c%.yaml", 3, 2, 4)
    warning = Diagnostic("some-id", "100 %\nsure", place, "do: it", Severity.WARNING)
    assert for_github(Report((warning,))) == (
        "::warning file=a%2Cb%3Ac%25.yaml,line=3,col=2,endColumn=6,title=some-id"
        "::100 %25%0Asure%0Ahint: do: it\n"
    )


def test_colors_are_used_only_on_request() -> None:
    diagnostic = Diagnostic("some-id", "m", Place("f", 1, 1, 1, "x"), "h")
    assert "\x1b[" in draw([diagnostic], color=True)
    assert "\x1b[" not in draw([diagnostic])


def test_names_of_projects_are_shown_without_control_characters() -> None:
    printed = for_people(Report(parts={Path("a\nb"): Report((), 0, "done", out=("x",))}))
    assert printed == ("==> a\\u000ab <==\nx\n\n", "1 project: 1 done\n")


def alike(count: int, severity: Severity = Severity.WARNING, pointer: str | None = "/a") -> str:
    places = (Place("spec.yaml", 3 * n + 1, 5) for n in range(count))
    return draw([Diagnostic("dull", "it is dull", p, None, severity, pointer) for p in places])


def test_many_similar_warnings_are_grouped_into_one_with_all_places() -> None:
    text = alike(1000)
    assert text.count("dull]") == 1
    assert "4:5, 7:5, 10:5 and 996 other places (`mcp-scaffold validate --all`" in text
    assert text.endswith("\n1000 warnings\n")
    assert "more: 4:5, 7:5, 10:5 (`" in alike(4)


def test_few_warnings_errors_and_warnings_about_no_spec_are_each_shown() -> None:
    assert alike(3).count("dull]") == 3
    assert alike(9, Severity.ERROR).count("dull]") == 9
    assert alike(9, pointer=None).count("dull]") == 9
