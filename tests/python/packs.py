"""The models of schemas in each built-in pack, as code, and imported."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from pydantic_core import to_json

from scaffold.base.files import Owner, RelPath, RenderedFile, RenderedFiles
from scaffold.languages.python.format import formatted
from scaffold.languages.python.stdlib import models
from scaffold.languages.python.types import types
from scaffold.languages.python.types.definitions import Definition, source
from scaffold.languages.python.types.naming import with_names
from scaffold.languages.python.types.types import Types
from scaffold.schema.index import Index
from tests.corpus.recording import whole
from tests.stdlib.runtime import FOLDER, runtime

Schema = dict[str, Any]


class Pack(NamedTuple):
    """A built-in pack: the beginning of its module of models, and how it writes and reads them.

    `beside` are the modules that this one imports.
    """

    name: str
    head: str
    written: Callable[[Iterable[Definition]], Iterable[str]]
    read: Callable[[Any, object], Any]
    dump: Callable[[Any], object]
    beside: Mapping[str, str]

    def module(self, *all_types: Types) -> str:
        """A module that defines these types."""
        definitions = [definition for types in all_types for definition in types.definitions]
        return "\n\n\n".join([self.head, *self.written(definitions), ""])

    def loaded(self, types: Types) -> ModuleType:
        """The module of these types, imported."""
        sys.modules["base_of_models"] = runtime("model")
        sys.modules["home"] = home = ModuleType("home")
        exec(self.module(types), home.__dict__)
        return home

    def sent_back(self, schema: Schema, value: object) -> object:
        """Arguments after the conversion into a model and out of it."""
        model = self.loaded(arguments_of(schema)).EchoArguments
        return self.dump(self.read(model, whole(value)))


PYTHON = Pack(
    "python",
    """
from __future__ import annotations

import datetime as dt
from typing import Annotated, Any, Literal, Never, TypeAlias
from uuid import UUID

from pydantic import Field
from typing_extensions import TypeAliasType

from tests.python.models import OMIT_IF_NONE, Model
""",
    lambda definitions: map(source, definitions),
    lambda model, value: model.model_validate_json(to_json(value), strict=True, by_name=False),
    lambda value: value.model_dump(mode="json", exclude_unset=True),
    {},
)
STDLIB = Pack(
    "python-stdlib",
    """
from __future__ import annotations

import datetime as dt
from typing import Any, Literal, Never, TypeAlias
from uuid import UUID

from base_of_models import OMIT_IF_NONE, Field, Model
""",
    lambda definitions: models.sources([*definitions]),
    lambda model, value: model.model_validate(value),
    lambda value: value.model_dump(),
    {
        "base_of_models": (FOLDER / "model.py")
        .read_text()
        .replace("from .typed", "from types_of_models"),
        "types_of_models": (FOLDER / "typed.py").read_text(),
    },
)
PACKS = (PYTHON, STDLIB)


def arguments_of(schema: Schema | bool, stem: str = "Echo") -> Types:
    return with_names([types.arguments_of(Index(schema), stem)], {f"{stem}Arguments"})[0]


def result_of(schema: Schema | bool, stem: str = "Echo") -> Types:
    return with_names([types.result_of(Index(schema), stem)], {f"{stem}Result"})[0]


def object_of(**properties: object) -> Schema:
    return {"type": "object", "properties": properties}


def in_style(modules: Mapping[str, str]) -> dict[str, str]:
    """Format modules as those of a project."""
    paths = {RelPath(f"{name}.py"): text for name, text in modules.items()}
    files = RenderedFiles({p: RenderedFile(p, Owner.OWNED, paths[p], p) for p in paths})
    return {path.removesuffix(".py"): file.text for path, file in formatted(files).items()}


def assert_clean(folder: Path, modules: Mapping[str, str], cache: Path) -> None:
    """Write modules as they come from the formatter, and have ruff and mypy find nothing in them."""
    for name, text in in_style(modules).items():
        (folder / f"{name}.py").write_text(text)
    for command in (
        ("ruff", "format", "--isolated", "--diff", "."),
        ("ruff", "check", "--isolated", "."),
        ("mypy", "--strict", "--python-version=3.11", f"--cache-dir={cache}", "."),
    ):
        result = subprocess.run(
            [sys.executable, "-m", *command],
            cwd=folder,
            env={**os.environ, "MYPYPATH": str(Path(__file__).parents[2])},
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.returncode == 0, result.stdout + result.stderr
