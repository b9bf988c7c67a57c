"""The page of a tool in a browser, and what it says to its host (MCP Apps, SEP-1865)."""

from __future__ import annotations

import json
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from tests import npm
from tests.generated import REPOSITORY

EXT_APPS = "2.0.4"
FIRST = REPOSITORY / "templates/server/files/ui/page.html"
CHART = REPOSITORY / "examples/expenses/ui/chart.html"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)

in_a_browser = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")

HOST = Path(__file__).with_name("host.html").read_text("utf-8")


def seen(page: Path, folder: Path, *messages: dict[str, Any]) -> dict[str, Any]:
    """What a page shows after these messages of its host, and what it has said."""
    given = json.dumps({"page": page.read_text("utf-8"), "messages": messages})
    host = folder / "host.html"
    host.write_text(HOST.replace("GIVEN", given.replace("</", "<\\/")), "utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=4000"]
    options += [f"--user-data-dir={folder / 'profile'}", "--dump-dom"]
    command = [str(CHROMIUM), *options, host.as_uri()]
    text = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    report: dict[str, Any] = json.loads(unescape(text.split("<pre>")[1].split("</pre>")[0]))
    return report


def result(structured: Any, text: str = "as text", **more: Any) -> dict[str, Any]:
    """The message with a result; without `structured`, there is only text."""
    content = {"content": [{"type": "text", "text": text}], **more}
    params = content if structured is None else {**content, "structuredContent": structured}
    return {"method": "ui/notifications/tool-result", "params": params}


ROWS = {"notes": [{"title": "<b>Milk</b>", "pages": 2}, {"title": "Tea", "tags": ["hot", "green"]}]}
SIZE = "ui/notifications/size-changed"
MONTH = {"total": 4, "categories": [{"category": "meals", "total": 3}], "unconverted": 1}


@in_a_browser
@pytest.mark.parametrize(
    ("page", "message", "shown"),
    [
        (FIRST, result(ROWS), ["notes title pages tags", "<b>Milk</b> 2", "Tea hot green"]),
        (FIRST, result([1, None, True]), ["1", "", "true"]),
        (FIRST, result(None), ["as text"]),
        (FIRST, result(ROWS, "it failed", isError=True), ["it failed"]),
        (FIRST, {"method": "ui/notifications/tool-cancelled"}, ["Cancelled"]),
        (CHART, result(MONTH), ["€4.00", "meals", "€3.00", "1 not in euros yet, and left out"]),
    ],
    ids=["rows", "list", "text", "error", "cancelled", "chart"],
)
def test_a_page_shows_the_result(
    tmp_path: Path, page: Path, message: dict[str, Any], shown: list[str]
) -> None:
    text = seen(page, tmp_path, message)["shown"]
    assert " ".join(text.split()) == " ".join(" ".join(shown).split())


@in_a_browser
@pytest.mark.parametrize("page", [FIRST, CHART], ids=lambda page: page.stem)
def test_messages_of_a_page_are_valid_by_the_official_schema(
    tmp_path: Path, page: Path, request: pytest.FixtureRequest
) -> None:
    file, cache = "dist/src/generated/schema.json", request.config.cache.mkdir("npm")
    path = npm.installed("@modelcontextprotocol/ext-apps", EXT_APPS, file, cache)
    schema = json.loads(path.read_text("utf-8"))
    ping, teardown = ({"id": n, "method": m} for n, m in ((7, "ping"), (8, "ui/resource-teardown")))
    context = {"method": "ui/notifications/host-context-changed", "params": {"theme": "light"}}
    other = {"id": 9, "method": "other"}
    for _ in range(8):  # A run of a browser without a screen may draw no frame, and so no size.
        report = seen(page, tmp_path, result(ROWS), ping, teardown, other, context)
        if any(sent.get("method") == SIZE for sent in report["said"]):
            break
    kinds = {
        "ui/initialize": "McpUiInitializeRequest",
        "ui/notifications/initialized": "McpUiInitializedNotification",
        SIZE: "McpUiSizeChangedNotification",
    }
    messages = [sent for sent in report["said"] if "method" in sent]
    assert {sent["method"] for sent in messages} == {*kinds}
    for sent in messages:
        message = {key: sent[key] for key in ("method", "params") if key in sent}
        part = {**schema, "$ref": f"#/$defs/{kinds[sent['method']]}"}
        jsonschema_rs.validator_for(part).validate(message)
    answers = [sent for sent in report["said"] if "result" in sent]
    assert answers == [{"jsonrpc": "2.0", "id": id, "result": {}} for id in (7, 8)]
    assert "light" in report["style"]
    assert "serif" in report["style"]
