"""What a server with `telemetry` sends to a collector, and writes to its log."""

from __future__ import annotations

import itertools
import json
import signal
import threading
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.collector import attributes, collecting
from tests.generated import Generated, generate, listening, of_the_sdk
from tests.raw_client import LEGACY, MODERN, Message, RawClient, StdioClient, WireCheck
from tests.raw_web_client import HttpClient, SseClient
from tests.waiting import WITHIN, wait_until

pytestmark = of_the_sdk

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
META = {"traceparent": f"00-{TRACE}-{PARENT}-01"}
SECRET = "hunter2"
TOOLS = {
    "repeat": """
import logging


def repeat(arguments, context):
    logging.getLogger("mine").warning("Über %s", arguments.text)
    return arguments.text
""",
    "fail": "async def fail(arguments, context):\n    raise OSError(arguments.text)\n",
    "modules": "import sys\n\n\ndef modules(arguments, context):\n    return ' '.join(sys.modules)\n",
}
PROMPT = """
from observed._generated.contract import ToolError


def greet(arguments, context):
    raise ToolError(f"nobody is called {arguments.text}")
"""
BUCKETS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]
TEXT = {"type": "object", "properties": {"text": {"type": "string"}}}
SPEC = {
    "name": "observed",
    "version": "1.2.3",
    "telemetry": True,
    "capabilities": {"tools": {"listChanged": True}},
    "transports": ["stdio", "streamable-http", "sse"],
    "tools": [
        {"name": name, "description": "Do it.", "inputSchema": TEXT} for name in sorted(TOOLS)
    ],
    "prompts": [{"name": "greet", "arguments": [{"name": "text", "required": True}]}],
}


