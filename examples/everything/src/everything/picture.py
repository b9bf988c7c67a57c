"""Pictures of colours, as PNG and SVG."""

import struct
import zlib
from collections.abc import Sequence

from everything.colour import Colour

LARGEST = 512


def parse_size(text: str) -> int:
    """Return a number of pixels, from 1 to LARGEST. Raises ValueError."""
    size = int(text)
    if not 1 <= size <= LARGEST:
        raise ValueError(f"{size} is not between 1 and {LARGEST}")
    return size


def png(rows: Sequence[Sequence[Colour]], size: int) -> bytes:
    """Return a picture with a square of `size` pixels for each colour (RFC 2083)."""
    header = struct.pack(">2I5B", len(rows[0]) * size, len(rows) * size, 8, 2, 0, 0, 0)
    lines = [b"\0" + b"".join(bytes(c) * size for c in row) for row in rows]
    pixels = zlib.compress(b"".join(line * size for line in lines))
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", pixels)
        + chunk(b"IEND", b"")
    )


def chunk(kind: bytes, data: bytes) -> bytes:
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


def svg(colour: Colour) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">'
        f'<rect width="1" height="1" fill="{colour.hex}"/></svg>'
    )
