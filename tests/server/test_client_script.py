"""`client.py` of a project, run as its users run it."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path
from threading import Thread

import pytest
import yaml

from tests.generated import PACK, Generated, WebServer, free_port, generate, importable, listening
from tests.server.conftest import SPEC, TRANSPORTS

TOKEN = "open sesame"


def to(transport: str, web: Callable[[str], WebServer]) -> list[str]:
    """The options that lead to a transport's server."""
    if transport == "stdio":
        return []
    return ["--url", web(transport).url("/sse" if transport == "sse" else "/mcp")]


@pytest.mark.parametrize("era", [[], ["--legacy"]], ids=["modern", "legacy"])
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_the_script_succeeds_if_all_handlers_are_written(
    workshop: Generated, web: Callable[[str], WebServer], transport: str, era: list[str]
) -> None:
    ran = workshop.script(*to(transport, web), *era)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "FAIL" not in ran.stdout
    assert "todo" not in ran.stdout
    assert f"speaks {'2025-11-25' if era else '2026-07-28'}" in ran.stdout
    for tool in SPEC["tools"]:
        assert tool["name"] in ran.stdout
    if transport == "stdio":  # On a running server, examples that may write need `--real`.
        assert "ok   greet, a friend: Hello, Ada!" in ran.stdout
    assert "ok   an unknown method is refused" in ran.stdout


ECHO = """
name: typed
version: "1"
env: [{name: TYPED_KEY, description: Is set in .env.}]
tools:
  - name: echo
    description: Send back what came.
    inputSchema:
      type: object
      $defs: {code: {type: string}}
      properties:
        text: {type: string}
        code: {$ref: "#/$defs/code"}
        day: {type: integer}
        tags: {type: array, items: {type: string}}
"""


