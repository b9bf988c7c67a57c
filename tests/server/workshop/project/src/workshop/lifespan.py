"""What the handlers share: opened when the server starts, closed when it ends."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from workshop._generated.settings import Settings


@dataclass(frozen=True)
class Shared:
    """Each handler finds it as `context.shared`."""

    settings: Settings

    def write(self, line: str) -> None:
        with Path(self.settings.workshop_diary).open("a") as diary:
            diary.write(line + "\n")


@asynccontextmanager
async def lifespan() -> AsyncIterator[Shared]:
    shared = Shared(Settings.from_environment())
    shared.write("opened")
    try:
        yield shared
    finally:
        shared.write("closed")
