"""Python names for the names on the wire: derived, stable, and never two alike."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain, count
from unicodedata import ucd_3_2_0 as unicode  # frozen: the same answer on every Python

from scaffold.python.reserved import (
    BUILTINS,
    COMMANDS,
    DEPENDENCIES,
    DEVICES,
    KEYWORDS,
    PROJECT,
    STANDARD_LIBRARY,
)

MAX_LENGTH = 64
TYPE_SUFFIXES = ("", "Arguments", "Result")
"""What the templates append to a `type_name`; none of these may hit a reserved name."""

_WORD_BOUNDARY = re.compile(
    r"(?<=[a-z0-9])(?=[A-Z])"  # get|User
    r"|(?<=[A-Z0-9])(?=[A-Z][a-z])(?![A-Z]s(?![a-z]))"  # HTTP|Server, but not I|Ds
)


@dataclass(frozen=True, slots=True)
class Names:
    """The Python names of one wire name.

    `function` is snake_case, `type_name` CamelCase; both are ASCII identifiers of at most 64
    characters.
    """

    function: str
    type_name: str

    @property
    def module(self) -> str:
        """The file stem: a handler's module bears the handler's name."""
        return self.function


def identifiers(
    names: Iterable[str], kind: str, reserved: Collection[str] = ()
) -> dict[str, Names]:
    """Give each of `names` its Python names; keys in the order of `names`.

    `kind` (`tool`, `prompt` …) leads where a name has no letters of its own to begin with.
    `reserved` are names of the surrounding code, functions and types alike, that none may take.

    No two functions are equal, so no two files are, on a disk that folds case either; no two types
    are equal. A wire name that already is what it derives to keeps it; every other one of a
    colliding group gets a hash of its wire name at the end. So what a name becomes depends on the
    set of names it would collide with, and neither on their order nor on any other name.
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
    """The import name of a server: `blog-search` gives `blog_search`.

    Where that would hide a module that Python, the project or one of its dependencies imports,
    cannot be imported at all, or would take the place of a command such as `python`, it ends in
    `_server`.
    """
    name = "_".join(words(server)).lower()
    hidden = (KEYWORDS, STANDARD_LIBRARY, DEPENDENCIES, COMMANDS, DEVICES, PROJECT)
    return f"{name}_server" if any(name in words for words in hidden) else name


def command_name(server: str) -> str:
    """The name of a server's distribution and command: its own, unless the package's is another.

    A distribution `mcp` could not depend on the one that it is called after.
    """
    return package_name(server).replace("_", "-")


def words(text: str) -> list[str]:
    """The ASCII words of a text, in their own case: `getUser-v2` gives `get`, `User`, `v2`.

    Accents are dropped; other characters that ASCII lacks part words, as punctuation does.
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


def nested_name(root: str, outer: str, part: str) -> str:
    """A class name for what is called `part` inside `outer`, a type below the type `root`.

    At most 64 characters: where the path is longer, what is between `root` and `part` is left out.
    """
    end = camel(words(part)) or "Value"
    return outer + end if len(outer + end) <= MAX_LENGTH else (root + end)[:MAX_LENGTH]


def unused(name: str, *taken: Collection[str]) -> str:
    """The name, or the first of `name2`, `name3` … that is in none of the collections."""
    numbered = (f"{name}{number}" for number in count(2))
    return next(one for one in chain([name], numbered) if not any(one in names for names in taken))


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
    if type_name in KEYWORDS or any(type_name + suffix in reserved for suffix in TYPE_SUFFIXES):
        type_name += camel([kind])
    return type_name


def _distinct(
    wanted: Mapping[str, str], keeps: Callable[[str, str], bool], suffix: str
) -> dict[str, str]:
    """Wire name to identifier, no two alike; `keeps` says who stays as it is in a collision."""
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
    """End a stem in the fewest hex digits of the name's hash, at least 4, that make it new."""
    digest = sha256(name.encode()).hexdigest()
    ends = (suffix.format(digest[:length]) for length in range(4, len(digest) + 1))
    candidates = (stem[: MAX_LENGTH - len(end)].rstrip("_") + end for end in ends)
    return next(candidate for candidate in candidates if candidate not in taken)