@pytest.fixture(scope="module")
def echo(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    folder = tmp_path_factory.mktemp("echo")
    (folder / "spec.yaml").write_text(ECHO)
    made = generate(folder / "spec.yaml", folder / "typed")
    (made.folder / "src/typed/tools/echo.py").write_text(
        "import json, os\n\nfrom typed._generated.contract import Context, EchoArguments\n\n\n"
        "def echo(arguments: EchoArguments, context: Context) -> str:\n"
        "    sent = arguments.model_dump(exclude_unset=True)\n"
        "    return json.dumps({**sent, 'key': os.environ['TYPED_KEY']})\n"
    )
    return made


def test_arguments_are_words_that_the_schema_types(echo: Generated) -> None:
    ran = echo.script("call", "echo", "text=14", "code=007", "day=14", "tags=1", "tags=b")
    sent = {"text": "14", "code": "007", "day": 14, "tags": ["1", "b"]}
    assert json.loads(ran.stdout) == {**sent, "key": "made-up"}, ran.stderr


def test_a_call_without_a_variable_that_is_needed_ends_in_one_line(echo: Generated) -> None:
    ran = echo.script("call", "echo", "--real", TYPED_KEY="")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.splitlines()[-1].endswith("TYPED_KEY is not set")
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize("words", [["--real", "call", "echo"], ["call", "echo", "--real"]])
def test_with_real_the_variables_of_the_environment_are_used(
    echo: Generated, words: list[str]
) -> None:
    assert json.loads(echo.script(*words, TYPED_KEY="real").stdout)["key"] == "real"


BEHIND = """
name: front
version: "1"
env:
  - {name: FRONT_API, description: Where the stock is.}
  - {name: FRONT_KEY, description: Key of the stock., secret: true, type: url}
api: {url: {env: FRONT_API}}
upstream: {url: "%(url)s/mcp"}
errors: [{name: Down, message: "{reason}"}]
tools:
  - &tool
    name: clear
    description: Clear the stock.
    inputSchema: {type: object}
    errors: [Down]
    handler: {http: {method: DELETE, path: /stock}}
    examples:
      - {name: all of it, arguments: {}}
      - {name: nobody there, arguments: {}, error: {Down: {reason: …}}}
  - {<<: *tool, name: pass_on, handler: {proxy: {}}}
"""


@pytest.mark.skipif(PACK != "python", reason="the pack has no upstream")
def test_the_script_contacts_an_api_or_upstream_server_only_on_request(tmp_path: Path) -> None:
    reached: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            reached.append(self.path)
            self.send_error(500)

        def do_DELETE(self) -> None:
            self.do_POST()

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        (tmp_path / "spec.yaml").write_text(BEHIND % {"url": url})
        project = generate(tmp_path / "spec.yaml", tmp_path / "front")
        real = {"FRONT_API": url, "FRONT_KEY": url}
        ran = project.script(**real)
        assert ran.returncode == 0, ran
        for tool in ("clear", "pass_on"):
            for example in ("all of it", "nobody there"):  # Its error proves nothing.
                assert f"skip {tool}, {example} - it needs an address that is" in ran.stdout
            ran_once = project.script("call", tool, **real)
            assert ran_once.returncode == 1
            assert "made up: FRONT_API, FRONT_KEY, FRONT_UPSTREAM; --real" in ran_once.stderr
        assert not reached
        elsewhere = {**real, "STAND_IN_FRONT_UPSTREAM": f"{url}/instead"}
        project.script("call", "pass_on", **elsewhere)
        assert reached[0] == "/instead"
        project.script("--real", **real)
        assert {"/stock", "/mcp"} <= {*reached}
        server.shutdown()


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_one_call_is_made_and_its_result_printed(
    workshop: Generated, web: Callable[[str], WebServer], transport: str
) -> None:
    ran = workshop.script(*to(transport, web), "call", "greet", '{"name": "Grace"}')
    assert (ran.returncode, ran.stdout) == (0, "Hello, Grace!\n")


@pytest.mark.parametrize(
    ("arguments", "code", "output"),
    [
        (["call", "greet", "{}"], 1, "Invalid arguments"),
        (["call", "no_such_tool", "{}"], 2, "there is no tool `no_such_tool`; there are greet, "),
        (["call", "greet", "{name: Ada}"], 2, "neither NAME=VALUE nor a JSON object"),
        (["greet", "name=Ada"], 2, "write `call TOOL NAME=VALUE`"),
        (["call"], 2, "write `call TOOL NAME=VALUE`"),
        (["call", "greet"], 1, "Invalid arguments"),
        (["call", "greet", "name"], 2, "name is neither NAME=VALUE nor a JSON object"),
        (["--url", f"http://127.0.0.1:{free_port()}/mcp"], 1, "FAIL"),
    ],
    ids=[
        "bad arguments",
        "unknown tool",
        "no JSON",
        "no call",
        "no tool",
        "nothing",
        "no value",
        "nobody there",
    ],
)
def test_errors_are_printed_without_a_traceback(
    workshop: Generated, arguments: list[str], code: int, output: str
) -> None:
    ran = workshop.script(*arguments)
    assert ran.returncode == code, ran
    assert output in ran.stdout + ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize("transport", ["streamable-http", "sse"])
def test_the_token_is_taken_from_the_environment(
    workshop: Generated, tmp_path: Path, transport: str
) -> None:
    log = tmp_path / "log.txt"
    with listening(workshop, transport, log, WORKSHOP_TOKEN=TOKEN) as server:
        options = to(transport, lambda _: server)
        right = workshop.script(*options, WORKSHOP_TOKEN=TOKEN)
        assert right.returncode == 0, right.stdout + right.stderr
        wrong = workshop.script(*options, WORKSHOP_TOKEN="open barley")
        assert wrong.returncode == 1
        *why, last = wrong.stderr.splitlines()
        assert last.startswith(f"FAIL {options[1]}: ")
        if transport == "streamable-http":
            assert why[0].startswith("refused: 401 Bearer ")
            assert why[1] == "WORKSHOP_TOKEN must have the server's token"
        assert "Traceback" not in wrong.stderr


ASK = {
    "name": "ask",
    "description": "Ask.",
    "inputSchema": {"type": "object", "properties": {"in_vain": {"type": "boolean"}}},
    "examples": [
        {
            "name": "answered",
            "answers": {"elicitation": [{"day": "Monday"}, "cancel"], "sampling": ["A title"]},
        },
        {"name": "too few", "answers": {"elicitation": [{"day": "Friday"}]}},
        {"name": "in vain", "arguments": {"in_vain": True}, "isError": True},
    ],
}
ASKING = """
from pydantic import BaseModel


class Day(BaseModel):
    day: str


async def ask(arguments, context):
    if arguments.in_vain:
        raise ValueError
    first = await context.elicit("From?", Day, name="first")
    last = await context.elicit("To?", Day, name="last")
    return f"{first!r} {last} {await context.sample('A title, please')}"
"""


def test_an_example_answers_the_questions_of_its_tool_and_must_succeed(tmp_path: Path) -> None:
    asks: dict[str, object] = {"elicitation": {}, "sampling": {}}
    spec = {"name": "asking", "version": "1", "tools": [ASK], "clientCapabilities": asks}
    ran = generate(spec, tmp_path / "asking", handlers={"tools/ask.py": ASKING}).script()
    assert ran.returncode == 1
    lines = [line for line in ran.stdout.splitlines() if " ask, " in line]
    assert [line[:4] for line in lines] == ["ok  ", "FAIL", "FAIL"]
    assert 'got: the error "' in ran.stdout
    assert "The example has no text left" in ran.stdout
    assert "it failed inside" in lines[2]


def test_a_server_that_does_not_start_is_reported(tmp_path: Path) -> None:
    spec = {
        "name": "broken",
        "version": "1",
        "prompts": [{"name": "hello"}],
        "env": [{"name": "BROKEN_NEED"}],
    }
    ran = generate(spec, tmp_path / "broken").script("--real")
    assert ran.returncode == 1
    assert "BROKEN_NEED is not set" in ran.stderr


WORDS = yaml.safe_load(Path(__file__).with_name("words.yaml").read_text("utf-8"))


def test_words_of_a_call_get_the_types_of_the_schema(tmp_path: Path) -> None:
    properties, definitions = WORDS["properties"], {"Level": {"enum": ["1", "2"]}}
    schema = {"type": "object", "properties": properties, "$defs": definitions}
    tool = {"name": "take", "description": "Take.", "inputSchema": schema}
    project = generate({"name": "typing", "version": "1", "tools": [tool]}, tmp_path / "typing")
    with importable(project.folder / "src", project.package):
        client = import_module(f"{project.package}._generated.client")
        for words, expected in WORDS["words"]:
            options = Namespace(tool="take", values=words)
            assert client.arguments_in(ArgumentParser(), options) == expected
