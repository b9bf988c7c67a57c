"""A collector of OpenTelemetry on this machine, which keeps all that it is sent."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.web import Call, serving


@dataclass(frozen=True)
class Collector:
    """What came, as it was sent; spans and data points decoded, with their attributes."""

    url: str
    bodies: list[tuple[str, bytes]]

    def _parts(self) -> Iterator[Any]:
        """Yield what each server has sent: its resource, and its spans or metrics."""
        for path, body in self.bodies:
            if path == "/v1/traces":
                yield from ExportTraceServiceRequest.FromString(body).resource_spans
            else:
                yield from ExportMetricsServiceRequest.FromString(body).resource_metrics

    @property
    def resources(self) -> list[dict[str, str]]:
        return [attributes(part.resource) for part in self._parts()]

    @property
    def spans(self) -> list[Any]:
        scopes = (scoped for part in self._parts() for scoped in getattr(part, "scope_spans", ()))
        return [span for scope in scopes for span in scope.spans]

    @property
    def metrics(self) -> list[Any]:
        scopes = (scoped for part in self._parts() for scoped in getattr(part, "scope_metrics", ()))
        return [metric for scope in scopes for metric in scope.metrics]


def attributes(of: Any) -> dict[str, str]:
    return {pair.key: pair.value.string_value for pair in of.attributes}


@contextmanager
def collecting(hang: threading.Event | None = None) -> Iterator[Collector]:
    """Run a collector until the block ends; with `hang`, it answers only when that is set."""
    bodies: list[tuple[str, bytes]] = []

    def take(call: Call) -> None:
        bodies.append((call.path, call.read()))
        if hang:
            hang.wait()
        call.reply(200)

    with serving(take) as url:
        try:
            yield Collector(url, bodies)
        finally:
            if hang:
                hang.set()
