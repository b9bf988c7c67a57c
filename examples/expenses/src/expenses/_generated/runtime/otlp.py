"""A span and a duration for each request, sent to a collector by OTLP over HTTP.

Names and buckets are those of OpenTelemetry's conventions for MCP. Arguments, results and
texts of errors are never sent. Imported only where variables name a collector.
"""

import logging
import os
import threading
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from typing import Any

from mcp.server import Server
from mcp.server.context import CallNext, HandlerResult
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolResult
from mcp_types.methods import SPEC_CLIENT_METHODS
from opentelemetry import context, metrics, propagate, trace
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import MetricReader, PeriodicExportingMetricReader
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from pydantic import ValidationError

from .catalog import Catalog
from .handlers import Request

logger = logging.getLogger(__name__)

BUCKETS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300)
# Seconds at a stop to send what is left: clients wait for two before they kill a server.
FLUSH = 1.5


class Otlp:
    """Observes a server, in place of the SDK's middleware.

    The SDK's spans have texts of errors, and whatever a client calls a tool. Here, what is
    not in the catalog has no name: it would fill the memory, and make a series of its own.
    """

    def __init__(self, server: Server[Any], catalog: Catalog) -> None:
        self.server = server
        self.tools = {tool["name"] for tool in catalog["tools"]}
        self.prompts = {prompt["name"] for prompt in catalog["prompts"]}
        named = {"service.name": server.name, "service.version": server.version or ""}
        # The variables win: OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES.
        about = Resource.create(named).merge(OTELResourceDetector().detect())
        self.spans = TracerProvider(resource=about, shutdown_on_exit=False)
        if os.environ.get("OTEL_TRACES_EXPORTER") != "none":
            self.spans.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        readers: list[MetricReader] = []
        if os.environ.get("OTEL_METRICS_EXPORTER") != "none":
            readers.append(PeriodicExportingMetricReader(OTLPMetricExporter()))
        self.meters = MeterProvider(readers, about, shutdown_on_exit=False)
        # Handlers may make spans and metrics of their own.
        trace.set_tracer_provider(self.spans)
        metrics.set_meter_provider(self.meters)
        self.tracer = self.spans.get_tracer(__name__)
        self.duration = self.meters.get_meter(__name__).create_histogram(
            "mcp.server.operation.duration",
            unit="s",
            explicit_bucket_boundaries_advisory=BUCKETS,
        )
        server.middleware[:] = [self.observe]
        lifespan = server.lifespan

        @asynccontextmanager
        async def flushed(server: Server[Any]) -> AsyncGenerator[Any]:
            with closing(self):
                async with lifespan(server) as shared:
                    yield shared

        server.lifespan = flushed

    def close(self) -> None:
        """Send what is left: a signal ends the process before the SDK would."""

        def send() -> None:
            self.meters.shutdown()
            self.spans.shutdown()

        thread = threading.Thread(target=send, daemon=True)
        thread.start()
        thread.join(FLUSH)
        if thread.is_alive():
            logger.warning("The collector has not taken the last spans and metrics")

    async def observe(self, ctx: Request, call_next: CallNext) -> HandlerResult:
        # What is done about a notification, or a subscription, lasts as long as its client
        # stays: it would be no duration of an operation, and fail at each end.
        if ctx.request_id is None or ctx.method == "subscriptions/listen":
            return await call_next(ctx)
        name, about = self.described(ctx)
        sent = {
            key: text for key, text in (ctx.meta or {}).items() if type(text) is str
        }
        begun = time.perf_counter()
        with self.tracer.start_as_current_span(
            name,
            propagate.extract(sent, context.get_current()),
            trace.SpanKind.SERVER,
            about,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            outcome: HandlerResult | BaseException = None
            try:
                outcome = await call_next(ctx)
                return outcome
            except BaseException as error:
                outcome = error
                raise
            finally:
                if failure := failure_in(outcome):
                    span.set_attributes(failure)
                    span.set_status(trace.StatusCode.ERROR)
                self.duration.record(time.perf_counter() - begun, about | failure)

    def described(self, ctx: Request) -> tuple[str, dict[str, str]]:
        """Return the name of a request's span, and its attributes."""
        method, target = ctx.method, str((ctx.params or {}).get("name"))
        handler = self.server.get_request_handler(method)
        if method not in SPEC_CLIENT_METHODS and handler is None:
            method = "_OTHER"
        about = {
            "mcp.method.name": method,
            "mcp.protocol.version": ctx.protocol_version,
            "network.transport": "tcp" if ctx.request else "pipe",
        }
        if ctx.request:
            about["network.protocol.name"] = "http"
        if method == "tools/call":
            about["gen_ai.operation.name"] = "execute_tool"
        if method == "tools/call" and target in self.tools:
            return f"{method} {target}", about | {"gen_ai.tool.name": target}
        if method == "prompts/get" and target in self.prompts:
            return f"{method} {target}", about | {"gen_ai.prompt.name": target}
        return method, about


def failure_in(outcome: HandlerResult | BaseException) -> dict[str, str]:
    match outcome:
        case CallToolResult(is_error=True) | {"isError": True}:
            return {"error.type": "tool_error"}
        case MCPError():
            code = str(outcome.error.code)
        case ValidationError():  # The SDK's, of parameters.
            code = str(INVALID_PARAMS)
        case BaseException():
            return {"error.type": type(outcome).__qualname__}
        case _:
            return {}
    return {"error.type": code, "rpc.response.status_code": code}
