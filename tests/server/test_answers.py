"""What clients are answered, on each transport in each era; most cases are in `answers.yaml`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.raw_client import MODERN, RawClient
from tests.server.conftest import every_version

ANSWERS: dict[str, dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("answers.yaml").read_text("utf-8")
)
ECHO = "com.example.workshop/echo.v2"
DEFAULTS = {"class": None, "two words": 0.5, "nested": {"a": [1]}}


@pytest.mark.parametrize("case", ANSWERS["resources"])
def test_a_resource_is_read(client: RawClient, case: str) -> None:
    resource = ANSWERS["resources"][case]
    result = client.request("resources/read", {"uri": resource["uri"]})["result"]
    assert result["contents"] == resource["contents"]


@pytest.mark.parametrize("case", ANSWERS["prompts"])
def test_a_prompt_is_filled_in(client: RawClient, case: str) -> None:
    prompt = dict(ANSWERS["prompts"][case])
    messages = prompt.pop("messages")
    assert client.request("prompts/get", prompt)["result"]["messages"] == messages


@pytest.mark.parametrize("case", ANSWERS["calls"])
def test_a_tool_is_called(client: RawClient, case: str) -> None:
    call = ANSWERS["calls"][case]
    request = {key: call[key] for key in ("name", "arguments") if key in call}
    result = client.request("tools/call", request)["result"]
    for key in ("content", "structuredContent"):
        assert result.get(key) == call.get(key)
    assert result.get("isError", False) == call.get("isError", False)


@pytest.mark.parametrize("case", ANSWERS["echoed"])
def test_the_handler_gets_the_arguments_as_they_were_sent(client: RawClient, case: str) -> None:
    """A default is new in each call, whatever the handler did to it in the last."""
    arguments = ANSWERS["echoed"][case]
    inner = arguments.get("nested", {}).get("inner", "filled in")
    content = {"arguments": DEFAULTS | arguments, "inner": inner}
    assert client.call(ECHO, **arguments)["result"]["structuredContent"] == content


def test_a_complete_result_keeps_unknown_keys(client: RawClient) -> None:
    result = client.call("whole", weight=1.5)["result"]
    assert result["_meta"]["example.org/kept"] is True


@every_version
def test_a_list_is_structured_only_where_the_protocol_has_that(client: RawClient) -> None:
    result = client.call("evens", limit=7)["result"]
    assert json.loads(result["content"][0]["text"]) == [0, 2, 4, 6]
    if client.version == MODERN:
        assert result["structuredContent"] == [0, 2, 4, 6]
    else:
        assert "structuredContent" not in result
