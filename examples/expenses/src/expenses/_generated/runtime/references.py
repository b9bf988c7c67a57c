"""Examples that refer to results of others: `${search.hits.0.source}`."""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, cast

from .checks import CATALOG, UsageError
from .examples import ExampleChecks

REFERENCE = re.compile(r"\$\{([^.{}]+)\.([^{}]+)\}")


class ReferringChecks(ExampleChecks):
    """Checks that put results in the place of references."""

    async def prepared(self, arguments: dict[str, Any]) -> dict[str, Any]:
        for number in self.needed_by(arguments):
            await self.example(number)
        filled: dict[str, Any] = self.filled_in(arguments)
        return filled

    def needed_by(self, value: Any) -> list[int]:
        text = json.dumps(value, ensure_ascii=False)
        return [
            number
            for name, number in CATALOG["results"].items()
            if "${" + json.dumps(name, ensure_ascii=False)[1:-1] + "." in text
        ]

    def filled_in(self, value: Any, text: Callable[[str], str] = str) -> Any:
        if isinstance(value, dict):
            members = cast("dict[str, Any]", value)
            return {key: self.filled_in(item, text) for key, item in members.items()}
        if isinstance(value, list):
            items = cast("Sequence[Any]", value)
            return [self.filled_in(item, text) for item in items]
        if not isinstance(value, str):
            return value
        if match := REFERENCE.fullmatch(value):
            return self.part(match)

        def inserted(match: re.Match[str]) -> str:
            is_known = match[1] in CATALOG["results"]
            return text(str(self.part(match))) if is_known else match[0]

        return REFERENCE.sub(inserted, value)

    def part(self, reference: re.Match[str]) -> Any:
        """Return the part of a result that a reference leads to. Raises UsageError."""
        name, path = reference.groups()
        value: Any = self.results.get(CATALOG["results"].get(name, -1))
        try:
            for key in path.split("."):
                value = value[int(key) if isinstance(value, list) else key]
        except (LookupError, TypeError, ValueError):
            raise UsageError(f"{name} gave no {path}") from None
        return value
