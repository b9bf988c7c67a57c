"""What the server tells those who run it: a log as text or JSON, spans and metrics."""

import argparse
import json
import logging
import os
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from mcp.server import Server
from opentelemetry import trace

from .catalog import Catalog

logger = logging.getLogger(__name__)

PROTOCOL = "http/protobuf"
ENDPOINTS = [f"OTEL_EXPORTER_OTLP_{of}ENDPOINT" for of in ("", "TRACES_", "METRICS_")]


def add_options(add: Callable[..., None]) -> None:
    add("--log-format", default="text", choices=("text", "json"), help="of the lines")


def start(options: argparse.Namespace) -> None:
    """Write the log in the format of the options."""
    if options.log_format == "json":
        for handler in logging.getLogger().handlers:
            handler.setFormatter(JsonFormatter())


class JsonFormatter(logging.Formatter):
    """A line of JSON for each record, with the ids of the trace that it belongs to."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        span = trace.get_current_span().get_span_context()
        if span.is_valid:
            line["trace_id"] = trace.format_trace_id(span.trace_id)
            line["span_id"] = trace.format_span_id(span.span_id)
        return json.dumps(line)


def attach(server: Server[Any], catalog: Catalog) -> None:
    """Send spans and metrics, if the variables of OpenTelemetry name a collector.

    What keeps them from being sent is told in the log: the server works without.
    """
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
