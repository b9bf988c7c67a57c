# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Limits: how much clients may use, and how long things may take."""

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Self

PREFIX = "EXPENSES_LIMIT_"
MOST = 10**9


class LimitsError(Exception):
    """A limit is not a number that it could be."""


def limit(default: float, about: str) -> Any:
    return field(default=default, metadata={"about": about})


@dataclass(frozen=True)
class Limits:
    """Each is read from the variable of its name, such as `EXPENSES_LIMIT_MESSAGE_SIZE`."""

    message_size: int = limit(4_194_304, "bytes of a message")
    threads: int = limit(128, "handlers that run in threads at once")
    call_time: float = limit(600, "seconds of a tool call, unless the spec says")
    stop_time: float = limit(10, "seconds to stop in")
    grace_time: float = limit(5, "seconds that calls may still take at a stop")
    connections: int = limit(1000, "open connections")
    head_time: float = limit(10, "seconds to send the head of a request in")
    body_time: float = limit(
        30, "seconds to send a body in, or to read on in an answer"
    )
    sessions: int = limit(1000, "open sessions")
    idle_time: float = limit(1800, "seconds that a session may be unused")

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Self:
        values: dict[str, Any] = {}
        wrong = []
        for row in fields(cls):
            if not (text := environ.get(variable(row.name))):
                continue
            kind = "a whole number" if row.type is int else "a number"
            try:
                values[row.name] = value = int(text) if row.type is int else float(text)
            except ValueError:
                value = 0
            if not 0 < value <= MOST:
                wrong.append(
                    f"{option(row.name)} ({variable(row.name)}) must be {kind}"
                    f" above 0 and up to {MOST}, not {text!r:.80}"
                )
        if wrong:
            raise LimitsError("; ".join(wrong))
        return cls(**values)


def variable(name: str) -> str:
    return PREFIX + name.upper()


def option(name: str) -> str:
    return "--limit-" + name.replace("_", "-")


def add_options(parser: ArgumentParser) -> None:
    """Add an option for each limit, which wins over its variable."""
    about = f"Also read from variables, such as {variable('message_size')}."
    group = parser.add_argument_group("limits", about)
    for row in fields(Limits):
        group.add_argument(
            option(row.name),
            metavar="N",
            help=f"{row.metadata['about']} (default: {row.default})",
        )


def use_options(options: Namespace) -> None:
    """Put the limits of the command line where all others are read from."""
    for row in fields(Limits):
        if (text := getattr(options, f"limit_{row.name}")) is not None:
            os.environ[variable(row.name)] = text
