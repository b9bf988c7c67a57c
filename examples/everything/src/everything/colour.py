"""A colour, and what can be computed from it."""

import re
from colorsys import rgb_to_hls
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True)
class Colour:
    """A colour of the sRGB space, each part from 0 to 255."""

    red: int
    green: int
    blue: int

    @classmethod
    def from_hex(cls, text: str) -> Self:
        """Return the colour that is written `#rrggbb`. Raises ValueError."""
        if not re.fullmatch("#[0-9a-fA-F]{6}", text):
            raise ValueError(f"{text!r} is not written #rrggbb")
        return cls(*bytes.fromhex(text[1:]))

    def __bytes__(self) -> bytes:
        return bytes([self.red, self.green, self.blue])

    @property
    def hex(self) -> str:
        return f"#{bytes(self).hex()}"

    @property
    def hue(self) -> int | None:
        """Degrees on the colour wheel, from 0 (red) to 359; grey has none."""
        if self.red == self.green == self.blue:
            return None
        hue, _, _ = rgb_to_hls(self.red, self.green, self.blue)
        return round(hue * 360) % 360

    @property
    def luminance(self) -> float:
        """How light it is, from 0 to 1 (WCAG 2, relative luminance)."""
        red, green, blue = (linear(part / 255) for part in bytes(self))
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    def contrast(self, other: Self) -> float:
        """How well one can be read on the other, from 1 to 21 (WCAG 2, contrast ratio)."""
        darker, lighter = sorted([self.luminance, other.luminance])
        return (lighter + 0.05) / (darker + 0.05)

    def towards(self, other: Self, share: float) -> Self:
        """Return a mix of both: a `share` of 0 is this colour, 1 is the other."""
        parts = zip(bytes(self), bytes(other), strict=True)
        return type(self)(*(round(a + (b - a) * share) for a, b in parts))


def linear(part: float) -> float:
    """Return a part of an sRGB colour, from 0 to 1, as an amount of light."""
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
