"""Documents checked by all rules, with those of the language."""

from __future__ import annotations

from scaffold.format import check as spec_check
from scaffold.format.check import LoadedSpec
from scaffold.format.spec import Spec
from scaffold.project import chosen
from scaffold.yaml.document import Document


def check(document: Document) -> Spec:
    return load(document).spec


def load(document: Document) -> LoadedSpec:
    return spec_check.load(document, chosen.rule())
