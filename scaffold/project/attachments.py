"""The user's own files that a spec names: read, and never changed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from scaffold.base.diagnostics import Diagnostic, ScaffoldError
from scaffold.base.files import SPEC, Owner, RelPath, RenderedFile, RenderedFiles
from scaffold.spec.check import LoadedSpec
from scaffold.spec.format import Spec
from scaffold.yaml.source import Document


def attachments(spec: Spec, document: Document, folder: Path) -> dict[RelPath, str]:
    """Return the text of each file that a static resource names, by its path beside the spec.

    Raises ScaffoldError for every file that cannot be read, is not UTF-8, or leads outside the
    folder through a link.
    """
    texts: dict[RelPath, str] = {}
    faults: list[Diagnostic] = []
    for resource in spec.resources:
        if resource.path is None:
            continue
        try:
            texts[resource.path] = _text(folder, resource.path)
        except (OSError, UnicodeDecodeError) as error:
            reason = "not UTF-8 text" if isinstance(error, ValueError) else error.strerror
            pointer = f"{resource.pointer}/file"
            faults.append(
                Diagnostic(
                    "unreadable-file",
                    f"cannot read `{resource.file}`: {reason or error}",
                    document.place(pointer),
                    "correct the path, or remove `file` to write a handler instead",
                    pointer=pointer,
                )
            )
    if faults:
        raise ScaffoldError(faults)
    return texts


def _text(folder: Path, path: RelPath) -> str:
    file = folder / path
    if not file.resolve().is_relative_to(folder.resolve()):
        raise OSError("it is outside the directory of the spec")
    return file.read_bytes().decode()


def with_named(
    files: RenderedFiles, attached: Mapping[RelPath, str], loaded: LoadedSpec
) -> RenderedFiles:
    """Return the files of a project with its spec and the files that the spec names.

    Raises ScaffoldError if two of them claim a path.
    """
    document = loaded.document
    named = {r.path: r for r in reversed(loaded.spec.resources) if r.path in attached}
    own = [
        RenderedFile(
            path,
            Owner.OWNED,
            attached[path],
            f"the resource `{resource.name}`",
            place=document.place(f"{resource.pointer}/file"),
        )
        for path, resource in named.items()
        if path is not None
    ]
    spec = RenderedFile(SPEC, Owner.OWNED, document.text, "the spec")
    return RenderedFiles.of([*files.values(), spec, *own])
