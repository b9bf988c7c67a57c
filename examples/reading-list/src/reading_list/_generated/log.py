# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The format of the log: text from clients cannot add lines or control a terminal."""

import logging
from types import TracebackType


class Formatter(logging.Formatter):
    """Writes a record on one line, with its traceback indented below it."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        return printable(super().formatMessage(record))

    def formatException(
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None]
        | tuple[None, None, None],
    ) -> str:
        return printable_block(super().formatException(ei))

    def formatStack(self, stack_info: str) -> str:
        return printable_block(super().formatStack(stack_info))


def printable(text: str) -> str:
    """Escape what is not printable: line ends, terminal sequences, invisible characters."""
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else escaped(character)
        for character in text
    )


def escaped(character: str) -> str:
    return character.encode("unicode_escape").decode()


def printable_block(text: str) -> str:
    """Indent each line, so that none of them looks like a record."""
    return "\n".join(f"  {printable(line)}" for line in text.split("\n"))
