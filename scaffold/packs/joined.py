"""Find blocks whose last line runs into the line that follows them in the original."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scaffold.diagnostics import Diagnostic, Place, Severity
from scaffold.packs.pack import Pack

_EXTENDS = re.compile(r"""\{%[-+]?\s*extends\s+["'](?:@(?P<pack>[\w-]+)/)?(?P<path>[^"']+)["']""")
_TAG = r"[ \t]*\{%[^%]*%\}\n"
_ALONE = re.compile(
    r"^[ \t]*\{%\s*block\s+(?P<name>\w+)\b[^%]*%\}(?:(?!\{%\s*block\b).)*?\{%\s*endblock\b[^%]*%\}\n"
    rf"(?:{_TAG})*(?!{_TAG})(?=[^\n])",
    re.MULTILINE | re.DOTALL,
)
"""A block with lines of its own that text follows, with at most tags in between."""

_FILLED = re.compile(
    r"\{%[-+]?\s*block\s+(?P<name>\w+)\b[^%]*%\}(?P<text>(?:(?!\{%[-+]?\s*block\b).)*?)"
    r"\{%(?P<trim>-?)\+?\s*endblock\b",
    re.DOTALL,
)


def joined(pack: Pack, beneath: Sequence[Pack]) -> Iterator[Diagnostic]:
    """Yield a warning for each block that a template of `pack` fills without ending its last line.

    This is about blocks that have lines of their own in the template that it extends, which is one
    of the layers `beneath`.
    """
    for path, text in pack.templates.items():
        if not (extended := _EXTENDS.search(text)):
            continue
        name, target = extended["pack"], extended["path"]
        found = (below.templates.get(target) for below in beneath if name in (None, below.name))
        alone = {block["name"] for block in _ALONE.finditer(next(filter(None, found), ""))}
        for block in _FILLED.finditer(text):
            if block["name"] in alone and not _is_ended(block["text"], bool(block["trim"])):
                line = text.count("\n", 0, block.end()) + 1
                place = Place(str(pack.folder / path), line, excerpt=text.split("\n")[line - 1])
                message = f"the last line of block `{block['name']}` runs into the next line"
                hint = "put `{% endblock %}` on a line of its own"
                yield Diagnostic("template-joined", message, place, hint, Severity.WARNING)


def _is_ended(text: str, trimmed: bool) -> bool:
    """Return whether the text of a block is empty or ends with a line end, tags aside.

    `trimmed` says that Jinja takes the line end away.
    """
    end = len(text)
    while end > 0:
        if text[end - 1] in " \t" or (trimmed and text[end - 1] == "\n"):
            end -= 1
        elif text.endswith(("%}", "#}", "super() }}"), 0, end):
            end = max(text.rfind(opening, 0, end) for opening in ("{%", "{#", "{{"))
        else:
            return text[end - 1] == "\n"
    return True
