"""All named colours in one picture."""

from everything._generated.contract import Context, ResourceResult
from everything.picture import png

WIDTH = 6
"""Colours in a row."""


def chart(context: Context) -> ResourceResult:
    by_hue = sorted(context.shared.colours.values(), key=lambda c: (c.hue or 0, c.hex))
    last = by_hue[-1]
    rows = [by_hue[n : n + WIDTH] for n in range(0, len(by_hue), WIDTH)]
    rows[-1] += [last] * (WIDTH - len(rows[-1]))
    return png(rows, 32)
