"""A cache of compiled built-in templates, kept where Python keeps its bytecode.

Compiling takes ten times as long as rendering. Only templates that came with mcp-scaffold are
cached: whoever can write there can change the program itself.
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
"""The code that determines the compiled form of a template."""


class CompiledTemplates(FileSystemBytecodeCache):
    """Jinja's cache, in `__pycache__` beside the built-in packs, if that is writable.

    PYTHONDONTWRITEBYTECODE turns off writing here too.
    """

    def __init__(self) -> None:
        self._packs = builtin_packs()
        self._compilers = [(path.stat().st_mtime_ns, path.stat().st_size) for path in _COMPILERS]
        super().__init__(str(self._packs / "__pycache__"), "%s.jinja")

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """Return the file name of the cached template; empty if it is not to be cached."""
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
            pass  # a read-only installation: compile each time
