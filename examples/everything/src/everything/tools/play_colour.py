"""Get the sound of a colour, as WAV. The hue is the pitch; grey is silent."""

import math
import sys
import wave
from array import array
from base64 import b64encode
from io import BytesIO

from everything._generated.contract import (
    AudioContent,
    Context,
    PlayColourArguments,
    PlayColourResult,
)
from everything.palette import look_up

RATE = 16_000
"""Samples a second."""
A4 = 440.0
"""The pitch of red, in hertz; once around the colour wheel is an octave."""


def play_colour(arguments: PlayColourArguments, context: Context) -> PlayColourResult:
    colour = look_up(arguments.colour, context.shared.colours)
    pitch = None if colour.hue is None else A4 * 2 ** (colour.hue / 360)
    sound = wav(pitch, round(arguments.seconds * RATE))
    return AudioContent(data=b64encode(sound).decode(), mime_type="audio/wav")


def wav(pitch: float | None, count: int) -> bytes:
    """Return `count` samples of a sine that swells and fades, or of silence."""
    turn = 2 * math.pi * (pitch or 0) / RATE
    samples = array(
        "h",
        (
            round(20_000 * math.sin(turn * n) * math.sin(math.pi * n / count))
            for n in range(count)
        ),
    )
    if sys.byteorder == "big":
        samples.byteswap()
    with BytesIO() as file:
        with wave.open(file, "wb") as sound:
            sound.setparams((1, samples.itemsize, RATE, count, "NONE", ""))
            sound.writeframes(samples.tobytes())
        return file.getvalue()
