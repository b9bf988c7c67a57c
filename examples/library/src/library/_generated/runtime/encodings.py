"""`contentEncoding: base64` in schemas, which the engine checks in draft-07 only."""

from base64 import b64decode
from typing import Any

from .schema import OPTIONS


class ContentEncoding:
    """The keyword."""

    def __init__(self, parent_schema: Any, value: Any, schema_path: Any) -> None:
        self.is_base64 = value == "base64"

    def validate(self, instance: Any) -> None:
        if self.is_base64 and isinstance(instance, str):
            b64decode(instance, validate=True)


def check_encodings() -> None:
    """Let all schemas that are compiled from now on check their encodings."""
    OPTIONS["keywords"] = {"contentEncoding": ContentEncoding}
