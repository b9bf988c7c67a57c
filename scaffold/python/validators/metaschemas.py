"""The schemas of both dialects, to which every schema may refer."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from scaffold.jsonschema.index import Index
from scaffold.jsonschema.keywords import DIALECTS


@cache
def metaschema(uri: str) -> Index | None:
    """Return the index of the schema of a dialect, by its URI without a fragment."""
    dialect = DIALECTS.get(uri)
    if dialect is None:
        return None
    text = files("scaffold.python.validators").joinpath("metaschemas.json").read_text("utf-8")
    schemas = json.loads(text)
    return next(Index.of(schemas[known]) for known in schemas if DIALECTS[known] == dialect)
