"""Tools that return what an HTTP API answers, as documented or not."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from .answers import UndocumentedAnswer
from .tools import Arguments, Result, Tool, Tools


@dataclass(frozen=True)
class ApiTool(Tool[Arguments, Result]):
    """A tool that returns the response of an API, which may not fit `outputSchema`."""


class ApiTools(Tools):
    """Tools, some of which are an ApiTool.

    Their results are validated but for formats of text, such as dates: many APIs are loose
    with them, and they mislead nobody who reads the text.
    """

    def __init__(
        self,
        entries: list[dict[str, Any]],
        tools: Mapping[str, Tool[Any, Any]],
        *context: Any,
        **more: Any,
    ) -> None:
        super().__init__(entries, tools, *context, **more)
        for name, schema in self.outputs.items():
            if isinstance(tools[name], ApiTool):
                schema.schema = without_formats(schema.schema)

    def check(self, name: str, value: Any) -> None:
        """Raise UndocumentedAnswer if the API's answer does not fit its `outputSchema`."""
        if not isinstance(self.tools[name], ApiTool):
            super().check(name, value)
        elif name in self.outputs and (faults := self.outputs[name].faults(value)):
            text = json.dumps(value, ensure_ascii=False)
            raise UndocumentedAnswer(faults[0], text.encode(errors="replace"))


def without_formats(part: Any) -> Any:
    """Return a copy of a schema without `format`, but in constants."""
    if isinstance(part, list):
        return [*map(without_formats, cast("list[object]", part))]
    if not isinstance(part, dict):
        return part
    return {
        key: value if key in ("const", "enum") else without_formats(value)
        for key, value in cast("dict[str, Any]", part).items()
        # A property of that name has a schema.
        if key != "format" or not isinstance(value, str)
    }
