from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from shelf._generated.settings import Settings


@dataclass(frozen=True)
class Shared:
    file: Path

    def titles(self) -> list[str]:
        return self.file.read_text().splitlines() if self.file.exists() else []


@asynccontextmanager
async def lifespan():
    yield Shared(Settings.from_environment().shelf_file)
