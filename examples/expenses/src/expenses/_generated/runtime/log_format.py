"""The format of the log: text for people, or a line of JSON for each record."""

import argparse
import json
import logging
from collections.abc import Callable
from datetime import UTC, datetime


def add_log_format(default: str, add: Callable[..., None]) -> None:
    """Add the option of the command; `default` is as in the spec."""
    choices = ("text", "json")
    add("--log-format", default=default, choices=choices, help="of the log")


def start(options: argparse.Namespace) -> None:
    """Write the log in the format of the options."""
    if options.log_format == "json":
        for handler in logging.getLogger().handlers:
            handler.setFormatter(JsonFormatter())


class JsonFormatter(logging.Formatter):
    """Each record as JSON, with the `fields` that it was given."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line | getattr(record, "fields", {}))
