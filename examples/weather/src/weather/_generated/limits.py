# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Limits on what clients may use, and on how long things may take."""

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Self

PREFIX = "WEATHER_LIMIT_"
MOST = 10**9


class LimitsError(Exception):
    """The value of a limit is not valid."""


def limit(default: float, about: str) -> Any:
    return field(default=default, metadata={"about": about})


@dataclass(frozen=True)
class Limits:
    """Each is read from the variable of its name, such as `WEATHER_LIMIT_MESSAGE_SIZE`."""

    message_size: int = limit(4_194_304, "maximum size of a message, in bytes")
    threads: int = limit(128, "maximum number of plain `def` handlers that run at once")
    call_time: float = limit(
        600, "seconds for a tool call, if the tool has no `timeout`"
    )
    stop_time: float = limit(10, "seconds for the server to stop")
    grace_time: float = limit(5, "seconds for running calls to finish at a stop")
    connections: int = limit(1000, "maximum number of open connections")
    client_calls: int = limit(500, "maximum number of calls from one address at once")
    head_time: float = limit(10, "seconds for a client to send the head of a request")
    body_time: float = limit(
        30, "seconds for a client to send a body, or to read on in a response"
    )
    sessions: int = limit(1000, "maximum number of open sessions")
    idle_time: float = limit(1800, "seconds until an unused session is closed")

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Self:
        values: dict[str, Any] = {}
        wrong: list[str] = []
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
    """Add an option for each limit, which takes precedence over its variable."""
    about = f"Also read from variables, such as {variable('message_size')}."
    group = parser.add_argument_group("limits", about)
    for row in fields(Limits):
        group.add_argument(
            option(row.name),
            metavar="N",
            help=f"{row.metadata['about']} (default: {row.default})",
        )


def use_options(options: Namespace) -> None:
    """Put the limits of the command line into the environment, which modules read."""
    for row in fields(Limits):
        if (text := getattr(options, f"limit_{row.name}")) is not None:
            os.environ[variable(row.name)] = text
