"""What a module imports is found fast, and nothing that parsing it finds is overlooked."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import pytest

from scaffold.languages.python.modules import imports, possible_imports

PATH = "src/demo/tools/search.py"

MODULES = [
    "from demo._generated.contract import Context, Hit\n",
    "from ..lifespan import Shared as State\n",
    "from . import *  # all of it\n",
    "from .a import (\n    One,\n    Two as Second,  # and more\n)\n",
    "import demo.tools, demo.lifespan as lifespan\n",
    "if True: from demo import a\n",
    "a = 1; import demo.tools\n",
    "from demo import \\\n    tools\n",
    "from demo \\\n    import tools\n",
    '"""How to import it:\n\nfrom demo import tools\n"""\nimport json\n',
    "try:\n\timport demo.tools\nexcept ImportError:\n\tfrom demo.a import b\n",
    "match 1:\n    case 1:\n        import demo.tools\n",
]


def names(text: str, *, fast: bool) -> set[tuple[str, str]]:
    imported = (possible_imports if fast else imports)(text, PATH)
    return {(each.module, each.name) for each in imported}


@pytest.mark.parametrize("text", MODULES)
def test_the_fast_search_misses_no_import_in_any_text(text: str) -> None:
    assert names(text, fast=False)
    assert names(text, fast=True) >= names(text, fast=False)


def test_the_fast_search_misses_no_import_in_the_standard_library() -> None:
    for file in Path(sysconfig.get_path("stdlib")).glob("*.py"):
        text = file.read_text("utf-8", "replace")
        assert names(text, fast=True) >= names(text, fast=False), file
