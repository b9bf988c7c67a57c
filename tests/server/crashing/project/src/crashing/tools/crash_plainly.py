"""Fail in a plain function."""

from crashing._generated.contract import Context, CrashPlainlyArguments
from crashing.ways import fail


def crash_plainly(arguments: CrashPlainlyArguments, context: Context) -> str:
    return fail(arguments.how)
