"""What the handlers share: opened when the server starts, closed when it ends."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from starter._generated.settings import Settings, SettingsError
from starter.folder import Folder

SAMPLES = Path(__file__).parent / "samples"


@dataclass(frozen=True)
class Shared:
    """Each handler finds it as `context.shared`."""

    folder: Folder


@asynccontextmanager
async def lifespan() -> AsyncGenerator[Shared]:
    root = Settings.from_environment().files_folder or SAMPLES
    if not root.is_dir():
        raise SettingsError(f"FILES_FOLDER: there is no folder {root}")
    yield Shared(Folder(root.resolve()))
