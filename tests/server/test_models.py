"""What a handler gets and returns: models, whose dates are dates, in a server that runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.generated import generate
from tests.raw_client import MODERN, StdioClient, WireCheck

SPEC: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("days.yaml").read_text("utf-8"))
TOLD = """
from days._generated.contract import Context
from days._generated.contract import TTTArguments

def NNN(arguments: TTTArguments, context: Context) -> str:
    city = arguments.place.city if arguments.place else None
    return repr((arguments.at and arguments.at.year, arguments.id and arguments.id.version,
                 arguments.count, arguments.ratio, city, sorted(arguments.model_fields_set)))
"""
HANDLERS = {
    "tools/next_day.py": """
from datetime import timedelta

from days._generated.contract import Context
from days._generated.contract import NextDayArguments, NextDayResult

async def next_day(arguments: NextDayArguments, context: Context) -> NextDayResult:
    day = arguments.day + timedelta(days=1)
    if "note" in arguments.model_fields_set:
        return NextDayResult(day=day, start_time=arguments.start_time, note=arguments.note)
    return NextDayResult(day=day)
""",
    "tools/told.py": TOLD.replace("TTT", "Told").replace("NNN", "told"),
    "tools/told_07.py": TOLD.replace("TTT", "Told07").replace("NNN", "told_07"),
    "tools/own_structured.py": """
from days._generated.contract import CallToolResult, Context
from days._generated.contract import OwnStructuredArguments, OwnStructuredResult

def own_structured(arguments: OwnStructuredArguments, context: Context) -> CallToolResult:
    result = OwnStructuredResult(two_words="yes")
    return CallToolResult(content=[], structured_content=result)
""",
    "resources/year.py": """
from days._generated.contract import Context, ResourceResult
from days._generated.contract import YearArguments

def year(arguments: YearArguments, context: Context) -> ResourceResult:
    return f"{arguments.year}, {arguments.month}"
""",
    "prompts/plan.py": """
from days._generated.contract import Context, PromptResult
from days._generated.contract import PlanArguments

def plan(arguments: PlanArguments, context: Context) -> PromptResult:
    return f"{arguments.who}, {arguments.day}"
""",
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory, check: WireCheck) -> Iterator[StdioClient]:
    folder = tmp_path_factory.mktemp("days") / "days"
    with StdioClient(generate(SPEC, folder, handlers=HANDLERS), MODERN, check) as client:
        yield client
    assert "Traceback" not in client.log
    assert client.faults == []


def text_of(answer: dict[str, Any]) -> str:
    text: str = answer["result"]["content"][0]["text"]
    return text


def test_dates_become_date_objects_and_only_set_values_are_sent(client: StdioClient) -> None:
    for given, sent in (
        ({"day": "2026-02-28"}, {"day": "2026-03-01"}),
        (
            {"day": "2026-12-31", "start-time": "12:00:00Z", "note": None},
            {"day": "2027-01-01", "start-time": "12:00:00Z", "note": None},
        ),
    ):
        answer = client.call("next_day", **given)
        assert answer["result"]["structuredContent"] == sent
        assert json.loads(text_of(answer)) == sent


def test_arguments_have_pythons_types_and_defaults_at_every_depth(client: StdioClient) -> None:
    answer = client.call(
        "told",
        at="2026-02-28t12:00:00z",
        id="2EB8AA08-AA98-41EA-B4AA-73B441D16380",
        count=10**20,
        ratio=1,
        place={},
    )
    names = ["at", "count", "id", "place", "ratio"]
    assert text_of(answer) == repr((2026, 4, 10**20, 1.0, "Rome", names))
    assert text_of(client.call("told")) == repr((None, None, None, None, None, []))


@pytest.mark.parametrize("tool", ["told", "told_07"])
@pytest.mark.parametrize(
    ("argument", "value", "fits"),
    [
        ("at", "not-a-date", False),
        ("id", "2eb8aa08", False),
        ("data", "%%", False),
        ("data", "e30g", True),
        ("data", {}, False),
    ],
)
def test_formats_and_encodings_are_checked_in_each_dialect(
    client: StdioClient, tool: str, argument: str, value: object, fits: bool
) -> None:
    answer = client.call(tool, **{argument: value})
    assert answer["result"].get("isError", False) is not fits
    assert fits or text_of(answer).splitlines()[1].startswith(f"- /{argument}: ")


@pytest.mark.parametrize(
    ("argument", "value"),
    [("at", "2016-12-31T23:59:60Z"), ("at", "0000-01-01T00:00:00Z"), ("ratio", 10**400)],
)
def test_a_valid_value_beyond_the_range_of_python_is_a_clear_error(
    client: StdioClient, argument: str, value: object
) -> None:
    answer = client.call("told", **{argument: value})
    assert answer["result"]["isError"]
    first, second = text_of(answer).splitlines()
    assert first == "These arguments are valid, but Python cannot hold them:"
    assert second.startswith(f"- /{argument}: ")


def test_a_whole_result_can_hold_a_model(client: StdioClient) -> None:
    whole = client.call("own_structured")["result"]
    assert whole["structuredContent"] == {"two words": "yes"}


def test_prompts_and_resource_templates_get_models_too(client: StdioClient) -> None:
    read = client.request("resources/read", {"uri": "day://2026?month=2"})
    assert read["result"]["contents"][0]["text"] == "2026, 2"
    got = client.request("prompts/get", {"name": "plan", "arguments": {"who": "Ada"}})
    assert got["result"]["messages"][0]["content"]["text"] == "Ada, None"
