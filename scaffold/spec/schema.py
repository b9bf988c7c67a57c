"""The JSON Schema of the spec format, for the check and for editors."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any


@cache
def json_schema() -> dict[str, Any]:
    """The schema as a JSON value, dialect 2020-12. Do not change it."""
    schema: dict[str, Any] = json.loads(schema_text())
    return schema


def schema_text() -> str:
    """The schema as text, as `mcp-scaffold schema` prints it."""
    return Path(__file__).with_name("format.schema.json").read_text(encoding="utf-8")
