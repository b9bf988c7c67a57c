"""Check static resources: one content, and files inside the directory of the spec."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.diagnostics.wording import quote
from scaffold.files import RelPath
from scaffold.spec.draft import Draft
from scaffold.yaml.finding import Finding


def faults(draft: Draft) -> Iterator[Finding]:
    """Yield resources with two contents, and files outside the directory."""
    for resource in draft.spec.resources:
        if resource.file is None:
            continue
        try:
            RelPath(resource.file)
        except ValueError:
            yield Finding(
                f"{resource.pointer}/file",
                "bad-relative-path",
                f"{quote(resource.file)} is not a path below the folder of the spec",
                "give a path with `/` and without `..`: `content/about.md`",
            )
        if resource.text is not None:
            yield Finding(
                f"{resource.pointer}/file",
                "two-contents",
                "the resource has both `text` and `file`",
                "keep one of the two",
                at_key=True,
            )
