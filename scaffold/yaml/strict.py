"""Find what is not JSON in a `.json` file: YAML allows comments, trailing commas and more."""

from __future__ import annotations

import json
import re

from scaffold.diagnostics import Diagnostic
from scaffold.yaml.document import Document

_COMMENT = re.compile(r"//.*|/\*[\s\S]*?(?:\*/|\Z)|#.*")
_TRAILING = re.compile(r"(,)[ \t\n]*([\]}])")
_SINGLE = re.compile(r"'[^'\n]*'?")
_KEY = re.compile(r"([\w.$-]+)[ \t]*:")


def not_json(document: Document, is_yaml: bool) -> Diagnostic | None:
    """Return the diagnostic for the first place where the text of a `.json` file is not JSON.

    If it is not YAML either, return only those with a known cause, as the parser of YAML explains
    all others. `NaN` and its like are left to it too.
    """
    text = document.text
    try:
        json.loads(text, parse_int=float)
    except RecursionError:
        return None
    except json.JSONDecodeError as error:
        at = len(text) - len(text[error.pos :].lstrip(" \t\n"))
    else:
        return None
    comma = len(text[:at].rstrip(" \t\n")) - 1  # before Python 3.13, the error is at the bracket
    if comment := _COMMENT.match(text, at):
        span, message, hint = comment.span(), "JSON has no comments", "remove it"
    elif trailing := _TRAILING.match(text, at) or _TRAILING.match(text, max(comma, 0)):
        span, message = trailing.span(1), f"JSON allows no comma before `{trailing[2]}`"
        hint = "remove the comma"
    elif single := _SINGLE.match(text, at):
        span, message = single.span(), "JSON has no single quotes"
        hint = "use double quotes"
    elif key := _KEY.match(text, at):
        span, message = key.span(1), "JSON has no keys without quotes"
        hint = f'write `"{key[1]}"`'
    elif is_yaml and at < len(text):
        span, message = (at, at + 1), "this is YAML, but not JSON"
        hint = "write it as JSON, or give the file a name that ends in `.yaml`"
    else:
        return None
    return Diagnostic("not-json", message, document.at(*span), hint)
