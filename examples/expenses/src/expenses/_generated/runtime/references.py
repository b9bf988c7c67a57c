"""Examples that refer to results of others: `${search.hits.0.source}`."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

REFERENCE = re.compile(r"\$\{([^.{}]+)\.([^{}]+)\}")


class MissingPart(Exception):
    """A reference leads to nothing in a result."""


def filled(example: dict[str, Any], results: Mapping[str, Any]) -> dict[str, Any]:
    """Return an example with results in the place of references. Raises MissingPart."""
    params = filled_in(example["params"], results)
    if example["method"] != "tools/call" and "arguments" in params:
        texts = {name: str(value) for name, value in params["arguments"].items()}
        params["arguments"] = texts
    schemas = {key: example[key] for key in ("text", "result") if key in example}
    return {**example, "params": params, **filled_in(schemas, results, re.escape)}


def filled_in(
    value: Any, results: Mapping[str, Any], text: Callable[[str], str] = str
) -> Any:
    """Return a value with results in the place of references. Raises MissingPart.

    `text` makes a part of a text what is inserted.
    """
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        return {key: filled_in(item, results, text) for key, item in members.items()}
    if isinstance(value, list):
        items = cast("Sequence[Any]", value)
        return [filled_in(item, results, text) for item in items]
    if not isinstance(value, str):
        return value
    if match := REFERENCE.fullmatch(value):
        return part_of(results, match)

    def inserted(match: re.Match[str]) -> str:
        is_known = match[1] in results
        return text(str(part_of(results, match))) if is_known else match[0]

    return REFERENCE.sub(inserted, value)


def part_of(results: Mapping[str, Any], reference: re.Match[str]) -> Any:
    """Return the part of a result that a reference leads to."""
    name, path = reference.groups()
    value: Any = results.get(name)
    try:
        for key in path.split("."):
            value = value[int(key) if isinstance(value, list) else key]
    except (LookupError, TypeError, ValueError):
        raise MissingPart(f"{name} gave no {path}") from None
    return value
