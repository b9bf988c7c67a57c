"""The filters that templates have for what the project shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from scaffold import text
from scaffold.python import layout
from scaffold.python.text import doc, py

QUOTING: Mapping[str, Callable[..., str]] = MappingProxyType({"py": py, "doc": doc, **text.FILTERS})
"""The filters that print free text."""

CODE: Mapping[str, Callable[..., object]] = MappingProxyType(
    {
        "imports": layout.imports,
        "lay": layout.lay,
        "literal": layout.literal,
        "statement": layout.statement,
    }
)
"""The filters that print expressions in the language of the project."""
