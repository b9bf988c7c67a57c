"""Add an entry to the spec of a project, as a template to fill in."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from textwrap import indent

from msgspec.structs import replace

from scaffold.base.diagnostics import Diagnostic, Edit, Place, ScaffoldError, Severity
from scaffold.base.files import SPEC
from scaffold.commands.regenerate import lock_of
from scaffold.commands.validate import applied, findings_in
from scaffold.disk.swap import save
from scaffold.editing.fixes import end_of
from scaffold.editing.text import indentation, line_start
from scaffold.format.lint.entries import PLACEHOLDERS
from scaffold.yaml.document import Document, Node
from scaffold.yaml.source import load, parse
from scaffold.yaml.writing import scalar

_TOOL = """\
- name: {name}
  title: {title}
  # A model chooses the tool by its description, and fills in arguments by theirs.
  description: {description}
  inputSchema:           # JSON Schema: sent to clients unchanged, and every call is validated
    type: object
    properties:
      text: {{type: string, description: "What to work on, such as …"}}
    required: [text]
    additionalProperties: false
  # outputSchema:        # without it, the tool returns text
  #   type: object
  #   properties: {{count: {{type: integer}}}}
  #   required: [count]
  # annotations: {{readOnlyHint: true, openWorldHint: false}}
  # errors: [NotFound]   # of `errors` at the top of the spec
  # examples:            # client.py and the tests make these calls, in this order
  #   - {{name: a call, arguments: {{text: hello}}, result: …}}
"""

_RESOURCE = """\
- uri: {uri}   # with {{variables}} it is a `uriTemplate`, in `resourceTemplates`
  name: {name}
  title: {title}
  description: {description}
  mimeType: text/plain
  # text: Hello.         # instead of a handler; or `file:`
  # examples: [{{name: as it is, result: …}}]
"""

_PROMPT = """\
- name: {name}
  title: {title}
  description: {description}
  arguments:
    - {{name: topic, description: What it is about., required: true}}
  messages:              # remove them to write the prompt in a handler
    - {{role: user, content: "Tell me about {{topic}}."}}
  # examples: [{{name: about tea, arguments: {{topic: tea}}, result: Tell me about tea.}}]
