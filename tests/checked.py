"""Documents checked by all rules, with those of the language."""

from __future__ import annotations

from scaffold.project import chosen
from scaffold.spec import check as spec_check
from scaffold.spec.check import LoadedSpec
from scaffold.spec.format import Spec
from scaffold.yaml.document import Document


def check(document: Document) -> Spec:
    return load(document).spec


def load(document: Document) -> LoadedSpec:
    return spec_check.load(document, chosen.rule())
