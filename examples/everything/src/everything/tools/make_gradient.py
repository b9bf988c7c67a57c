"""Mix the colours between stops, and get them as a list of "#rrggbb"."""

from itertools import pairwise

from everything._generated.contract import (
    Context,
    MakeGradientArguments,
    MakeGradientResult,
    StopsOutOfOrder,
)
from everything.colour import Colour
from everything.palette import look_up


async def make_gradient(
    arguments: MakeGradientArguments,
    context: Context,
) -> MakeGradientResult:
    stops = [
        (float(position), look_up(str(colour), context.shared.colours))
        for position, colour in arguments.stops
    ]
    if any(before >= after for (before, _), (after, _) in pairwise(stops)):
        raise StopsOutOfOrder
    first, last = stops[0][0], stops[-1][0]
    steps = arguments.steps
    return [
        colour_at(first + (last - first) * step / (steps - 1), stops).hex
        for step in range(steps)
    ]


def colour_at(position: float, stops: list[tuple[float, Colour]]) -> Colour:
    """Return the colour at a position, mixed from the stops around it."""
    for (before, left), (after, right) in pairwise(stops):
        if position <= after:
            return left.towards(right, (position - before) / (after - before))
    return stops[-1][1]
