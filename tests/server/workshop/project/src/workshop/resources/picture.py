"""Bytes from a handler."""

from workshop._generated.contract import Context, ResourceResult


def picture(context: Context) -> ResourceResult:
    return b"\x89PNG\r\n"
