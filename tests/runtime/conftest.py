"""The runtime of the pack `python`, which tests in this folder import as `python_runtime`."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location

from tests.generated import REPOSITORY

NAME = "python_runtime"
FOLDER = REPOSITORY / "templates/python/runtime"


def load() -> None:
    spec = spec_from_file_location(
        NAME, FOLDER / "__init__.py", submodule_search_locations=[str(FOLDER)]
    )
    assert spec
    assert spec.loader
    sys.modules[NAME] = module_from_spec(spec)
    spec.loader.exec_module(sys.modules[NAME])


load()
