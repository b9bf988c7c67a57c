"""What packs of teams are built of, and the files of what is made with them."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from scaffold.disk.records import PACK, SOURCE
from scaffold.packs.parts import read_parts
from scaffold.project.pack_record import Record, fingerprint

SPEC = """\
name: {name}
version: "1.0.0"
tools:
  - name: greet
    description: Greets a person by name.
    inputSchema:
      type: object
      properties: {{name: {{type: string, description: Whom to greet}}}}
      required: [name]
"""

QUESTIONS = """\
_templates_suffix: .copier
_envops:
  block_start_string: "<%"
  block_end_string: "%>"
  variable_start_string: "<<"
  variable_end_string: ">>"
  comment_start_string: "<#"
  comment_end_string: "#>"
  keep_trailing_newline: true
  undefined: jinja2.StrictUndefined
"""

TABLE = 'name = "acme"\ncontract = 4\nextends = "python"\n'

OWNERS = '[[files]]\ntemplate = "OWNERS.j2"\nowner = "merged"\n'


def record_pack(project: Path) -> None:
    """Record the pack that a test has written to a project, if there is one, as it is now."""
    if parts := read_parts(project / PACK):
        record = Record(".", None, None, fingerprint(parts), {}, {})
        (project / SOURCE).write_text(record.text())


class Create(Protocol):
    """Creates a project with a pack; see `conftest.py`."""

    def __call__(
        self, pack: object, *options: str, name: str = "p", **environment: str
    ) -> Path: ...
