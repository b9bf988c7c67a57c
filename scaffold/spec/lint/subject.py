"""What the lint rules look at."""

from __future__ import annotations

from dataclasses import dataclass

from scaffold.spec.format import Spec, Tool
from scaffold.yaml.document import Document


@dataclass(frozen=True, slots=True)
class Subject:
    """A spec without errors; `tools` are those to look at one by one."""

    spec: Spec
    document: Document
    tools: tuple[Tool, ...]
