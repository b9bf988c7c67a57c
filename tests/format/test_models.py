"""What the format says of one key, and how much of a wrong spec is still read."""

from __future__ import annotations

import copy
import json
import time
from typing import Any

import pytest

from scaffold.base.diagnostics import FAULTS, ScaffoldError
from scaffold.format.schema import json_schema
from scaffold.format.spec import LISTS
from scaffold.yaml.source import parse
from tests.checked import check
from tests.format.test_fuzz import WHOLE

HEAD = 'name: a\nversion: "1.0"\n'
TOOL = {"name": "find", "inputSchema": {"type": "object"}}


@pytest.mark.parametrize("key", sorted(json_schema()["properties"]))
def test_a_key_can_be_absent_but_not_null(key: str) -> None:
    with pytest.raises(ScaffoldError) as caught:
        check(parse(json.dumps({**WHOLE, key: None})))
    first = caught.value.diagnostics[0]
    assert (first.id, first.pointer) == ("wrong-type", f"/{key}")
    assert "has no value" in first.message


@pytest.mark.parametrize("kind", ["", *LISTS])
def test_keys_that_begin_with_x_are_ignored_and_not_sent(kind: str) -> None:
    value: Any = copy.deepcopy(WHOLE)
    (value[kind][0] if kind else value)["x-name"] = {"any": ["thing"]}
    spec = check(parse(json.dumps(value)))
    for entries in spec.entries.values():
        assert all("x-name" not in entry.wire for entry in entries)
    assert "x-name" not in spec.written


@pytest.mark.parametrize("kind", ["", *LISTS])
def test_an_x_key_does_not_replace_a_required_key(kind: str) -> None:
    """It was taken for a misspelling of `name`, and a KeyError followed."""
    value: Any = copy.deepcopy(WHOLE)
    holder = value[kind][0] if kind else value
    holder["x-name"] = holder.pop("name")
    with pytest.raises(ScaffoldError) as caught:
        check(parse(json.dumps(value)))
    assert "missing-key" in {diagnostic.id for diagnostic in caught.value.diagnostics}


def test_clients_get_the_values_of_the_spec() -> None:
    tool = {"_meta": {"b": 1, "a": None}, **TOOL, "annotations": {"vendor": None}, "title": "T"}
    spec = check(
        parse(json.dumps({"name": "a", "version": "1.0", "tools": [{**tool, "timeout": 1}]}))
    )
    assert json.dumps(spec.tools[0].wire) == json.dumps(tool)


@pytest.mark.parametrize(
    "broken",
    [
        {"errors": [{"name": "Lost"}], "tools": [{**TOOL, "errors": ["Lost"]}]},
        {"env": [{"name": "LOST", "default": 1, "secret": 2}, {"default": "x"}]},
        {"transports": ["htpt"], "tools": [TOOL]},
        {"prompts": [{"name": "p", "arguments": {}, "messages": []}]},
    ],
)
def test_a_key_with_a_syntax_error_is_not_reported_as_missing(broken: dict[str, Any]) -> None:
    value = {"name": "a", "version": "1.0", "auth": {"bearer": {"env": "LOST"}}, **broken}
    value.setdefault("transports", ["sse"])
    value["capabilities"] = {"completions": {}} if "prompts" in value else {}
    value.setdefault("env", [{"name": "LOST"}])
    with pytest.raises(ScaffoldError) as caught:
        check(parse(json.dumps(value)))
    ids = {diagnostic.id for diagnostic in caught.value.diagnostics}
    assert not ids & {"unknown-error", "unknown-variable", "auth-without-http"}
    assert not ids & {"unfounded-capability"}


@pytest.mark.parametrize(
    "wrong",
    ["tools: [{}]", "tools: [{name: t, inputSchema: {type: object}, examples: [{}]}]", "env: [1]"],
    ids=["tools", "examples of a tool", "variables"],
)
def test_any_number_of_wrong_items_costs_little(wrong: str) -> None:
    start, item, end = wrong.rpartition("[")[0] + "[", wrong.rpartition("[")[2], ""
    item, end = item[: item.index("]")], item[item.index("]") :]
    text = HEAD + start + ", ".join([item] * 20_000) + end
    document = parse(text)
    started = time.process_time()
    with pytest.raises(ScaffoldError) as caught:
        check(document)
    assert len(caught.value.diagnostics) == FAULTS + 1
    assert time.process_time() - started < 1
