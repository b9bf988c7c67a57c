"""A server in front of another one answers each request as the other does, or says why it cannot."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from scaffold.base.diagnostics import ScaffoldError
from scaffold.commands.importing import imported
from scaffold.sources.read import read_command
from scaffold.sources.source import Source
from scaffold.sources.upstream import program, proxied
from tests.generated import Generated, free_port, generate, listening
from tests.raw_client import LEGACY, MODERN, Message, StdioClient, WireCheck
from tests.waiting import WITHIN, wait_until

pytestmark = pytest.mark.usefixtures("starts_programs")

BEHIND = Path(__file__).with_name("behind.py")
LOST = "The connection to the upstream server was lost, try again"


@dataclass(frozen=True)
class Pair:
    """A server in front of `behind.py`, and what that notes."""

    client: StdioClient
    notes: Path
    version: str

    def call(self, **arguments: Any) -> Message:
        return self.client.call("do", **arguments)

    def text(self, **arguments: Any) -> str:
        result = self.call(**arguments)["result"]
        assert result["isError"]
        return str(result["content"][0]["text"])

    @property
    def starts(self) -> list[str]:
        lines = self.notes.read_text().splitlines()
        return [line for line in lines if line.startswith("started")]

    def noted(self, method: str) -> list[Message]:
        lines = self.notes.read_text().splitlines()
        messages = [json.loads(line) for line in lines if line.startswith("{")]
        return [message for message in messages if message.get("method") == method]


def in_front_of(source: Source, folder: Path, *env: str) -> Generated:
    """Import a server with `--proxy`, and generate the project."""
    result = imported(source, folder / "front.yaml", (), (), True, env)
    assert result.left_out == ()
    return generate(result.path, folder / "front")


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> tuple[Generated, Path]:
    folder = tmp_path_factory.mktemp("proxy")
    notes = folder / "notes"
    source = read_command([sys.executable, str(BEHIND), str(notes)])
    return in_front_of(source, folder, "TOKEN"), notes


@pytest.fixture(params=[LEGACY[-1], MODERN])
def pair(
    request: pytest.FixtureRequest, behind: tuple[Generated, Path], check: WireCheck
) -> Generator[Pair]:
    project, notes = behind
    notes.write_text("")
    with StdioClient(project, request.param, check, TOKEN="secret") as client:
        yield Pair(client, notes, request.param)
    assert client.faults == []


ARGUMENTS: list[dict[str, Any]] = [
    {},
    {"none": None, "deep": [{"none": None}], "": ""},
    {"real": 5.0, "large": 2**60, "small": 1e-7, "when": "2026-01-02T03:04:05.123456789Z"},
    {"text": "ü\u2028\x00\\", "list": [[], {}, False, 0]},
]


def test_arguments_are_passed_on_unchanged(pair: Pair) -> None:
    for arguments in ARGUMENTS:
        received = json.loads(pair.call(**arguments)["result"]["content"][0]["text"])
        assert json.dumps(received, sort_keys=True) == json.dumps(arguments, sort_keys=True)


def test_a_result_is_passed_on_unchanged(pair: Pair) -> None:
    result = pair.call(how="rich")["result"]
    assert result["content"] == [{"type": "text", "text": "x", "_meta": {"a/b": 1}}]
    deep = {"none": None, "real": 5.0, "deep": [{"": [None]}]}
    assert result["structuredContent"] == deep
    assert result["isError"]
    ours = "io.modelcontextprotocol/serverInfo"
    assert {k: v for k, v in result["_meta"].items() if k != ours} == {"mine.org/key": {"n": 2}}
    # A number with a fraction is the nearest double, and an integer is exact.
    result = pair.call(how="numbers")["result"]
    assert result["structuredContent"] == {"numbers": [2**53 + 2.0, 0.1, 2**53 + 1, 10**30]}


def test_resources_prompts_and_completions_are_passed_on(pair: Pair) -> None:
    resource = pair.client.request("resources/read", {"uri": "it://one"})["result"]
    assert resource["contents"] == [{"uri": "it://one", "text": "it", "_meta": {"a/b": 1}}]
    assert resource["_meta"]["a/b"] == 2
    two = pair.client.request("resources/read", {"uri": "it://a%2Fb"})["result"]
    assert two["contents"][0]["uri"] == "it://a%2Fb"
    asked = {"name": "ask", "arguments": {"about": "x"}}
    prompt = pair.client.request("prompts/get", asked)["result"]
    assert json.loads(prompt["messages"][0]["content"]["text"])["arguments"] == {"about": "x"}
    assert prompt["description"] == "It."
    argument = {"name": "about", "value": "val"}
    ref = {"ref": {"type": "ref/prompt", "name": "ask"}, "argument": argument}
    completion = pair.client.request("completion/complete", ref)["result"]
    assert completion["completion"]["values"] == ["val"]


def test_errors_of_the_caller_are_passed_on(pair: Pair) -> None:
    for how, code in {"invalid": -32602, "unknown": -32601}.items():
        assert pair.call(how=how)["error"] == {"code": code, "message": f"secret of {how}"}


def test_other_errors_are_masked_and_logged(pair: Pair) -> None:
    """None of them ends the session."""
    for how in ("internal", "own"):
        assert pair.text(how=how) == "The upstream server has failed"
    assert pair.text(how="wrong") == "The upstream server's answer cannot be read"
    assert "error" not in pair.call()
    assert len(pair.starts) == 1
    wait_until(lambda: all(f"secret of {how}" in pair.client.log for how in ("internal", "own")))


@pytest.mark.parametrize("how", ["generic", "request"])
def test_an_error_for_one_caller_does_not_affect_others(pair: Pair, how: str) -> None:
    """Also with the codes that the client has for a lost connection."""
    held = pair.client.start("tools/call", {"name": "do", "arguments": {"how": "hold"}})
    wait_until(lambda: bool(pair.noted("tools/call")))
    assert pair.text(how=how) == "The upstream server has failed"
    pair.call(how="release")
    assert held.result(timeout=WITHIN)["result"]["content"][0]["text"] == '"released"'
    assert len(pair.starts) == 1


def test_a_server_that_ends_is_started_again(pair: Pair) -> None:
    assert pair.text(how="end") == LOST
    assert "error" not in pair.call()
    assert len(pair.starts) == 2


def test_progress_is_passed_on(pair: Pair) -> None:
    arguments = {"name": "do", "arguments": {"how": "progress"}}
    envelope = pair.client.envelope() if pair.version == MODERN else {}
    params: dict[str, Any] = {**arguments, "_meta": {**envelope, "progressToken": 7}}
    message = {"jsonrpc": "2.0", "id": "mine", "method": "tools/call", "params": params}
    pair.client.start_message(message).result(timeout=WITHIN)
    reports = [pair.client.unclaimed.get(timeout=WITHIN)["params"] for _ in range(2)]
    assert [(report["progress"], report["total"], report["message"]) for report in reports] == [
        (1, 2, "1."),
        (2, 2, "2."),
    ]
    assert {report["progressToken"] for report in reports} == {7}


def test_cancellation_is_passed_on(pair: Pair) -> None:
    pair.call()
    future = pair.client.start("tools/call", {"name": "do", "arguments": {"how": "silent"}})
    wait_until(lambda: len(pair.noted("tools/call")) == 2)
    id_ = next(key for key, (_, pending) in pair.client._pending.items() if pending is future)
    pair.client.notify("notifications/cancelled", {"requestId": id_})
    wait_until(lambda: bool(pair.noted("notifications/cancelled")))
    (call,) = pair.noted("notifications/cancelled")
    assert call["params"]["requestId"] == pair.noted("tools/call")[1]["id"]


def test_a_call_that_times_out_is_also_cancelled_upstream(
    behind: tuple[Generated, Path], check: WireCheck
) -> None:
    project, notes = behind
    notes.write_text("")
    limit = {f"{project.package.upper()}_CALL_TIME": "2"}
    with StdioClient(project, LEGACY[-1], check, TOKEN="x", **limit) as client:
        wait_until(
            lambda: not client.call("do")["result"].get("isError")
        )  # the start may take longer
        result = client.call("do", how="silent")["result"]
        assert result["content"][0]["text"] == "The call took longer than 2 seconds"
        pair = Pair(client, notes, LEGACY[-1])
        wait_until(lambda: bool(pair.noted("notifications/cancelled")))
        assert "error" not in pair.call()


def test_a_server_that_cannot_be_started_is_a_clear_error(tmp_path: Path, check: WireCheck) -> None:
    spec = {
        "name": "front",
        "version": "1.0",
        "upstream": {"command": "no-such-program"},
        "tools": [{"name": "do", "inputSchema": {"type": "object"}, "handler": {"proxy": {}}}],
    }
    project = generate(spec, tmp_path / "front")
    with StdioClient(project, LEGACY[-1], check) as client:
        result = client.call("do")["result"]
        assert result["content"][0]["text"] == "The upstream server cannot be reached"
        wait_until(lambda: "FileNotFoundError" in client.log)


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ("--token=hush", "`--token`"),
        ("--apiKey hush", "`--apiKey`"),
        ("-e FOO_TOKEN=hush", "`FOO_TOKEN`"),
        ("env SECRET_KEY=hush server", "`SECRET_KEY`"),
        ("-H 'Authorization: Bearer hush'", "`Authorization`"),
        ("sh -c 'TOKEN=hush server'", "`TOKEN`"),
        ("--url https://host/mcp?api_key=hush", "`api_key`"),
        ("postgres://user:hush@host/db", "`postgres://user:`"),
    ],
)
def test_a_secret_in_the_command_is_refused(words: str, what: str) -> None:
    with pytest.raises(ScaffoldError) as caught:
        proxied(started_by(words))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.message == f"the value of {what} would be written to the spec"
    assert "--env NAME" in (diagnostic.hint or "")
    assert "hush" not in str(diagnostic)


@pytest.mark.parametrize(
    ("url", "written"),
    [
        ("https://host/mcp?a=b&apiKey=hush#x", "https://host/mcp?a=b&apiKey=${API_KEY}#x"),
        ("https://host/mcp?api%5Fkey=hush", "https://host/mcp?api%5Fkey=${API_KEY}"),
        ("https://me:hush@host/mcp", "https://me:${PASSWORD}@host/mcp"),
    ],
)
def test_a_secret_in_a_url_is_refused(url: str, written: str) -> None:
    with pytest.raises(ScaffoldError) as caught:
        proxied(Source("test", {"tools": []}, {}, upstream={"url": url}))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.message == "a secret in the URL would be written to the spec"
    assert f"write `'{written}'`, in single quotes" in (diagnostic.hint or "")
    assert "hush" not in str(diagnostic)
    source = proxied(Source("test", {"tools": []}, {}, upstream={"url": written}))
    assert source.spec["upstream"] == {"url": written}


@pytest.mark.parametrize(
    "words",
    [
        "--max-tokens 100 --tokenizer x --author me --keyboard de",
        "--token '${TOKEN}' -H 'Authorization: Bearer ${TOKEN}' --api-key=${KEY}",
        "--token-file /none --key /etc/passwd https://host/mcp?page=1",
        "--token --verbose postgres://user:${PASSWORD}@host/db",
    ],
)
def test_other_values_in_the_command_are_kept(words: str) -> None:
    assert proxied(started_by(words)).spec["upstream"]["args"] == shlex.split(words)


def started_by(words: str) -> Source:
    return Source("test", {"tools": []}, {}, upstream=program(["server", *shlex.split(words)]))


def test_a_variable_in_the_command_is_replaced_when_it_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTES", str(tmp_path / "notes"))
    source = read_command([sys.executable, str(BEHIND), "${NOTES}"])
    assert (tmp_path / "notes").exists()
    assert proxied(source).spec["env"] == [{"name": "NOTES", "secret": True}]


def test_a_secret_in_the_entry_of_a_client_must_be_replaced_there() -> None:
    entry = program(["server", "--token", "hush"])
    with pytest.raises(ScaffoldError) as caught:
        proxied(Source("client:x/y", {"tools": []}, {}, upstream=entry))
    assert caught.value.diagnostics[0].hint == "write `${NAME}` in its place, in the client's file"


def test_a_variable_that_loads_code_is_left_out_of_the_entry_of_a_client() -> None:
    entry = program(["server"], ["PATH", "TOKEN", "NODE_OPTIONS"])
    source = proxied(Source("client:x/y", {"tools": []}, {}, upstream=entry))
    assert source.spec["upstream"]["env"] == {"TOKEN": "${TOKEN}"}
    (note,) = source.notes
    assert "`PATH` and `NODE_OPTIONS`" in note


def test_a_tool_can_have_another_name_upstream(tmp_path: Path, check: WireCheck) -> None:
    tool = {"name": "perform", "inputSchema": {"type": "object"}}
    spec = {
        "name": "front",
        "version": "1.0",
        "upstream": {"command": sys.executable, "args": [str(BEHIND)]},
        "tools": [{**tool, "handler": {"proxy": {"name": "do"}}}],
    }
    with StdioClient(generate(spec, tmp_path / "front"), MODERN, check) as client:
        assert client.call("perform", a=1)["result"]["content"][0]["text"] == '{"a": 1}'


@pytest.mark.parametrize(("transport", "path"), [("streamable-http", "/mcp"), ("sse", "/sse")])
def test_a_server_over_http_is_reached_with_the_headers_of_the_spec(
    transport: str, path: str, tmp_path: Path, check: WireCheck
) -> None:
    """A server in front of one that is itself in front of another."""
    tool = {"name": "do", "inputSchema": {"type": "object"}, "handler": {"proxy": {}}}
    spec: dict[str, Any] = {"name": "middle", "version": "1.0", "tools": [tool]}
    spec["upstream"] = {"command": sys.executable, "args": [str(BEHIND)]}
    spec |= {"transports": [transport], "env": [{"name": "SECRET", "secret": True}]}
    middle = generate({**spec, "auth": {"bearer": {"env": "SECRET"}}}, tmp_path / "middle")
    port = free_port()
    spec["upstream"] = {
        "url": f"http://127.0.0.1:{port}{path}?key=${{SECRET}}",
        "transport": transport,
        "headers": {"Authorization": "Bearer ${SECRET}"},
    }
    spec |= {"name": "front", "transports": ["stdio"]}
    front = generate(spec, tmp_path / "front")

    def text(client: StdioClient, **arguments: Any) -> str:
        return str(client.call("do", **arguments)["result"]["content"][0]["text"])

    with StdioClient(front, MODERN, check, SECRET="right") as client:
        assert text(client, a=1) == "The upstream server cannot be reached"
        with listening(middle, transport, tmp_path / "log", port=str(port), SECRET="right"):
            assert text(client, a=None) == '{"a": null}'
            result = client.call("do", how="rich")["result"]
            assert result["structuredContent"]["none"] is None
            assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "front"
            if transport != "sse":  # there, the SDK's client reads no event of this size
                assert len(text(client, how="large")) > 3_000_000
            with StdioClient(front, LEGACY[-1], check, SECRET="wrong") as other:
                assert text(other) == "The upstream server cannot be reached"
        with listening(middle, transport, tmp_path / "log", port=str(port), SECRET="right"):
            answers = [text(client, a=2) for _ in range(2)]
            assert answers[1] == '{"a": 2}'
        assert "right" not in client.log
