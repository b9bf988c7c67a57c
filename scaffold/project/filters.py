"""Filters for templates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from scaffold import text
from scaffold.python.text import doc, py

QUOTING: Mapping[str, Callable[..., str]] = MappingProxyType({"py": py, "doc": doc, **text.FILTERS})
"""The filters that escape free text."""
