"""A handler that fails."""

from workshop._generated.contract import Context, ResourceResult


def broken(context: Context) -> ResourceResult:
    raise ValueError("a secret")
