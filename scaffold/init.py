"""Create a new project from a starter."""

from __future__ import annotations

from pathlib import Path

from scaffold import __version__
from scaffold.disk.create import create, refuse_unless_vacant
from scaffold.disk.lock import Lock
from scaffold.files import SPEC
from scaffold.generate import generate
from scaffold.new import Created
from scaffold.spec.lint import lint
from scaffold.starter import Starter
from scaffold.yaml.source import parse


def init(starter: Starter, name: str, dest: Path) -> Created:
    """Create the project of a starter in the folder `dest`, for a server of this name.

    Raises ScaffoldError, and writes nothing, if the name is wrong or `dest` is not vacant.
    """
    refuse_unless_vacant(dest)
    generated = generate(parse(starter.spec(name), SPEC), starter.folder, Path(), {})
    files, metadata = starter.laid_over(generated)
    lock = Lock.of(generated.files, __version__, generated.inputs)
    create(files, lock, dest, {**generated.metadata, **metadata})
    loaded = generated.loaded
    return Created(dest, generated, (*lint(loaded.spec, loaded.document), *generated.remarks))
