"""A spec and its folder → the texts of the files that it names, which are the user's own."""

from __future__ import annotations

from pathlib import Path

from scaffold.diagnostics import Diagnostic, ScaffoldError
from scaffold.files import Owner, RelPath, RenderedFile, RenderedFiles
from scaffold.spec.format import Spec
from scaffold.yaml.source import Document


def attachments(spec: Spec, document: Document, folder: Path) -> dict[RelPath, str]:
    """The text of each file that a static resource names, by its path beside the spec.

    Raises ScaffoldError for each that cannot be read, is no UTF-8 text, or lies elsewhere behind a
    link.
    """
    texts: dict[RelPath, str] = {}
    faults: list[Diagnostic] = []
    for resource in spec.resources:
        if resource.path is None:
            continue
        try:
            path = folder / resource.path
            if not path.resolve().is_relative_to(folder.resolve()):
                raise OSError("it lies outside the folder of the spec")
            texts[resource.path] = path.read_bytes().decode()
        except (OSError, UnicodeDecodeError) as error:
            reason = "it is not UTF-8 text" if isinstance(error, ValueError) else error.strerror
            pointer = f"{resource.pointer}/file"
            faults.append(
                Diagnostic(
                    "unreadable-file",
                    f"`{resource.file}` cannot be read: {reason or error}",
                    document.place(pointer),
                    "leave out `file` to write a handler instead",
                    pointer=pointer,
                )
            )
    if faults:
        raise ScaffoldError(faults)
    return texts


def beside(files: RenderedFiles, attached: dict[RelPath, str], document: Document) -> RenderedFiles:
    """The files of a project with those that its spec names.

    Raises ScaffoldError (`path-claimed`) where a template makes a file that the spec names.
    """
    if clash := sorted(attached.keys() & files.keys()):
        named = {str(part.get("file")): at for at, part in document.mappings("resources")}
        raise ScaffoldError(
            Diagnostic(
                "path-claimed",
                f"`{path}` is named by the spec, and made by {files[path].origin}",
                document.place(f"{named[path]}/file"),
                "give the file of the resource another name, or a folder of its own",
                pointer=f"{named[path]}/file",
            )
            for path in clash
        )
    own = {
        path: RenderedFile(path, Owner.OWNED, text, "the spec") for path, text in attached.items()
    }
    return RenderedFiles({**files, **own})
