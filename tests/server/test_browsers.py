"""Pages of other sites that call a server: the official client in a real browser."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from queue import Queue
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from tests import npm
from tests.generated import Generated, generate, listening, of_the_sdk, stop
from tests.server.test_apps import CHROMIUM, in_a_browser
from tests.waiting import WITHIN
from tests.web import Call, serving

pytestmark = of_the_sdk

CLIENT, ESBUILD = "2.4.0", "0.28.2"
TOKEN = "correct horse battery staple"
SITE = "http://app.example.org"


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> bytes:
    """The script of the page, with all that it imports."""
    cache, bundle = request.config.cache.mkdir("npm"), tmp_path_factory.mktemp("page") / "page.js"
    client = npm.installed("@modelcontextprotocol/client", CLIENT, "package.json", cache)
    esbuild = npm.installed("esbuild", ESBUILD, "bin/esbuild", cache)
    page = str(Path(__file__).with_name("page.mjs"))
    options = ["--bundle", "--format=esm", "--log-level=warning", f"--outfile={bundle}"]
    command = [str(npm.NODE), str(esbuild), page, *options]
    modules = str(client.parents[2])
    subprocess.run(command, check=True, env={**os.environ, "NODE_PATH": modules}, timeout=WITHIN)
    return bundle.read_bytes()


@pytest.fixture(scope="module")
def greeter(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    """A server that asks for a token; the argument of its tool is also a header (`Mcp-Param-`)."""
    name = {"type": "string", "x-mcp-header": "Name"}
    schema = {"type": "object", "properties": {"name": name}, "required": ["name"]}
    spec = {
        "name": "greeter",
        "version": "1",
        "transports": ["streamable-http"],
        "http": {"allowedOrigins": []},
        "auth": {"bearer": {"env": "GREETER_TOKEN"}},
        "env": [{"name": "GREETER_TOKEN", "secret": True, "required": False}],
        "tools": [{"name": "greet", "description": "Greet.", "inputSchema": schema}],
    }
    handler = "async def greet(arguments, context):\n    return f'Hello, {arguments.name}!'\n"
    handlers, env = {"tools/greet.py": handler}, {"GREETER_TOKEN": TOKEN}
    folder = tmp_path_factory.mktemp("greeter") / "greeter"
    return generate(spec, folder, handlers=handlers, env=env)


def report_of(script: bytes, project: Generated, site: str, folder: Path) -> Any:
    """What a page of a site can do with the server, which lets in pages of `SITE`."""
    answers: Queue[Any] = Queue()

    def answer(call: Call) -> None:
        if call.command == "POST":
            answers.put(json.loads(call.read()))
            call.reply(204)
        elif call.path == "/page.js":
            call.reply(200, script, "text/javascript")
        else:
            call.reply(200, b'<script type="module" src="/page.js"></script>', "text/html")

    log, profile = folder / "log.txt", folder / "profile"
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}"]
    options += ["--host-resolver-rules=MAP * 127.0.0.1", "--remote-debugging-port=0"]
    with serving(answer) as address:
        port = urlsplit(address).port
        given = ("--allowed-origins", f"{SITE}:{port}", "--stateless", "no")
        with listening(project, "streamable-http", log, *given) as server:
            page = f"{site}:{port}/?{urlencode({'url': server.url('/mcp'), 'token': TOKEN})}"
            browser = subprocess.Popen([str(CHROMIUM), *options, page], stderr=subprocess.DEVNULL)
            try:
                return answers.get(timeout=WITHIN)
            finally:
                stop(browser)


@in_a_browser
def test_the_official_client_works_in_pages_of_the_sites_that_are_listed(
    script: bytes, greeter: Generated, tmp_path: Path
) -> None:
    report = report_of(script, greeter, SITE, tmp_path)
    assert report["legacy"] == ["greet", "Hello, Ada!", True]
    assert report["modern"] == ["greet", "Hello, Ada!", False]
    assert report["challenge"].startswith("Bearer")


@in_a_browser
def test_pages_of_other_sites_cannot_call(
    script: bytes, greeter: Generated, tmp_path: Path
) -> None:
    report = report_of(script, greeter, "http://other.example.org", tmp_path)
    assert report["legacy"] == report["challenge"] == "TypeError: Failed to fetch"
    assert "Version negotiation failed" in report["modern"]
