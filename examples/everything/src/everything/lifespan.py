"""What the handlers share: opened when the server starts, closed when it ends."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from everything._generated.settings import Settings, SettingsError
from everything.colour import Colour
from everything.palette import NAMED, read_colours
from everything.picture import parse_size


@dataclass(frozen=True)
class Shared:
    """Each handler finds it as `context.shared`."""

    colours: dict[str, Colour]
    """By name; `name_colour` adds to them."""
    swatch_size: int


@asynccontextmanager
async def lifespan() -> AsyncGenerator[Shared]:
    settings = Settings.from_environment()
    try:
        swatch_size = parse_size(settings.swatch_size)
    except ValueError as error:
        raise SettingsError(f"SWATCH_SIZE: {error}") from error
    path = settings.palette_file
    try:
        more = read_colours(Path(path)) if path else {}
    except (OSError, TypeError, ValueError) as error:
        raise SettingsError(f"PALETTE_FILE: {error}") from error
    yield Shared(NAMED | more, swatch_size)
