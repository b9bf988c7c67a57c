"""Read pictures, to test what is in them."""

import struct
import zlib


def read_png(data: bytes) -> list[list[tuple[int, ...]]]:
    """Return the rows of pixels of a PNG without filters; check its checksums."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks: dict[bytes, bytes] = {}
    at = 8
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + length]
        assert struct.unpack_from(">I", data, at + 8 + length) == (
            zlib.crc32(kind + body),
        )
        chunks[kind] = body
        at += 12 + length
    assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"]
    width, height, *form = struct.unpack(">2I5B", chunks[b"IHDR"])
    assert form == [8, 2, 0, 0, 0]
    pixels = zlib.decompress(chunks[b"IDAT"])
    line = 1 + 3 * width
    rows = [pixels[start : start + line] for start in range(0, len(pixels), line)]
    assert [row[0] for row in rows] == [0] * height
    return [[tuple(row[n : n + 3]) for n in range(1, line, 3)] for row in rows]
