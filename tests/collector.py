"""A collector of OpenTelemetry on this machine, which keeps all that it is sent."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


@dataclass(frozen=True)
class Collector:
    """What came, as it was sent; spans and data points decoded, with their attributes."""

    url: str
    bodies: list[tuple[str, bytes]] = field(default_factory=list)

    def _received(self, kind: Any, path: str) -> Iterator[tuple[Any, dict[str, str]]]:
        for where, body in self.bodies:
            if where == path:
                message = kind.FromString(body)
                for one in getattr(message, message.DESCRIPTOR.fields[0].name):
                    yield one, attributes(one.resource)

    @property
    def resources(self) -> list[dict[str, str]]:
        """The attributes of the servers that have sent something."""
        spans = self._received(ExportTraceServiceRequest, "/v1/traces")
        points = self._received(ExportMetricsServiceRequest, "/v1/metrics")
        return [about for _, about in (*spans, *points)]

    @property
    def spans(self) -> list[Any]:
        found = self._received(ExportTraceServiceRequest, "/v1/traces")
        return [span for one, _ in found for scope in one.scope_spans for span in scope.spans]

    @property
    def metrics(self) -> list[Any]:
        found = self._received(ExportMetricsServiceRequest, "/v1/metrics")
        return [one for part, _ in found for scope in part.scope_metrics for one in scope.metrics]


def attributes(of: Any) -> dict[str, str]:
    return {one.key: one.value.string_value for one in of.attributes}


@contextmanager
def collecting(hang: threading.Event | None = None) -> Iterator[Collector]:
    """Run a collector until the block ends; with `hang`, it answers only when that is set."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            collector.bodies.append((self.path, body))
            if hang:
                hang.wait(60)
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        collector = Collector(f"http://127.0.0.1:{server.server_port}")
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield collector
        finally:
            if hang:
                hang.set()
            server.shutdown()
