"""Find texts of others that a workflow writes into its scripts, where they could be commands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from scaffold.diagnostics import Diagnostic
from scaffold.diagnostics.wording import quote
from scaffold.publish.jobs import Action
from scaffold.yaml.document import Document

_EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)
_BRACKETS = re.compile(r"\[\s*'([^']*)'\s*\]")
_TEXT = re.compile(
    r"(?<![\w.-])((?:github\.(?:event|head_ref|base_ref|ref|ref_name)|inputs)\b[\w.*\[\]-]*)"
    r"(?!\s*(?:==|!=|&&|[<>]))(?![\w.*\[-])"
)
_HARMLESS = re.compile(
    r".*\.(\w*id|number|\w*sha|action|draft|prerelease|\w*_at|size|\w*count|public|private)|\w+\.event_name"
)
_TEST = re.compile(r"\b(contains|startsWith|endsWith)\s*\([^()]*\)")
_SCRIPTS = {"actions/github-script": "script"}


def faults(actions: Iterable[Action]) -> Iterator[Diagnostic]:
    """Yield expressions in scripts whose values others choose."""
    seen = set[tuple[str, str]]()
    for action in actions:
        at = action.at
        if action.uses:
            key = _SCRIPTS.get(action.uses.partition("@")[0])
            at = f"{at.rpartition('/')[0]}/with/{key}" if key else ""
        if not at or (action.document.name, at) in seen:
            continue
        seen.add((action.document.name, at))
        yield from _found(action.document, at)


def _found(document: Document, at: str) -> Iterator[Diagnostic]:
    node = document.node(at)
    if node is None or not isinstance(node.value, str):
        return
    for expression in _EXPRESSION.finditer(document.text, node.start, node.end):
        plain = _TEST.sub("", _BRACKETS.sub(r".\1", expression[1]))
        names = [name for name in _TEXT.findall(plain) if not _HARMLESS.fullmatch(name)]
        if names:
            message = f"{quote(names[0])} becomes a part of the script, and others choose it"
            hint = 'put it in a variable under `env`, and write `"$NAME"` here'
            place = document.at(*expression.span())
            yield Diagnostic("publish-injection", message, place, hint, pointer=at)
