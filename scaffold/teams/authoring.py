"""What the authors of a pack begin with and keep: a small pack, and its golden outputs."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from scaffold import __version__
from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.files import RenderedFile
from scaffold.disk.create import refuse_unless_vacant
from scaffold.disk.diff import unified
from scaffold.disk.tree import digest, failure
from scaffold.packs.layers import PROJECT
from scaffold.packs.pack import pack_names
from scaffold.teams.check import Sample

GOLDEN = "golden"
"""The folder of the golden outputs, in that of the pack."""

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


def golden(samples: Iterable[Sample]) -> Mapping[str, str]:
    """Return the texts to keep, by path: those of the files that differ from the samples' bases.

    Beside the folder of a server is a list: the files with another owner or mode, those that are
    copied, and those that are gone.
    """
    texts = {}
    for sample in samples:
        folder, files, base = sample.name, sample.files, sample.base
        for path, file in files.items():
            if file.data is None and (path not in base or base[path].text != file.text):
                texts[f"{folder}/{path}"] = file.text
        lines = [
            f"{path}: {kind}\n"
            for path in sorted(files.keys() | base.keys())
            if (kind := _kind(files.get(path))) != _kind(base.get(path))
        ]
        if lines:
            texts[f"{folder}.txt"] = "".join(lines)
    return texts


def _kind(file: RenderedFile | None) -> str:
    """Return the owner of a file, whether it is executable, and the hash of a copied one."""
    if file is None:
        return "gone"
    copied = "" if file.data is None else f", sha256 {digest(file.data)}"
    return f"{file.owner}{', executable' * file.executable}{copied}"


def update(folder: Path, texts: Mapping[str, str]) -> None:
    """Replace the golden outputs in the folder of a pack. Raises ScaffoldError if the disk refuses."""
    root = folder / GOLDEN
    try:
        if root.exists():
            shutil.rmtree(root)
        for path, text in texts.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, "utf-8", newline="\n")
    except OSError as error:
        raise failure("cannot-write", root, error) from error


def differences(folder: Path, texts: Mapping[str, str]) -> Iterator[str]:
    """Yield a unified diff of each golden output in the folder of a pack that is not as it was."""
    root = folder / GOLDEN
    files = (path for path in root.rglob("*") if path.is_file())
    kept = {file.relative_to(root).as_posix(): file.read_bytes() for file in files}
    was = {path: data.decode(errors="replace").replace("\r\n", "\n") for path, data in kept.items()}
    for path in sorted(was.keys() | texts.keys()):
        old = f"a/{GOLDEN}/{path}" if path in was else "/dev/null"
        new = f"b/{GOLDEN}/{path}" if path in texts else "/dev/null"
        if difference := unified(was.get(path, ""), texts.get(path, ""), old, new):
            yield difference
