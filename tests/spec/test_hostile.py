"""Every case of the corpus of hostile specs, up to what leaves the intake."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from scaffold.base.diagnostics import ScaffoldError
from scaffold.spec.lint import lint
from scaffold.yaml.source import parse, read
from tests.captured import Captured
from tests.checked import check

REFUSED = {
    "s27-ref-fanout": "one call would hold an argument against 2^30 schemas and stop the server; "
    "the corpus allows this, if the limit is named",
}
"""What the corpus would accept and we refuse, and why."""

FIELDS = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")


def alike(found: Any, expected: Any) -> bool:
    """Equal as JSON: 1 is not true, and 1.0 is not 1."""
    return json.dumps(found, sort_keys=True) == json.dumps(expected, sort_keys=True)


def test_each_hostile_spec_is_refused_with_a_place_or_read_as_it_is_meant(corpus: Path) -> None:
    folder = corpus / "hostile"
    departures = {}
    for case in yaml.safe_load((folder / "index.yaml").read_text(encoding="utf-8"))["cases"]:
        try:
            document = read(folder / case["file"], case["file"])
            spec = check(document)
        except ScaffoldError as error:
            verdict = "reject"
            for diagnostic in error.diagnostics:
                assert diagnostic.place is not None, case["id"]
                assert diagnostic.place.line, case["id"]
                assert diagnostic.hint, case["id"]
        else:
            verdict = "accept"
            lint(spec, document)
            wire = [{k: t.wire[k] for k in FIELDS if k in t.wire} for t in spec.tools]
            if "expected" in case:
                expected = json.loads((folder / case["expected"]).read_text(encoding="utf-8"))
                assert alike(wire, expected["tools"]), case["id"]
        if verdict != case["verdict"]:
            departures[case["id"]] = verdict
    assert departures == dict.fromkeys(REFUSED, "reject")


def test_real_lists_are_right_and_pass_unchanged(captured: Captured) -> None:
    document = parse(json.dumps(captured.spec), f"{captured.name}.json")
    spec = check(document)
    for kind, entries in (("tools", spec.tools), ("prompts", spec.prompts)):
        assert alike([entry.wire for entry in entries], captured.spec.get(kind, []))
    assert alike([entry.wire for entry in spec.resources], captured.spec.get("resources", []))
    lint(spec, document)
