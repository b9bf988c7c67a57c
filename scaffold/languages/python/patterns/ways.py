"""In how many ways a text can be read by a pattern, apart from the number of rounds in loops."""

from __future__ import annotations

from math import prod

from scaffold.schema.regular import characters
from scaffold.schema.regular.characters import Ranges
from scaffold.schema.regular.syntax import (
    Characters,
    Choice,
    Group,
    Node,
    Reference,
    Repeated,
    Sequence,
)

_MOST_ROLLED_OUT = 200
_FEW_WAYS = 200


def ways_of(tree: Node) -> int:
    """Return in how many ways a text can be read, apart from the number of rounds in loops."""
    match tree:
        case Sequence(parts):
            return prod(map(ways_of, parts))
        case Choice(parts):
            firsts = [_first(part) for part in parts]
            is_told = all(firsts) and all(
                not _meet(one, other) for n, one in enumerate(firsts) for other in firsts[:n]
            )
            return (max if is_told else sum)(map(ways_of, parts))
        case Group(body=body):
            return 1 if tree.looks else ways_of(body)
        case Repeated(body):
            return rolled_out(tree) or ways_of(body)
    return 1


def rolled_out(tree: Repeated) -> int | None:
    """Return in how many ways a part is read that is written out; None if it is made a loop."""
    ways, most = ways_of(tree.body), tree.most
    if most is not None and most <= 1:
        return ways * most + 1 - tree.least
    is_run = isinstance(tree.body, Characters) and most != tree.least
    if (
        most is None
        or is_run
        or not _is_finite(tree.body)
        or most * _size(tree.body) > _MOST_ROLLED_OUT
    ):
        return None
    every = sum(ways**rounds for rounds in range(tree.least, most + 1))
    return every if every < _FEW_WAYS else None


def _size(tree: Node) -> int:
    """Return the number of states of a part that is written out."""
    match tree:
        case Sequence(parts) | Choice(parts):
            return sum(map(_size, parts))
        case Group(body=body):
            return _size(body)
        case Repeated(body, _, _, most):
            return _size(body) * (most if most and rolled_out(tree) else 1)
    return 1


def _first(tree: Node) -> Ranges:
    """Return the characters that a part can begin with; none if it is not known."""
    match tree:
        case Characters(_, ranges):
            return ranges
        case Sequence(parts) if parts:
            return _first(parts[0])
        case Choice(parts):
            found = [_first(part) for part in parts]
            return characters.joined(sum(found, ())) if all(found) else ()
        case Group(body=body) if not tree.looks:
            return _first(body)
        case Repeated(body, _, least):
            return _first(body) if least else ()
    return ()


def _meet(one: Ranges, other: Ranges) -> bool:
    return any(low <= end and start <= high for low, high in one for start, end in other)


def _is_finite(tree: Node) -> bool:
    match tree:
        case Sequence(parts) | Choice(parts):
            return all(map(_is_finite, parts))
        case Group(body=body):
            return _is_finite(body)
        case Repeated(body, _, _, most):
            return most is not None and _is_finite(body)
        case Reference():
            return False
    return True
