"""Python functions that find what a schema refuses, written for that very schema."""

from __future__ import annotations

from scaffold.jsonschema.index import Index
from scaffold.python.validators import phrases
from scaffold.python.validators.evaluated import evaluated
from scaffold.python.validators.module import Module, Wanted
from scaffold.python.validators.negation import negated
from scaffold.python.validators.node import root_of
from scaffold.python.validators.place import Function, Place
from scaffold.python.validators.schemas import statements
from scaffold.python.validators.silence import is_silent
from scaffold.python.validators.statements import Lines, indented, joined, with_early_return


def write(module: Module, name: str, index: Index) -> str:
    """Write the functions of a schema; return the name of the one for all of it.

    `name` is part of the names of all functions.
    """
    module.base = name
    made = module.check_of(root_of(index))
    while module.waiting:
        wanted = module.waiting.pop(0)
        module.functions.append(wanted if isinstance(wanted, str) else _source(module, wanted))
    return made


def _source(module: Module, wanted: Wanted) -> str:
    function = Function(module, wanted.node, wanted.name, statements)
    match wanted.kind:
        case "check":
            lines = _check(function)
        case "is":
            lines = _test(function)
        case kind:
            lines = _evaluated(function, kind)
    return "\n".join(lines)


def _check(function: Function) -> Lines:
    """Return a function that yields the faults of a value."""
    module, node = function.module, function.node
    function.has_words = not is_silent(node)
    lines: Lines = []
    if node.is_doubled:
        module.uses.add("once")
        lines.append("@once")
    if not function.has_words:
        module.uses.add("otherwise")
        lines.append(f"@otherwise({phrases.must_fit(node.part.keywords)})")
    lines.append(f"def {function.name}(value: Json, at: Spot) -> Faults:")
    body = statements(Place(function, node))
    return [*lines, *indented(with_early_return(body) if body else ["yield from ()"])]


def _test(function: Function) -> Lines:
    """Return a function that decides whether a value fits."""
    node = function.node
    lines: Lines = []
    if node.is_recursive:
        function.module.uses.add("remembered")
        lines.append("@remembered")
    at = ", at: Spot" if node.is_endless else ""
    lines.append(f"def {function.name}(value: Json{at}) -> bool:")
    body = joined(statements(Place(function, node)))
    match body:
        case [*before, str(last), "    return False"] if last.startswith("if "):
            body = [*before, f"return {negated(last[3:-1])}"]
        case _:
            body = [*body, "return True"]
    return [*lines, *indented(body)]


def _evaluated(function: Function, kind: str) -> Lines:
    """Return a function that finds what keywords evaluate."""
    node = function.node
    function.names.add("found")
    value, of = ("dict[str, Json]", "str") if kind == "properties" else ("list[Json]", "int")
    at = ", at: Spot" if node.is_endless else ""
    body = [f"found: set[{of}] = set()", *evaluated(Place(function, node), kind), "return found"]
    return [f"def {function.name}(value: {value}{at}) -> set[{of}]:", *indented(body)]
