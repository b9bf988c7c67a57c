"""Derive stable, unique Python identifiers from wire names."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable

from scaffold.languages.names import Names, unused, words
from scaffold.languages.names import identifiers as in_any_language
from scaffold.languages.python.reserved import (
    BUILTINS,
    COMMANDS,
    DEPENDENCIES,
    DEVICES,
    KEYWORDS,
    MODEL,
    PROJECT,
    SETTINGS,
    STANDARD_LIBRARY,
)
from scaffold.languages.python.types.expressions import quoted

TYPE_SUFFIXES = ("Arguments", "Result")
"""Suffixes of the types of a handler's arguments and result. None may produce a reserved name."""


_IRREGULAR = ("Movies", "Cookies", "Series", "Species", "Axes", "Arguments", "Results")


def identifiers(
    names: Iterable[str], kind: str, reserved: Collection[str] = ()
) -> dict[str, Names]:
    """Return the Python names of each wire name, in the order of `names`.

    `reserved` are names of the surrounding code that no function or type may take.
    """
    taken = (KEYWORDS, BUILTINS, DEVICES, reserved)
    return in_any_language(
        names,
        kind,
        is_reserved=lambda name: any(name in names for names in taken),
        is_reserved_type=lambda name: (
            name in KEYWORDS or any(name + suffix in reserved for suffix in TYPE_SUFFIXES)
        ),
    )


def package_name(server: str) -> str:
    """Return the import name of a server: `blog-search` gives `blog_search`.

    Add the suffix `_server` if the name is a keyword, shadows a module of Python, the project or
    a dependency, replaces a command such as `python`, or is a Windows device.
    """
    name = "_".join(words(server)).lower()
    hidden = (KEYWORDS, STANDARD_LIBRARY, DEPENDENCIES, COMMANDS, DEVICES, PROJECT)
    return f"{name}_server" if any(name in words for words in hidden) else name


def command_name(server: str) -> str:
    """Return the name of a server's distribution and command: its package name with hyphens.

    For example, a distribution named `mcp` could not depend on the real `mcp`.
    """
    return package_name(server).replace("_", "-")


def attribute(key: str, taken: Collection[str]) -> str:
    """Return the name of the attribute for a property, which is its own name if it can be."""
    name = key
    if not _is_attribute(key):
        name = "_".join(words(key)).lower() or "value"
        name = f"value_{name}" if name[0].isdigit() else name
    if name.startswith(("model_dump", "model_validate")):  # reserved by pydantic
        name = f"value_{name}"
    if name in KEYWORDS or name in MODEL or name in taken:
        name += "_"
    return unused(name, taken)


def singular(name: str) -> str | None:
    """Return a class name for one of several things, if it is easily derived: `Hits` gives `Hit`."""
    for end, ending in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh")):
        if name.endswith(end):
            return None if name.endswith(_IRREGULAR) else name.removesuffix(end) + ending
    if name.endswith(("ss", "us", "is", "ices", *_IRREGULAR)) or not name.endswith("s"):
        return None
    return name[:-1] if len(name) > 2 else None


def _is_attribute(key: str) -> bool:
    return (
        key.isidentifier()
        and not key.startswith("_")
        and unicodedata.is_normalized("NFKC", key)
        and quoted(key) == f'"{key}"'
    )


def attributes(variables: Iterable[str]) -> dict[str, str]:
    """Return the attribute of the settings class for each environment variable."""
    names = identifiers(variables, "variable", SETTINGS)
    return {variable: name.function for variable, name in names.items()}
