"""What is said about faults, as Python expressions: the same as the pack `python` says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scaffold.jsonschema.faults import PLAIN, WORDS, as_json, listed, shown, with_article
from scaffold.python.expressions import quoted

LEFT_OUT = quoted("must be left out")


def of_keyword(keyword: str, rule: object, value: str) -> str:
    """Return what is said where a keyword refuses the value of a variable."""
    if keyword == "type":
        said = of_types([rule] if isinstance(rule, str) else rule)
    else:
        rules = rule if keyword == "enum" and isinstance(rule, list) else [rule]
        said = str(listed(rules, as_json))
    return _filled(WORDS[keyword], said, value)


def of_types(types: Any) -> str:
    """Return names of types for a sentence."""
    return listed(types, with_article)


def wrong_type(types: Any, value: str) -> str:
    """Return what is said where the value of a variable is none of some types."""
    return _filled(WORDS["type"], of_types(types), value)


def required(name: str, given: str | None = None) -> str:
    """Return what is said where a property is missing."""
    where = "" if given is None else f" where {shown(given)} is given"
    return quoted(f"{shown(name)} is a required property{where}")


def unknown(name: str, known: Mapping[str, Any]) -> str:
    """Return what is said about a property, whose name is in a variable, that is not known."""
    said = listed(known, shown, "and")
    more = f"; it can have {said}" if said else ""
    return "f" + quoted(f"{{shown({name})}} is not a property here{_braces(more)}")


def must_fit(schema: Mapping[str, Any]) -> str:
    """Return what is said where nothing more can be."""
    rest = {key: rule for key, rule in schema.items() if key not in PLAIN}
    return quoted(f"must fit {as_json(rest)}")


def _filled(words: str, rule: str, value: str) -> str:
    if "{value}" not in words and "{size}" not in words:
        return quoted(words.replace("{rule}", rule))
    before, after = words.split("{rule}")
    after = after.replace("{value}", f"{{shown({value})}}").replace("{size}", f"{{len({value})}}")
    return "f" + quoted(before + _braces(rule) + after)


def _braces(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
