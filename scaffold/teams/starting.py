"""Write a small pack to start from: one block, one row, one question, and its CI."""

from __future__ import annotations

import re
from pathlib import Path

from scaffold import __version__
from scaffold.diagnostics import ScaffoldError
from scaffold.disk.create import refuse_unless_vacant
from scaffold.disk.tree import failure
from scaffold.packs.layers import PROJECT
from scaffold.packs.pack import pack_names

_FILES = Path(__file__).with_name("starter")
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def write_starter(name: str, folder: Path) -> list[Path]:
    """Write a pack called `name` to a vacant folder; return the paths of its files in it.

    Raises ScaffoldError if a pack cannot have the name, the folder is not vacant, or the disk
    refuses.
    """
    if not _NAME.fullmatch(name):
        hint = "use lowercase letters and digits, joined by hyphens"
        raise ScaffoldError.of("pack-value", f"`{name}` cannot be the name of a pack", name, hint)
    if name in (*pack_names(), PROJECT):
        whose = "a project's own templates" if name == PROJECT else "a built-in pack"
        message = f"`{name}` is already the name of {whose}"
        raise ScaffoldError.of("pack-value", message, name, "choose another name")
    refuse_unless_vacant(folder)
    written = []
    try:
        for file in sorted(path for path in _FILES.rglob("*") if path.is_file()):
            path = file.relative_to(_FILES)
            text = file.read_text("utf-8").replace("PACK_NAME", name)
            text = text.replace("MCP_SCAFFOLD_VERSION", __version__)
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, "utf-8", newline="\n")
            written.append(path)
    except OSError as error:
        raise failure("cannot-write", folder, error) from error
    return written
