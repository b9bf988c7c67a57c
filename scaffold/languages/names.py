"""Derive stable, unique names in code from the names in a spec, in any language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from hashlib import sha256
from itertools import chain, count
from unicodedata import ucd_3_2_0 as unicode  # frozen: the same result on every Python

from msgspec import Struct

from scaffold.base.text import Filters, Text, opened

MAX_LENGTH = 64
MAX_TYPE_LENGTH = 59
"""The maximum length of the name of a type, with its suffix."""

_WORD_BOUNDARY = re.compile(
    r"(?<=[a-z0-9])(?=[A-Z])"  # get|User
    r"|(?<=[A-Z0-9])(?=[A-Z][a-z])(?![A-Z]s(?![a-z]))"  # HTTP|Server, but not I|Ds
)


class Names(Struct, frozen=True):
    """The names in code of one wire name.

    `function` is snake_case, `type_name` CamelCase; both are ASCII identifiers of at most 64
    characters.
    """

    function: str
    type_name: str


def identifiers(
    names: Iterable[str],
    kind: str,
    is_reserved: Callable[[str], bool],
    is_reserved_type: Callable[[str], bool],
) -> dict[str, Names]:
    """Return the names in code of each wire name, in the order of `names`.

    `kind` (`tool`, `prompt` …) is the prefix of names that do not begin with a letter.
    The two functions return whether the language or the code around takes a name.

    Functions are unique, so files are unique too, even on a case-insensitive file system. Types
    are unique among each other. In a collision, a wire name that equals its derived name keeps
    it, and all others get a suffix: a hash of the wire name. A result depends only on the set of
    names that collide, not on their order or on other names.
    """
    wire_names = tuple(dict.fromkeys(names))
    functions = _distinct(
        {name: _function(name, kind, is_reserved) for name in wire_names},
        keeps=lambda name, function: (
            name == function or (f"{name}_" == function and function not in wire_names)
        ),
        suffix="_{}",
    )
    types = _distinct(
        {name: _type_name(functions[name], kind, is_reserved_type) for name in wire_names},
        keeps=lambda name, type_name: "_".join(words(type_name)).lower() == functions[name],
        suffix="{}",
    )
    return {name: Names(functions[name], types[name]) for name in wire_names}


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


def pascal(parts: Iterable[str]) -> str:
    """Join words as a class name: `http`, `server` gives `HttpServer`."""
    return "".join(part[:1].upper() + part[1:] for part in parts)


def spelled(text: Text | str) -> dict[str, str]:
    """Return the words of a text as a name, by the case: `camel`, `pascal`, `snake`, `kebab`.

    Each begins with a letter. A word that begins with a digit keeps its `_` where all others begin
    with a capital: different names in snake case stay different.
    """
    parts = [word.lower() for word in words(opened(text))]
    if not parts or parts[0][0].isdigit():
        parts.insert(0, "value")
    first, *others = parts
    humps = "".join(f"_{word}" if word[0].isdigit() else pascal([word]) for word in others)
    return {
        "camel": first + humps,
        "pascal": pascal([first]) + humps,
        "snake": "_".join(parts),
        "kebab": "-".join(parts),
    }


def case_filters(reserved: Collection[str] = ()) -> Filters:
    """Return a template filter for each case; `_` is added to a `reserved` word."""

    def spell(case: str, text: Text | str) -> str:
        name = spelled(text)[case]
        return f"{name}_" if name in reserved and case != "kebab" else name

    return {case: partial(spell, case) for case in spelled("")}


def unused(name: str, *taken: Collection[str]) -> str:
    """Return the first of `name`, `name2`, `name3` … that is in none of the collections."""
    numbered = (f"{name}{number}" for number in count(2))
    return next(
        candidate
        for candidate in chain([name], numbered)
        if not any(candidate in names for names in taken)
    )


def _function(name: str, kind: str, is_reserved: Callable[[str], bool]) -> str:
    function = "_".join(words(name)).lower()
    if not function:
        return _with_hash(kind, name, "_{}")
    if function[0].isdigit():
        function = f"{kind}_{function}"
    if len(function) >= MAX_LENGTH:
        return _with_hash(function, name, "_{}")
    if is_reserved(function):
        function += "_"
    return function


def _type_name(function: str, kind: str, is_reserved: Callable[[str], bool]) -> str:
    type_name = pascal(function.split("_"))
    if len(type_name) > MAX_TYPE_LENGTH - len("Arguments"):
        digest = sha256(function.encode()).hexdigest()[:4]
        type_name = type_name[: MAX_TYPE_LENGTH - len("Arguments") - len(digest)] + digest
    if is_reserved(type_name):
        type_name += pascal([kind])
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