"""


KINDS = {
    "tool": ("tools", _TOOL),
    "resource": ("resources", _RESOURCE),
    "prompt": ("prompts", _PROMPT),
}
"""The key of the list of each kind of entry, and the text of a new one."""

_COMMENT = re.compile(r"( *)#[^\n]*(\n|\Z)")
_BELOW = re.compile(r"(\s|^ *#[^\n]*)*\Z", re.MULTILINE)
_DASH = re.compile(r"^( *)-\s", re.MULTILINE)
_REMARK = re.compile(r"(?<=\s)#[^\n]*")


def add(root: Path, kind: str, name: str) -> tuple[Place, Callable[[], None]]:
    """Add an entry to the spec of the project at `root`.

    Returns the place of its description, and a function that undoes the change.

    Raises ScaffoldError, and writes nothing, if the folder is no project, if the spec has errors,
    or if it would have: because the name is wrong, or taken.
    """
    lock_of(root)
    path = root / SPEC
    encoded = load(path, str(path))
    if faults := _errors(findings_in(encoded.text, path)):
        raise ScaffoldError(faults)
    document = parse(encoded.text, str(path))
    edit = _edit(document, kind, name)
    if "\r\n" in encoded.text:
        edit = edit._replace(text=edit.text.replace("\n", "\r\n"))
    new = applied(encoded.text, [edit])
    if faults := _errors(findings_in(new, path)):
        raise ScaffoldError([_unwritten(fault, path) for fault in faults])
    old_bytes, new_bytes = encoded.encode(encoded.text), encoded.encode(new)
    save(path, new_bytes, old_bytes)
    after, key = parse(new, str(path)), KINDS[kind][0]
    [*_, (last, _)] = after.mappings(key)
    return after.place(f"{last}/description"), partial(save, path, old_bytes, new_bytes)


def _edit(document: Document, kind: str, name: str) -> Edit:
    """Return the edit that adds an entry of this kind and name to a valid spec.

    The name of a resource can be its URI.
    """
    key, text = KINDS[kind]
    server = document.value["name"] if isinstance(document.value, dict) else ""
    uri = f"{server}://{'-'.join(name.split())}"
    if kind == "resource" and "://" in name:
        uri, name = name, name.partition("://")[2]
    text = text.format(
        name=scalar(name),
        title=scalar(re.sub("[_/-]+", " ", name).capitalize()),
        uri=scalar(uri),
        description=PLACEHOLDERS[kind],
    )
    [(_, value)] = parse(f"{key}:\n{text}").mappings(key)
    return appended(document, key, text, value)


def _unwritten(fault: Diagnostic, path: Path) -> Diagnostic:
    """Return an error of the spec as it would have been: its line is in no file."""
    hint = "; ".join(filter(None, (fault.hint, "nothing was written")))
    return replace(fault, place=Place(str(path)), hint=hint)


def _errors(findings: tuple[Diagnostic, ...]) -> list[Diagnostic]:
    return [finding for finding in findings if finding.severity is Severity.ERROR]


def appended(document: Document, key: str, text: str, value: Mapping[str, object]) -> Edit:
    """Return the edit that adds an item to the list of this name, as its last.

    `text` is the item as YAML in block style, which begins with a dash; `value` is the same without
    comments, for a list or a spec in brackets. A list that is missing or empty gets it as its first
    item.
    """
    node = document.node(f"/{key}")
    if node is None and document.is_flow(""):
        return _in_flow(document, document.root, f"{json.dumps(key)}: [{json.dumps(value)}]")
    if node is None:
        end = len(document.text)
        before = "\n" if document.text.endswith("\n") else "\n\n"
        return Edit(end, end, f"{before}{key}:\n{indent(text, '  ')}")
    if document.is_flow(f"/{key}") and (node.kids or document.is_flow("")):
        return _in_flow(document, node, json.dumps(value))
    if not node.kids:
        return Edit(node.start, node.end, f"\n{indent(text, '  ')}".removesuffix("\n"))
    return _in_block(document, node, text)


def _in_flow(document: Document, node: Node, item: str) -> Edit:
    """Return the edit that adds an item before the bracket that closes a list or an object."""
    text = document.text
    last = len(text[: node.end - 1].rstrip())
    separator = " "
    if "\n" in text[node.start : node.end - 1]:  # an item on a line of its own, as deep as the last
        separator = "\n" + indentation(text, last)
    kids = list(node.kids.values()) if isinstance(node.kids, dict) else node.kids or []
    ends = max((kid.node.end for kid in kids), default=last)
    after = text[ends:last]
    without_remarks = _REMARK.sub("", after).strip()
    if "#" in after and without_remarks in ("", ","):  # the comma goes before the comment
        comma = "" if without_remarks else ","
        return Edit(ends, last, f"{comma}{after}{separator}{item}")
    comma = "" if text[last - 1] in "[{," else ","
    return Edit(last, last, f"{comma}{separator}{item}")


def _in_block(document: Document, node: Node, text: str) -> Edit:
    """Return the edit that adds an item below the last, and below the comments that belong to it."""
    first = line_start(document.text, node.start)
    dash = _DASH.search(document.text, first)  # an anchor may come before it
    margin = len(dash[1]) if dash else node.start - first
    ends = max(  # a block's end is below it, and that of an alias is where its anchor is
        end_of(document, node), len(_BELOW.sub("", document.text[: node.end], 1))
    )
    last = document.text[:ends].rstrip()
    end = document.text.find("\n", len(last)) + 1 or len(document.text)
    while (comment := _COMMENT.match(document.text, end)) and len(comment[1]) > margin:
        end = comment.end()
    before = "" if document.text[:end].endswith("\n") else "\n"
    after = "\n" if document.text[end:].strip() and document.text[end] != "\n" else ""
    return Edit(end, end, f"{before}\n{indent(text, ' ' * margin)}{after}")
