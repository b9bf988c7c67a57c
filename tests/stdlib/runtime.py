"""The runtime of the pack python-stdlib, imported from where it lies."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Any

from scaffold.languages.python.stdlib.models import schema_class
from scaffold.languages.python.stdlib.patterns import translated
from scaffold.schema.index import Index
from tests.generated import REPOSITORY

FOLDER = REPOSITORY / "templates/python-stdlib/runtime"
BENEATH = REPOSITORY / "templates/python/runtime"
"""That of the pack that it extends, where the modules lie that both have."""


@cache
def _package() -> str:
    """Import the package under a name that the other pack's runtime does not have."""
    name = "stdlib_runtime"
    spec = spec_from_file_location(name, FOLDER / "__init__.py")
    assert spec
    assert spec.loader
    sys.modules[name] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    module.__path__.append(str(BENEATH))
    return name


def runtime(module: str) -> ModuleType:
    """Return a module of the runtime."""
    return import_module(f"{_package()}.{module}")


MODULES = {
    "Schema": "schema",
    "RareSchema": "rare_keywords",
    "ChoiceSchema": "choices",
    "AnySchema": "any_schema",
}
"""Where the classes are that the generator chooses from."""


class Patterns(dict[str, Any]):
    """Each pattern as Python's, as the generator writes them for those of a spec."""

    def get(self, pattern: str, _: object = None) -> tuple[str, int | None]:
        python = translated(pattern)
        return python.source, python.limit


def faults_of(schema: Any) -> Callable[[Any], list[str]]:
    """Return what tells the faults of a value, as a generated server does."""
    name = schema_class([Index(schema)])
    kind = getattr(runtime(MODULES[name]), name)
    faults: Callable[[Any], list[str]] = kind(schema, runtime("formats").FORMATS, Patterns()).faults
    return faults
