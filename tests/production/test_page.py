"""The files of docs/production.md, with processes on loopback for the containers."""

from __future__ import annotations

import json
import shlex
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from tests.collector import Collector, collecting
from tests.generated import WebServer, generate, listening, of_the_sdk
from tests.issuer import Issuer
from tests.production.conftest import HANDLERS, KEYS, OPEN, PAGE, RedisServer, block, program, proxy
from tests.raw_client import LEGACY, MODERN, WireCheck
from tests.raw_web_client import HttpClient
from tests.waiting import WITHIN, wait_until

pytestmark = of_the_sdk

HOST = "mcp.example.org"
PUBLIC = f"https://{HOST}/mcp"


@dataclass(frozen=True)
class Site:
    """What runs: two replicas, the proxy's address as that of a server, and what they talk to."""

    folder: Path
    replicas: list[WebServer]
    proxy: WebServer
    issuer: Issuer
    collector: Collector

    def headers(self, scope: str = "weather:read") -> dict[str, str]:
        return {"Host": HOST, "Authorization": f"Bearer {self.issuer.token(PUBLIC, scope=scope)}"}


@contextmanager
def site(folder: Path, redis: RedisServer) -> Iterator[Site]:
    """Run what the page describes; only addresses differ, and what people would have filled in."""
    services = yaml.safe_load(block("compose.yaml"))["services"]
    assert (services["a"], services["redis"]["command"]) == (
        services["b"],
        'redis-server --save ""',
    )
    with ExitStack() as stack:
        issuer, collector = stack.enter_context(Issuer()), stack.enter_context(collecting())
        spec = yaml.safe_load(block("part of mcp.yaml"))
        spec["auth"]["oauth"]["issuer"] = issuer.url
        tools = [
            {"name": name, "description": "Serve.", "inputSchema": OPEN} for name in ("wait", "ask")
        ]
        more = {
            "version": "1",
            "tools": tools,
            "clientCapabilities": {"elicitation": {}},
            "capabilities": {"tools": {"listChanged": True}},
        }
        handlers = {
            f"tools/{tool['name']}.py": HANDLERS[f"tools/{tool['name']}.py"] for tool in tools
        }
        project = generate({"name": "weather", **spec, **more}, folder / "it", handlers=handlers)
        filled_in = {
            "redis://redis:6379/0": redis.url,
            "${STATE_KEYS:?make one with openssl rand -hex 32}": KEYS,
            "${OTEL_EXPORTER_OTLP_ENDPOINT:-}": collector.url,
        }
        env = services["a"]["environment"]
        env = {name: filled_in.get(text, text) for name, text in env.items()}
        assert env["PUBLIC_URL"] == PUBLIC
        command = shlex.split(services["a"]["command"])
        servers = [
            stack.enter_context(
                listening(project, "streamable-http", folder / f"{name}.txt", *command, **env)
            )
            for name in "ab"
        ]
        port = stack.enter_context(proxy(folder, [server.port for server in servers]))
        yield Site(project.folder, servers, replace(servers[0], port=port), issuer, collector)


def test_the_files_of_the_page_combine_two_replicas_into_one_server(
    redis: RedisServer, check: WireCheck, tmp_path: Path
) -> None:
    assert len(PAGE.splitlines()) <= 180
    program("haproxy")
    with site(tmp_path, redis) as it:
        status, headers, _ = it.proxy.request("POST", "/mcp", {"Host": HOST})
        path = "/.well-known/oauth-protected-resource/mcp"
        assert status == 401
        assert f'resource_metadata="https://{HOST}{path}"' in headers["WWW-Authenticate"]
        described = json.loads(it.proxy.request("GET", path, {"Host": HOST})[2])
        assert (described["resource"], described["authorization_servers"]) == (
            PUBLIC,
            [it.issuer.url],
        )
        assert it.proxy.request("POST", "/mcp", it.headers(scope="other"))[0] == 403
        for version in (LEGACY[-1], MODERN):
            with HttpClient(it.proxy, version, check, it.headers()) as client:
                texts = [client.call("wait")["result"]["content"][0]["text"] for _ in range(10)]
                assert texts == ["waited"] * 10
        # A stop of one replica during a call.
        with HttpClient(it.proxy, MODERN, check, it.headers()) as client:
            begun = it.folder / "begun"
            already = len(begun.read_text())
            calls = [client.start_call("wait", seconds=5) for _ in range(4)]
            wait_until(lambda: len(begun.read_text()) == already + 4)
            assert not any(call.done() for call in calls)
            it.replicas[0].process.send_signal(signal.SIGTERM)
            assert all("result" in call.result(timeout=WITHIN) for call in calls)
            assert it.replicas[0].process.wait(timeout=WITHIN) == 0
            assert "result" in client.call("wait")
    sent = it.collector.resources
    assert len({each["service.instance.id"] for each in sent}) == 2
    assert {each["service.name"] for each in sent} == {"weather"}
    for server in it.replicas:
        for line in server.log.read_text().splitlines():
            assert json.loads(line)["level"] != "error"
