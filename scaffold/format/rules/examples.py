"""Check the needs, the expected results and the answers of examples."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.base.diagnostics.wording import did_you_mean, join, quote
from scaffold.base.secrets import in_words, is_secret_name
from scaffold.format.draft import Draft
from scaffold.format.examples import CallExample
from scaffold.format.placeholders import Reference, patterns, read_names, without_references
from scaffold.format.spec import Spec, Tool
from scaffold.format.story import StoryStep, story
from scaffold.schema.check import pattern_problem
from scaffold.schema.index import Index
from scaffold.schema.resolver import Subschema
from scaffold.yaml.document import pointer
from scaffold.yaml.finding import Finding

_LISTS = ("/tools", "/resources", "/resourceTemplates", "/prompts")


def faults(draft: Draft) -> Iterator[Finding]:
    """Yield findings for unknown needs and errors, impossible patterns, and unused answers."""
    whole = story(draft.spec)
    is_known = not any(at.startswith(_LISTS) for at in draft.lost)
    names = dict.fromkeys(n for step in whole.steps for n in (step.example.name, step.entry.name))
    for step in whole.steps:
        for reference in step.references():
            at = f"{step.at}{reference.pointer}"
            if source := step.needs.get(reference.source):
                yield from _path_faults(reference, source, at)
            elif is_known and reference.whole:
                message = "is not an example that succeeds, or a tool with one"
                yield _unknown(reference.source, message, [*whole.results], at)
        if is_known and (after := step.example.after) and after not in step.needs:
            yield _unknown(after, "is not the name of an example", [*names], f"{step.at}/after")
        yield from _pattern_faults(step)
        if isinstance(step.entry, Tool) and isinstance(step.example, CallExample):
            yield from _error_faults(step.entry, step.example, step.at, draft)
            yield from _answer_faults(step.example, step.at, draft.spec)
    if whole.circle:
        yield _circle(whole.circle)


def _unknown(name: str, message: str, known: list[str], at: str) -> Finding:
    hint = did_you_mean(name, known, "write the name of an example in this spec")
    return Finding(at, "unknown-example", f"{quote(name)} {message}", hint)


def _circle(circle: tuple[StoryStep, ...]) -> Finding:
    first, *others = circle
    way = ", which needs ".join(quote(source.example.name) for source in (*others, first))
    message = f"the examples need each other: {quote(first.example.name)} needs {way}"
    needed = others[0] if others else first
    [name] = [name for name, source in first.needs.items() if source is needed][:1]
    places = {reference.source: reference.pointer for reference in first.references()}
    hint = "remove one of the references, or of the keys `after`"
    return Finding(f"{first.at}{places.get(name, '/after')}", "example-circle", message, hint)


def _pattern_faults(step: StoryStep) -> Iterator[Finding]:
    """Yield patterns that are not regular expressions."""
    for at, pattern in patterns(step.example.result, f"{step.at}/result"):
        if not isinstance(pattern, str):
            yield Finding(
                at, "bad-result", "`$pattern` is not a text", "write a pattern, or use `…`"
            )
        elif fault := pattern_problem(without_references(pattern)):
            yield Finding(
                at, "bad-result", f"`$pattern` is not a regular expression: {fault[0]}", fault[1]
            )


def _error_faults(tool: Tool, example: CallExample, at: str, draft: Draft) -> Iterator[Finding]:
    """Yield an error that the tool does not declare, and fields that it does not have."""
    if example.domain_error is None:
        return
    name, fields = example.domain_error
    messages = {error.name: error.message for error in draft.spec.errors}
    at = f"{at}/error" if isinstance(example.error, str) else f"{at}/error/{name}"
    if name not in tool.errors and f"{tool.pointer}/errors" not in draft.lost:
        message = f"{quote(tool.name)} does not declare the error {quote(name)}"
        hint = did_you_mean(name, tool.errors, f"add it to the `errors` of {quote(tool.name)}")
        yield Finding(at, "unknown-error", message, hint)
    elif name in messages:
        known, _ = read_names(messages[name])
        for field in fields:
            if field not in known:
                message = f"the message of {quote(name)} has no field {quote(field)}"
                hint = f"its fields are {join(known, 'and')}" if known else f"write `error: {name}`"
                hint = did_you_mean(field, known, hint)
                yield Finding(f"{at}/{field}", "unknown-error", message, hint, at_key=True)


def _answer_faults(example: CallExample, here: str, spec: Spec) -> Iterator[Finding]:
    """Yield answers to questions that are never asked."""
    if example.answers is None:
        return
    asks = spec.client_capabilities.model_fields_set
    for kind in example.answers.model_fields_set - asks:
        yield Finding(
            f"{here}/answers/{kind}",
            "bad-answer",
            f"the server never asks for {kind}",
            f"add `clientCapabilities: {{{kind}: {{}}}}`, or remove the answers",
            at_key=True,
        )
    for number, form in enumerate(example.answers.elicitation):
        for name in form if isinstance(form, dict) else ():
            if not is_secret_name(in_words(name)):
                continue
            yield Finding(
                f"{here}/answers/elicitation/{number}{pointer(name)}",
                "secret-in-form",
                f"the form asks for {quote(name)}, and clients can read what a form holds",
                "ask by `context.elicit_url`, with `clientCapabilities: {elicitation: {url: {}}}`",
                at_key=True,
            )


def _path_faults(reference: Reference, source: StoryStep, at: str) -> Iterator[Finding]:
    """Yield the first key of a path that the `outputSchema` of its tool does not have."""
    tool = source.entry
    if not isinstance(tool, Tool) or tool.result is None:
        return
    schemas = [tool.result.root]
    for key in reference.path:
        names = {field.name: field for field in tool.result.properties(*schemas)}
        if key in names:
            schemas = [*names[key].schemas, *names[key].variants]
        elif names:
            yield Finding(
                at,
                "unknown-result",
                f"{quote(key)} is not in the `outputSchema` of {quote(tool.name)}",
                did_you_mean(key, names, "use the path of a value in it"),
            )
            return
        else:
            schemas = _items(tool.result, schemas)
        if not schemas:
            return


def _items(index: Index, schemas: list[Subschema]) -> list[Subschema]:
    return [item for schema in index.applied(*schemas) for item in index.items(schema)]
