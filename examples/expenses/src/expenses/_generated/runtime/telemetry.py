"""OpenTelemetry: spans, metrics, and trace ids in lines of the log."""

import logging
import os
from typing import Any

from mcp.server import Server
from opentelemetry import trace

from .catalog import Catalog

logger = logging.getLogger(__name__)

PROTOCOL = "http/protobuf"
ENDPOINTS = [f"OTEL_EXPORTER_OTLP_{of}ENDPOINT" for of in ("", "TRACES_", "METRICS_")]


def attach(server: Server[Any], catalog: Catalog) -> None:
    """Send spans and metrics, if the variables of OpenTelemetry name a collector.

    If they cannot be sent, the log says why, and the server works without them.
    """
    for handler in logging.getLogger().handlers:
        handler.addFilter(add_trace)
    read = os.environ.get
    if read("OTEL_SDK_DISABLED") == "true" or not any(map(read, ENDPOINTS)):
        return
    try:
        if read("OTEL_EXPORTER_OTLP_PROTOCOL", PROTOCOL) != PROTOCOL:
            raise ValueError(f"OTEL_EXPORTER_OTLP_PROTOCOL must be {PROTOCOL}")
        from .otlp import Otlp

        Otlp(server, catalog)
    except ModuleNotFoundError:
        logger.warning("Spans and metrics are off: install %s[telemetry]", server.name)
    except ValueError as error:  # One of the variables is wrong.
        logger.warning("Spans and metrics are off: %s", error)


def add_trace(record: logging.LogRecord) -> bool:
    """Give a line of the log the ids of the trace that it belongs to."""
    span = trace.get_current_span().get_span_context()
    if span.is_valid:
        trace_id = trace.format_trace_id(span.trace_id)
        ids = {"trace_id": trace_id, "span_id": trace.format_span_id(span.span_id)}
        record.__dict__["fields"] = record.__dict__.get("fields", {}) | ids
    return True
