"""The built-in templates as an earlier run compiled them, kept where Python keeps its own bytecode.

Compiling takes ten times as long as rendering. Only what came with mcp-scaffold is kept: whoever
can write beside it can change the program itself.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path
from pickle import UnpicklingError

from jinja2 import FileSystemBytecodeCache, compiler
from jinja2.bccache import Bucket

from scaffold.packs import builtin_packs

_COMPILERS = (Path(compiler.__file__), Path(__file__).with_name("sandbox.py"))
"""Where it is decided what a template is compiled into."""


class CompiledTemplates(FileSystemBytecodeCache):
    """Jinja's cache, in `__pycache__` beside the built-in packs; if that cannot be, there is none.

    Python's switch against writing bytecode, PYTHONDONTWRITEBYTECODE, holds here too.
    """

    def __init__(self) -> None:
        self._packs = builtin_packs()
        self._compilers = [(path.stat().st_mtime_ns, path.stat().st_size) for path in _COMPILERS]
        super().__init__(str(self._packs / "__pycache__"), "%s.jinja")

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """The name of the file that keeps the template, empty for one that is not kept."""
        if filename is None or not Path(filename).is_relative_to(self._packs):
            return ""
        return sha256(repr((name, filename, self._compilers)).encode()).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        try:
            if bucket.key:
                super().load_bytecode(bucket)
        except (EOFError, OSError, UnpicklingError):
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        try:
            if bucket.key and not sys.dont_write_bytecode:
                Path(self.directory).mkdir(exist_ok=True)
                super().dump_bytecode(bucket)
        except OSError:
            pass  # a read-only installation: compiled anew each time