@pytest.fixture(scope="module")
def observed(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    folder = tmp_path_factory.mktemp("observed") / "project"
    handlers = {f"tools/{name}.py": text for name, text in TOOLS.items()}
    return generate(SPEC, folder, handlers={**handlers, "prompts/greet.py": PROMPT})


def ask(client: RawClient, method: str, **params: Any) -> Message:
    """Send a request as a part of a trace of the client's."""
    meta = {**(client.envelope() if client.version == MODERN else {}), **META}
    number = f"{method} {params}"
    message = {
        "jsonrpc": "2.0",
        "id": number,
        "method": method,
        "params": {**params, "_meta": meta},
    }
    return client.start_message(message, valid=False).result(WITHIN)


def talk(client: RawClient) -> None:
    """Say the secret in each place where a server could repeat it."""
    given = {"text": SECRET}
    assert SECRET in str(ask(client, "tools/call", name="repeat", arguments=given))
    ask(client, "tools/call", name="fail", arguments=given)
    ask(client, "tools/call", name="repeat", arguments={"text": [SECRET]})
    ask(client, "tools/call", name=f"no-{SECRET}", arguments={})
    ask(client, "prompts/get", name="greet", arguments=given)
    ask(client, "tools/call", name="repeat", arguments=SECRET)


@pytest.mark.parametrize(
    ("transport", "version"),
    [
        *itertools.product(["stdio", "streamable-http"], [LEGACY[-1], MODERN]),
        ("sse", LEGACY[-1]),  # which has gone since
    ],
)
def test_spans_and_durations_of_requests_arrive_without_contents(
    observed: Generated, check: WireCheck, tmp_path: Path, transport: str, version: str
) -> None:
    with collecting() as collector:
        env = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, "OTEL_SERVICE_NAME": "ours"}
        env["OTEL_BSP_SCHEDULE_DELAY"] = "60000"
        with ExitStack() as stack:
            client: RawClient
            if transport == "stdio":
                client = StdioClient(observed, version, check, **env)
            else:
                log = tmp_path / "log.txt"
                server = stack.enter_context(listening(observed, transport, log, **env))
                client = (SseClient if transport == "sse" else HttpClient)(server, version, check)
            stack.enter_context(client)
            if (transport, version) == ("stdio", MODERN):  # Older ones listen by themselves.
                client.start("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
                client.unclaimed.get(timeout=WITHIN)
            talk(client)
            assert not collector.bodies  # All of it was sent at the stop.
    about = {"mcp.protocol.version": version, "network.transport": "pipe"}
    if transport != "stdio":
        about |= {"network.transport": "tcp", "network.protocol.name": "http"}
    call = {**about, "mcp.method.name": "tools/call", "gen_ai.operation.name": "execute_tool"}
    repeat = call | {"gen_ai.tool.name": "repeat"}
    refused = {"error.type": "-32602", "rpc.response.status_code": "-32602"}
    prompt = {**about, "mcp.method.name": "prompts/get", "gen_ai.prompt.name": "greet"}
    expected = [
        ("tools/call repeat", repeat),
        ("tools/call fail", call | {"gen_ai.tool.name": "fail", "error.type": "tool_error"}),
        ("tools/call repeat", repeat | {"error.type": "tool_error"}),
        ("tools/call", call | refused),
        ("prompts/get greet", prompt | refused),
        ("tools/call repeat", repeat | refused),
    ]
    spans = [span for span in collector.spans if span.trace_id.hex() == TRACE]
    assert [(span.name, attributes(span)) for span in spans] == expected
    assert {span.parent_span_id.hex() for span in spans} == {PARENT}
    assert all((span.status.code == 2) == ("error.type" in attributes(span)) for span in spans)
    # No other spans: none is of a request that the SDK makes up, or lasts as long as a session.
    others = {span.name for span in collector.spans if span.trace_id.hex() != TRACE}
    assert others == ({"initialize"} if version in LEGACY else set())
    [duration] = collector.metrics
    assert (duration.name, duration.unit) == ("mcp.server.operation.duration", "s")
    points = duration.histogram.data_points
    assert all(list(point.explicit_bounds) == BUCKETS for point in points)
    counted = {frozenset(attributes(point).items()): point.count for point in points}
    assert Counter(frozenset(row.items()) for _, row in expected).items() <= counted.items()
    measured = {attributes(point)["mcp.method.name"] for point in points}
    assert measured == {"tools/call", "prompts/get", *others}
    assert {row["service.name"] for row in collector.resources} == {"ours"}
    assert {row["service.version"] for row in collector.resources} == {"1.2.3"}
    assert SECRET.encode() not in b"".join(body for _, body in collector.bodies)


def test_the_exporter_is_imported_only_if_variables_enable_it(
    observed: Generated, check: WireCheck
) -> None:
    with collecting() as collector:
        for env in ({}, {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url}):
            with StdioClient(observed, MODERN, check, **env) as client:
                loaded = str(client.call("modules"))
            assert ("opentelemetry.sdk" in loaded) == bool(env)


@pytest.mark.parametrize(
    ("env", "paths", "warning"),
    [
        ({"OTEL_SDK_DISABLED": "true"}, set(), ""),
        ({"OTEL_TRACES_EXPORTER": "none"}, {"/v1/metrics"}, ""),
        ({"OTEL_METRICS_EXPORTER": "none"}, {"/v1/traces"}, ""),
        ({"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, set(), "_PROTOCOL must be http/protobuf"),
        ({"OTEL_METRIC_EXPORT_INTERVAL": "0"}, set(), "interval value 0.0 is invalid"),
        ({"PYTHONPATH": "missing"}, set(), "install observed[telemetry]"),
    ],
)  # fmt: skip
def test_an_export_problem_is_reported_and_the_server_works(
    observed: Generated, check: WireCheck, tmp_path: Path, env: dict[str, str],
    paths: set[str], warning: str,
) -> None:  # fmt: skip
    project = observed
    if "PYTHONPATH" in env:  # As where the extra is not installed.
        project = observed.anew()
        (tmp_path / "sitecustomize.py").write_text(
            "import sys\nsys.modules['opentelemetry.sdk'] = None\n"
        )
        env = {"PYTHONPATH": f"{tmp_path}:{observed.folder / 'src'}"}
    with collecting() as collector:
        endpoint = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url}
        with StdioClient(project, MODERN, check, **endpoint, **env) as client:
            assert SECRET in str(client.call("repeat", text=SECRET))
        warnings = [line for line in client.log.splitlines() if "telemetry" in line]
    assert {path for path, _ in collector.bodies} == paths
    assert len(warnings) == bool(warning)
    assert warning in "".join(warnings)
    assert "Traceback" not in client.log


def test_a_collector_that_hangs_delays_neither_calls_nor_the_stop(
    observed: Generated, check: WireCheck
) -> None:
    """The server has a second and a half for the rest; then it ends, as without a collector."""
    released = threading.Event()
    with collecting(released) as collector:
        often = {"OTEL_BSP_SCHEDULE_DELAY": "10", "OTEL_METRIC_EXPORT_INTERVAL": "10"}
        env = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, **often}
        env["OTEL_EXPORTER_OTLP_TIMEOUT"] = "600"  # as long as whoever waited for it would take
        with StdioClient(observed, MODERN, check, **env) as client:
            client.call("repeat", text="first")
            wait_until(lambda: collector.bodies)
            for _ in range(50):
                client.call("repeat", text="again")
            begun = time.monotonic()
            client.process.send_signal(signal.SIGTERM)
            assert client.process.wait(WITHIN) == 0
            assert time.monotonic() - begun > 1.4
    assert "has not taken the last spans and metrics" in client.log


@pytest.mark.parametrize("is_sent", [False, True])
def test_each_line_of_the_log_is_json_with_its_trace(
    observed: Generated, check: WireCheck, is_sent: bool
) -> None:
    """The span is that which is sent, or that of the client."""
    with collecting() as collector:
        env = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url} if is_sent else {}
        with StdioClient(observed, MODERN, check, "--log-format", "json", **env) as client:
            ask(client, "tools/call", name="repeat", arguments={"text": SECRET})
            ask(client, "tools/call", name="fail", arguments={"text": SECRET})
    mine, failed = map(json.loads, client.log.splitlines())
    spans = [span.span_id.hex() for span in collector.spans] or [PARENT, PARENT]
    assert mine.pop("time").endswith("+00:00")
    ids = {"trace_id": TRACE, "span_id": spans[0]}
    assert mine == {"level": "warning", "logger": "mine", "message": f"Über {SECRET}", **ids}
    assert failed["exception"].startswith("Traceback")
    assert failed["exception"].endswith(f"OSError: {SECRET}")
    assert (failed["trace_id"], failed["span_id"]) == (TRACE, spans[1])


def test_the_image_contains_the_exporter(observed: Generated) -> None:
    dockerfile = (observed.folder / "Dockerfile").read_text()
    assert dockerfile.count("uv sync --locked --no-dev --extra telemetry ") == 2
