"""The input of the lint rules."""

from __future__ import annotations

from dataclasses import dataclass

from scaffold.spec.format import Spec, Tool
from scaffold.yaml.document import Document


@dataclass(frozen=True, slots=True)
class Subject:
    """A valid spec; `tools` are those to check one by one."""

    spec: Spec
    document: Document
    tools: tuple[Tool, ...]
