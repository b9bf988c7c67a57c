"""The user's own files that a spec names: read, and never changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from scaffold.base.diagnostics import Diagnostic, ScaffoldError
from scaffold.base.files import SPEC, Owner, RelPath, RenderedFile, RenderedFiles
from scaffold.format.check import LoadedSpec
from scaffold.format.spec import Spec
from scaffold.packs.pack import Pack
from scaffold.project.skills import read_skills
from scaffold.yaml.document import Document

PAGE = "files/ui/page.html"
"""The file of a pack that is the first page of a tool."""


class Attached(Struct, frozen=True):
    """The files that a spec names, by their path beside it.

    `texts` are those of static resources and pages, `skills` the files in the directory of skills.
    """

    texts: Mapping[RelPath, str] = {}
    skills: Mapping[RelPath, bytes] = {}


def attachments(spec: Spec, document: Document, folder: Path) -> Attached:
    """Read the files that a spec in `folder` names; a page can be missing, and is written then.

    Raises ScaffoldError for every file that cannot be read, is not UTF-8, or leads outside the
    folder through a link, and for everything that is wrong with skills.
    """
    texts: dict[RelPath, str] = {}
    skills: Mapping[RelPath, bytes] = {}
    faults: list[Diagnostic] = []
    named = [(f"{r.pointer}/file", r.file, r.path, True) for r in spec.resources if r.path]
    named += [(f"{t.pointer}/ui/file", t.ui.file, t.ui.path, False) for t in spec.tools if t.ui]
    for pointer, written, path, is_needed in named:
        try:
            if is_needed or (folder / path).is_file():
                texts[path] = _text(folder, path)
        except (OSError, UnicodeDecodeError) as error:
            reason = "not UTF-8 text" if isinstance(error, ValueError) else error.strerror
            otherwise = ", or remove `file` to write a handler instead" if is_needed else ""
            faults.append(
                Diagnostic(
                    "unreadable-file",
                    f"cannot read `{written}`: {reason or error}",
                    document.place(pointer),
                    f"correct the path{otherwise}",
                    pointer=pointer,
                )
            )
    try:
        if spec.skills_path:
            skills = read_skills(folder, spec.skills_path)
    except ScaffoldError as error:
        faults += error.diagnostics
    if faults:
        raise ScaffoldError(faults)
    return Attached(texts, skills)


def _text(folder: Path, path: RelPath) -> str:
    file = folder / path
    if not file.resolve().is_relative_to(folder.resolve()):
        raise OSError("it is outside the directory of the spec")
    return file.read_bytes().decode()


def with_first_pages(attached: Attached, spec: Spec, layers: Sequence[Pack]) -> dict[RelPath, str]:
    """Return the texts, with the pack's first page for pages that do not exist yet."""
    first = next((pack.copied[PAGE] for pack in layers if PAGE in pack.copied), b"")
    pages = {tool.ui.path: first.decode() for tool in spec.tools if tool.ui}
    return {**pages, **attached.texts}


def with_named(files: RenderedFiles, attached: Attached, loaded: LoadedSpec) -> RenderedFiles:
    """Return the files of a project with its spec and the files that the spec names.

    Pages and skills replace the first ones of the pack. Raises ScaffoldError if two others claim a
    path.
    """
    document, spec = loaded.document, loaded.spec
    named = {r.path: r for r in reversed(spec.resources) if r.path in attached.texts}
    own = [
        RenderedFile(
            path,
            Owner.OWNED,
            attached.texts[path],
            f"the resource `{resource.name}`",
            place=document.place(f"{resource.pointer}/file"),
        )
        for path, resource in named.items()
        if path is not None
    ]
    pages = {tool.ui.path for tool in spec.tools if tool.ui} & attached.texts.keys() - named.keys()
    theirs = [RenderedFile(p, Owner.OWNED, attached.texts[p], "a page") for p in pages]
    theirs += [
        RenderedFile(path, Owner.OWNED, "", "a skill", data=data)
        for path, data in attached.skills.items()
    ]
    first = {file.path for file in theirs}
    others = (file for path, file in files.items() if path not in first)
    text = RenderedFile(SPEC, Owner.OWNED, document.text, "the spec")
    return RenderedFiles.of([*others, text, *own, *theirs])
