"""Check what examples take from earlier ones, and what they answer to their tools."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.diagnostics.wording import did_you_mean, quote
from scaffold.jsonschema.index import Index
from scaffold.jsonschema.subschema import Subschema
from scaffold.spec.draft import Draft
from scaffold.spec.format import Tool
from scaffold.spec.references import Reference, references
from scaffold.yaml.finding import Finding

_CHOICES = ("decline", "cancel")


def faults(draft: Draft) -> Iterator[Finding]:
    """Yield references that lead nowhere, and answers to questions that are never asked."""
    sources: dict[str, Tool] = {}
    asks = draft.spec.client_capabilities.model_fields_set
    lost = any(at.startswith("/tools") for at in draft.lost)
    for tool in draft.spec.tools:
        for number, example in enumerate(tool.examples):
            here = f"{tool.pointer}/examples/{number}"
            for reference in references(example.arguments):
                at = f"{here}/arguments{reference.pointer}"
                if source := sources.get(reference.source):
                    yield from _path_faults(reference, source, at)
                elif not lost:
                    yield _unknown(reference, sources, at)
            if example.answers:
                for kind in example.answers.model_fields_set - asks:
                    yield _unasked(f"{here}/answers/{kind}", kind)
                for nth, answer in enumerate(example.answers.elicitation):
                    if isinstance(answer, str) and answer not in _CHOICES:
                        yield _no_answer(f"{here}/answers/elicitation/{nth}", answer)
            if not example.is_error:
                sources.setdefault(tool.name, tool)
                sources.setdefault(example.name, tool)


def _unknown(reference: Reference, sources: dict[str, Tool], at: str) -> Finding:
    return Finding(
        at,
        "unknown-example",
        f"{quote(reference.source)} is not an earlier example that succeeds, or a tool with one",
        did_you_mean(reference.source, sources, "move the example that it needs before this one"),
    )


def _path_faults(reference: Reference, source: Tool, at: str) -> Iterator[Finding]:
    """Yield the first key of a path that the `outputSchema` of its tool does not have."""
    if source.result is None:
        return
    schemas = [source.result.root]
    for key in reference.path:
        names = {one.name: one for one in source.result.properties(*schemas)}
        if key in names:
            schemas = [*names[key].schemas, *names[key].variants]
        elif names:
            yield Finding(
                at,
                "unknown-result",
                f"{quote(key)} is not in the `outputSchema` of {quote(source.name)}",
                did_you_mean(key, names, "use the path of a value in it"),
            )
            return
        else:
            schemas = _items(source.result, schemas)
        if not schemas:
            return


def _items(index: Index, schemas: list[Subschema]) -> list[Subschema]:
    return [item for schema in index.applied(*schemas) for item in index.items(schema)]


def _unasked(at: str, kind: str) -> Finding:
    return Finding(
        at,
        "bad-answer",
        f"the server never asks for {kind}",
        f"add `clientCapabilities: {{{kind}: {{}}}}`, or remove the answers",
        at_key=True,
    )


def _no_answer(at: str, answer: str) -> Finding:
    return Finding(
        at,
        "bad-answer",
        f"{quote(answer)} is not an answer to a form",
        "write the values of its fields, `decline` or `cancel`",
    )
