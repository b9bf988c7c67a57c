"""Add an entry to the spec of a project, as a template to fill in."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from scaffold.base.diagnostics import Diagnostic, Edit, Place, ScaffoldError, Severity
from scaffold.base.files import SPEC
from scaffold.commands.regenerate import lock_of
from scaffold.commands.validate import applied, findings_in
from scaffold.disk.swap import save
from scaffold.editing.appending import appended
from scaffold.format.lint.entries import PLACEHOLDERS
from scaffold.yaml.document import Document
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
