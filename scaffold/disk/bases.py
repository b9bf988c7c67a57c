"""The bases of merged files: what the templates last made of each, for the next merge.

They are in one file that is no text to git, formatters and linters, so that none changes a base.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from scaffold.disk.lock import as_path
from scaffold.disk.records import BASES
from scaffold.disk.tree import Tree
from scaffold.files import Owner, RelPath, RenderedFile

_BINARY = b"\0"
"""The first byte, by which other programs see that the file is no text."""


def bases_of(files: Mapping[RelPath, RenderedFile]) -> Mapping[RelPath, str]:
    """Return the bases of a project that has just been generated."""
    return {path: file.text for path, file in files.items() if file.owner is Owner.MERGED}


def packed(bases: Mapping[RelPath, str]) -> bytes:
    """Return the record of these bases, in MessagePack."""
    return _BINARY + msgspec.msgpack.encode({str(path): bases[path] for path in sorted(bases)})


def read_bases(tree: Tree) -> Mapping[RelPath, str]:
    """Read the base of each merged file; none if the record is lost or broken."""
    found = tree.read(BASES)
    try:
        data = found.data.removeprefix(_BINARY) if found else msgspec.msgpack.encode({})
        return msgspec.msgpack.decode(data, type=dict[RelPath, str], dec_hook=as_path)
    except ValueError:
        return {}
