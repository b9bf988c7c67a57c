"""Each kind of parameter, body and response of OpenAPI, as it goes over the wire."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from base64 import b64decode, b64encode
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from scaffold.commands.importing import Imported, imported
from scaffold.sources.read import read_source
from tests.generated import REPOSITORY, generate
from tests.pyright import errors
from tests.raw_client import MODERN, StdioClient, WireCheck
from tests.sources.documented_api import BASE, Api, parts_of, serving, types_of

pytestmark = pytest.mark.usefixtures("starts_programs")

DOCUMENT = REPOSITORY / "tests/cases/openapi/kinds.yaml"
JSON = "application/json"
FILE = b64encode(b"\x00\xff").decode()


@dataclass(frozen=True)
class Running:
    found: Imported
    client: StdioClient
    api: Api

    def call(self, tool: str, **arguments: Any) -> Any:
        return self.client.call(tool, **arguments)["result"]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, check: WireCheck) -> Generator[Running]:
    folder = tmp_path_factory.mktemp("kinds")
    found = imported(read_source(str(DOCUMENT)), folder / "spec.yaml", [], [])
    project = generate(found.path, folder / "project")
    with serving() as api:
        env = {
            "KINDS_OF_REQUESTS_URL": api.url,
            "KINDS_OF_REQUESTS_UPLOAD_EXAMPLE_COM_URL": api.url,
            "KINDS_OF_REQUESTS_KEY": "k y",
            "KINDS_OF_REQUESTS_SESSION": "s",
        }
        with StdioClient(project, MODERN, check, **env) as client:
            yield Running(found, client, api)


KEY = [("api key", "k y")]
SENT = yaml.safe_load(Path(__file__).with_name("sent.yaml").read_text("utf-8"))


NODE = {"name": "n", "created": "2026-01-31T00:00:00Z"}


@pytest.mark.parametrize("kind", SENT)
def test_an_argument_is_sent_as_the_document_says(running: Running, kind: str) -> None:
    sent = SENT[kind]
    running.api.answers(200, json.dumps(sent.get("answer", NODE)).encode())
    result = running.call(sent["tool"], **sent["arguments"])
    assert not result.get("isError"), result
    (seen,) = running.api.seen
    assert seen.path == BASE + sent["path"]
    assert seen.query == [*map(tuple, sent["query"]), *([] if "keyless" in sent else KEY)]
    assert seen.body.decode() == sent.get("body", "")
    for header, name in {"type": "content-type", "cookie": "cookie"}.items():
        assert header not in sent or seen.headers[name] == sent[header]


def test_headers_cookies_and_credentials_are_sent(running: Running) -> None:
    running.api.answers(200, b"hello", "text/plain")
    since = "Sat, 31 Jan 2026 00:00:00 GMT"
    result = running.call("lists", **{"X-Ids": [1, 2], "X-Since": since, "theme": "dark; x"})
    (seen,) = running.api.seen
    assert result["content"] == [{"type": "text", "text": "hello"}]
    assert seen.headers["x-ids"] == "1,2"
    assert seen.headers["x-since"] == since
    assert "theme=dark%3B%20x" in seen.headers["cookie"]
    assert seen.headers["user-agent"].startswith("kinds-of-requests ")
    running.call("get_things_id", id="a")
    assert running.api.seen[-1].headers["cookie"] == "sid=s"


@pytest.mark.parametrize("session", ["geheimé", "a\nb"])
def test_a_credential_that_is_invalid_in_a_header_is_reported_with_its_variable(
    running: Running, session: str, tmp_path: Path
) -> None:
    project = generate(running.found.path, tmp_path / "project")
    environment = {**os.environ, "PYTHONPATH": str(project.folder / "src")}
    environment["KINDS_OF_REQUESTS_SESSION"] = session
    done = subprocess.run(
        [sys.executable, "-m", "kinds_of_requests"],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("kinds-of-requests: KINDS_OF_REQUESTS_SESSION: ")
    assert done.stderr.endswith("it must be ASCII text on one line\n")


def test_a_status_maps_to_the_error_of_the_spec_without_the_body(running: Running) -> None:
    running.api.answers(404, b'{"message": "the own words of the API"}')
    result = running.call("get_things_id", id="a")
    assert result["isError"]
    assert [each["text"] for each in result["content"]] == ["No thing {id}"]


def test_a_body_of_any_type_with_a_schema_is_json(running: Running) -> None:
    running.api.answers(200, b"[1, 2]")
    assert running.call("anyType")["structuredContent"] == {"result": [1, 2]}


@pytest.mark.parametrize("id", ["", ".", ".."])
def test_a_value_that_leads_to_another_path_is_refused(running: Running, id: str) -> None:
    running.api.answers(200, b"")
    assert running.call("remove", id=id)["isError"]
    assert running.api.seen == []


def test_a_form_of_any_type_has_fields(running: Running) -> None:
    running.api.answers(200, b"")
    assert running.call("sendFields", body=True)["content"][0]["text"].startswith("Invalid arg")
    assert not running.call("sendFields", body={"a": "b"}).get("isError")
    assert running.api.seen[0].body == b"a=b"


def test_files_are_sent_as_bytes(running: Running) -> None:
    running.api.answers(200, b"")
    result = running.call(
        "sendFiles", none=None, file=FILE, more=[FILE], about={"x": 1}, title="T", meta=[1, 2]
    )
    assert not result.get("isError"), result
    parts = parts_of(running.api.seen[0])
    assert "none" not in parts
    types = types_of(running.api.seen[0])
    assert (types["file"], types["about"]) == ("image/png", JSON)
    assert (types["meta"], json.loads(parts["meta"])) == (JSON, [1, 2])
    assert parts["file"] == parts["more"] == b"\x00\xff"
    assert json.loads(parts["about"]) == {"x": 1}
    assert parts["title"] == b"T"
    refused = running.call("sendFiles", file="not base64!")["content"][0]["text"]
    assert refused.startswith("Invalid arguments:\n- /file: ")


def test_a_file_keeps_its_name_and_media_type(running: Running) -> None:
    running.api.answers(200, b"")
    more = {"more": [FILE, FILE], "more_filename": ['q"1".csv']}
    result = running.call("sendFiles", file=FILE, filename="me.jpg", title="T", **more)
    assert not result.get("isError"), result
    seen = running.api.seen[0]
    assert "filename" not in parts_of(seen)
    assert types_of(seen)["file"] == "image/jpeg"  # One of two that the document allows.
    assert b'filename="me.jpg"' in seen.body
    assert b'filename="q%221%22.csv"\r\nContent-Type: text/csv' in seen.body
    assert b'filename="more"' in seen.body  # The second has no name.
    running.call("sendFiles", file=FILE, filename="me.exe")
    assert types_of(running.api.seen[1])["file"] == "image/png"


def test_bytes_are_returned_as_an_image_or_a_file(running: Running) -> None:
    running.api.answers(200, b"\x89PNG", "image/png")
    (image,) = running.call("sendBytes", body=FILE)["content"]
    assert running.api.seen[0].body == b"\x00\xff"
    assert (image["type"], image["mimeType"]) == ("image", "image/png")
    assert b64decode(image["data"]) == b"\x89PNG"
    running.api.answers(200, b"%PDF", "application/pdf")
    (file,) = running.call("sendText", body="x")["content"]
    assert file["resource"]["mimeType"] == "application/pdf"
    assert b64decode(file["resource"]["blob"]) == b"%PDF"


@pytest.mark.parametrize(
    ("encoding", "charset"),
    [
        ("utf-8-sig", ""),
        ("utf-16", ""),
        ("utf-16-le", "; charset=utf-16le"),
        ("iso-8859-1", "; charset=ISO-8859-1"),
        ("windows-1252", '; charset="windows-1252"'),
    ],
)
def test_a_response_is_read_in_its_charset(running: Running, encoding: str, charset: str) -> None:
    node = json.dumps({**NODE, "name": "né"}, ensure_ascii=False)
    running.api.answers(200, node.encode(encoding), f"application/json{charset}")
    result = running.call("parts", id="x", ids=[1])
    assert result["structuredContent"]["name"] == "né"
    running.api.answers(200, "né".encode(encoding), f"text/plain{charset}")
    (content,) = running.call("lists")["content"]
    assert content["text"] == "né"


@pytest.mark.parametrize(
    "body", [b"no JSON", b"[" * 100_000, b'{"name": "n"}'], ids=["no JSON", "too deep", "no id"]
)
def test_an_undocumented_response_is_a_clear_error(running: Running, body: bytes) -> None:
    running.api.answers(200, body)
    result = running.call("parts", id="x", ids=[1])
    assert result["isError"]
    text = result["content"][0]["text"]
    assert text.startswith("The API has done what it was asked, so do not repeat the call.")
    assert text.endswith(body.decode())


def test_a_redirect_is_not_followed_and_a_large_response_not_read(running: Running) -> None:
    running.api.answers(302, b"")
    result = running.call("public")
    assert result["content"][0]["text"] == "The API answered with status 302"
    running.api.answers(200, b"x" * (8 * 1024 * 1024 + 1))
    result = running.call("lists")
    assert result["content"][0]["text"] == "The API's response is too large"


@pytest.mark.slow
def test_strict_pyright_accepts_handlers_of_any_kind(
    running: Running, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    project = generate(running.found.path, tmp_path / "project")
    handlers = "src/kinds_of_requests/tools"
    assert errors(pytestconfig.cache.mkdir("pyright"), project.folder, handlers) == {}


def test_the_spec_of_the_example_is_imported(tmp_path: Path) -> None:
    document = Path(__file__).with_name("library.yaml")
    imported(read_source(str(document)), tmp_path / "library.yaml", [], [])
    written = (REPOSITORY / "specs/library.yaml").read_text()
    # What was written by hand since: toolsets, a budget, and what they need.
    written = re.sub(r"toolsets:\n.*?(?=^tools:)", "", written, flags=re.DOTALL | re.MULTILINE)
    written = written.replace("    annotations: {readOnlyHint: false}\n", "")
    written = written.replace("readOnlyHint: false, ", "")
    assert (tmp_path / "library.yaml").read_text() == written
