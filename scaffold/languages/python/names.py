"""Derive stable, unique Python identifiers from wire names."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from hashlib import sha256
from itertools import chain, count
from unicodedata import ucd_3_2_0 as unicode  # frozen: the same result on every Python

from msgspec import Struct

from scaffold.languages.python.expressions import quoted
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

MAX_LENGTH = 64
LONGEST_TYPE = 59
"""The maximum length of the name of a type, with its suffix."""
TYPE_SUFFIXES = ("Arguments", "Result")
"""Suffixes of the types of a handler's arguments and result. None may produce a reserved name."""

_IRREGULAR = ("Movies", "Cookies", "Series", "Species", "Axes", "Arguments", "Results")

_WORD_BOUNDARY = re.compile(
    r"(?<=[a-z0-9])(?=[A-Z])"  # get|User
    r"|(?<=[A-Z0-9])(?=[A-Z][a-z])(?![A-Z]s(?![a-z]))"  # HTTP|Server, but not I|Ds
)


class Names(Struct, frozen=True):
    """The Python names of one wire name.

    `function` is snake_case, `type_name` CamelCase; both are ASCII identifiers of at most 64
    characters.
    """

    function: str
    type_name: str


def identifiers(
    names: Iterable[str], kind: str, reserved: Collection[str] = ()
) -> dict[str, Names]:
    """Return the Python names of each wire name, in the order of `names`.

    `kind` (`tool`, `prompt` …) is the prefix of names that do not begin with a letter.
    `reserved` are names of the surrounding code that no function or type may take.

    Functions are unique, so files are unique too, even on a case-insensitive file system. Types
    are unique among each other. In a collision, a wire name that equals its derived name keeps
    it, and all others get a suffix: a hash of the wire name. A result depends only on the set of
    names that collide, not on their order or on other names.
    """
    wire_names = tuple(dict.fromkeys(names))
    functions = _distinct(
        {name: _function(name, kind, reserved) for name in wire_names},
        keeps=lambda name, function: (
            name == function or (f"{name}_" == function and function not in wire_names)
        ),
        suffix="_{}",
    )
    types = _distinct(
        {name: _type_name(functions[name], kind, reserved) for name in wire_names},
        keeps=lambda name, type_name: "_".join(words(type_name)).lower() == functions[name],
        suffix="{}",
    )
    return {name: Names(functions[name], types[name]) for name in wire_names}


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


def words(text: str) -> list[str]:
    """Return the ASCII words of a text, case preserved: `getUser-v2` gives `get`, `User`, `v2`.

    Accents are dropped. Punctuation and other non-ASCII characters separate words.
    """
    if not text.isascii():
        text = "".join(
            "" if unicode.combining(c) else c if c.isascii() else " "
            for c in unicode.normalize("NFKD", text)
        )
    return re.findall("[A-Za-z0-9]+", _WORD_BOUNDARY.sub(" ", text))


def camel(parts: Iterable[str]) -> str:
    """Join words as a class name: `http`, `server` gives `HttpServer`."""
    return "".join(part[:1].upper() + part[1:] for part in parts)


def attribute(key: str, taken: Collection[str]) -> str:
    """Return the name of the attribute for a property, which is its own name if it can be."""
    name = key
    if not _is_attribute(key):
        name = "_".join(words(key)).lower() or "value"
        name = f"value_{name}" if name[0].isdigit() else name
    if name.startswith(("model_dump", "model_validate")):  # which pydantic keeps for itself
        name = f"value_{name}"
    if name in KEYWORDS or name in MODEL or name in taken:
        name += "_"
    return unused(name, taken)


def singular(name: str) -> str | None:
    """Return a class name for one of several things, if it is easily derived: `Hits` gives `Hit`."""
    for end, one in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh")):
        if name.endswith(end):
            return None if name.endswith(_IRREGULAR) else name.removesuffix(end) + one
    if name.endswith(("ss", "us", "is", "ices", *_IRREGULAR)) or not name.endswith("s"):
        return None
    return name[:-1] if len(name) > 2 else None


def unused(name: str, *taken: Collection[str]) -> str:
    """Return the first of `name`, `name2`, `name3` … that is in none of the collections."""
    numbered = (f"{name}{number}" for number in count(2))
    return next(one for one in chain([name], numbered) if not any(one in names for names in taken))


def _is_attribute(key: str) -> bool:
    return (
        key.isidentifier()
        and not key.startswith("_")
        and unicodedata.is_normalized("NFKC", key)
        and quoted(key) == f'"{key}"'
    )


def _function(name: str, kind: str, reserved: Collection[str]) -> str:
    function = "_".join(words(name)).lower()
    if not function:
        return _with_hash(kind, name, "_{}")
    if function[0].isdigit():
        function = f"{kind}_{function}"
    if len(function) >= MAX_LENGTH:
        return _with_hash(function, name, "_{}")
    if any(function in taken for taken in (KEYWORDS, BUILTINS, DEVICES, reserved)):
        function += "_"
    return function


def _type_name(function: str, kind: str, reserved: Collection[str]) -> str:
    type_name = camel(function.split("_"))
    if len(type_name) > LONGEST_TYPE - len("Arguments"):
        digest = sha256(function.encode()).hexdigest()[:4]
        type_name = type_name[: LONGEST_TYPE - len("Arguments") - len(digest)] + digest
    if type_name in KEYWORDS or any(type_name + suffix in reserved for suffix in TYPE_SUFFIXES):
        type_name += camel([kind])
    return type_name


def _distinct(
    wanted: Mapping[str, str], keeps: Callable[[str, str], bool], suffix: str
) -> dict[str, str]:
    """Return unique identifiers by wire name; names that `keeps` accepts survive collisions."""
    claims = Counter(wanted.values())
    given = {
        name: identifier
        for name, identifier in wanted.items()
        if claims[identifier] == 1 or keeps(name, identifier)
    }
    taken = set(claims)
    for name in sorted(wanted.keys() - given.keys()):
        given[name] = _with_hash(wanted[name], name, suffix, taken)
        taken.add(given[name])
    return given


def _with_hash(stem: str, name: str, suffix: str, taken: Collection[str] = ()) -> str:
    """Return the stem with the shortest unused prefix (4 or more digits) of the name's hash."""
    digest = sha256(name.encode()).hexdigest()
    ends = (suffix.format(digest[:length]) for length in range(4, len(digest) + 1))
    candidates = (stem[: MAX_LENGTH - len(end)].rstrip("_") + end for end in ends)
    return next(candidate for candidate in candidates if candidate not in taken)


def attributes(variables: Iterable[str]) -> dict[str, str]:
    """Return the attribute of the settings class for each environment variable."""
    names = identifiers(variables, "variable", SETTINGS)
    return {variable: name.function for variable, name in names.items()}
