"""A Document as a Spec, or everything that keeps it from being one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from scaffold.diagnostics import Severity
from scaffold.explain import sections, warnings
from scaffold.files import RelPath
from scaffold.spec.build import build
from scaffold.spec.capabilities import capability_faults
from scaffold.spec.document import Document, Json
from scaffold.spec.environment import secrets, transport_faults, variable_faults
from scaffold.spec.finding import FAULTS, Finding, nearest, refusal, shown
from scaffold.spec.messages import error_faults, prompt_faults
from scaffold.spec.mismatch import mismatches
from scaffold.spec.model import Spec
from scaffold.spec.shape import shape_faults
from scaffold.spec.tool_schema import compiled, faults
from scaffold.spec.uri_templates import template_faults

KINDS = {"tools": "name", "resources": "uri", "resourceTemplates": "uriTemplate", "prompts": "name"}
"""What a server lists, with the key that tells its entries apart."""


def check(document: Document) -> Spec:
    """The spec that a document holds. Raises ScaffoldError with every fault found."""
    document = document.masking(secrets(document))
    if findings := list(islice(_findings(document), FAULTS)):
        found = [finding.diagnostic(document, Severity.ERROR) for finding in findings]
        raise refusal(found, document.name)
    assert isinstance(document.value, dict)
    return build(document.value)


def _findings(document: Document) -> Iterator[Finding]:
    yield from shape_faults(document)
    yield from _entry_faults(document)
    yield from _tool_faults(document)
    yield from _content_faults(document)
    yield from template_faults(document)
    yield from error_faults(document)
    yield from prompt_faults(document)
    yield from variable_faults(document)
    yield from transport_faults(document)
    yield from capability_faults(document)
    yield from _lint_faults(document)


def _entry_faults(document: Document) -> Iterator[Finding]:
    """Too few entries, or entries that cannot be told apart."""
    value = document.value
    if isinstance(value, dict) and all(value.get(kind, []) == [] for kind in KINDS):
        empty = [f"/{kind}" for kind in KINDS if kind in value]
        yield Finding(
            empty[0] if empty else "",
            "empty-spec",
            "the server has neither tools nor resources nor prompts",
            "add a tool to `tools`"
            if empty == ["/tools"]
            else "add `tools:` with at least one tool",
            at_key=True,
        )
    for kind, key in (*KINDS.items(), ("errors", "name")):
        yield from _duplicates(
            [(f"{at}/{key}", item.get(key)) for at, item in document.mappings(kind)]
        )
        yield from _rename_faults(document, kind)
    names = [(f"{at}/name", item.get("name")) for at, item in document.mappings("env")]
    yield from _duplicates(
        [(at, name.upper() if isinstance(name, str) else name) for at, name in names]
    )
    for kind, key in (("tools", "examples"), ("prompts", "arguments")):
        for at, entry in document.mappings(kind):
            yield from _duplicates(_names_in(entry.get(key), f"{at}/{key}"))


def _duplicates(named: list[tuple[str, Json]]) -> Iterator[Finding]:
    seen: dict[str, str] = {}
    for at, name in named:
        if not isinstance(name, str):
            continue
        if name in seen:
            kind = at.split("/")[-3]
            yield Finding(
                at,
                "duplicate-name",
                f"{shown(name)} is already item {int(seen[name].split('/')[-2]) + 1} of `{kind}`",
                "rename one of the two, or remove it",
            )
        seen.setdefault(name, at)


def _names_in(items: Json, at: str) -> list[tuple[str, Json]]:
    return [
        (f"{at}/{index}/name", item.get("name"))
        for index, item in enumerate(items if isinstance(items, list) else ())
        if isinstance(item, dict)
    ]


def _rename_faults(document: Document, kind: str) -> Iterator[Finding]:
    """Old names that are still in use, or that two entries claim."""
    entries = list(document.mappings(kind))
    names = [entry.get("name") for _, entry in entries]
    claimed: list[Json] = []
    for at, entry in entries:
        old = entry.get("renamedFrom")
        if not isinstance(old, str):
            continue
        if old in names or old in claimed:
            yield Finding(
                f"{at}/renamedFrom",
                "bad-rename",
                f"{shown(old)} is "
                + ("still a name here" if old in names else "the old name of another entry"),
                "remove `renamedFrom`, or give the name that the entry had before; two names are "
                "exchanged one at a time, with a run in between",
            )
        claimed.append(old)


def _tool_faults(document: Document) -> Iterator[Finding]:
    """Schemas that cannot be used, examples that break them, errors that are not declared."""
    errors = [str(error.get("name")) for _, error in document.mappings("errors")]
    for at, tool in document.mappings("tools"):
        broken = False
        for key in ("inputSchema", "outputSchema"):
            of_arguments = key == "inputSchema"
            if isinstance(schema := tool.get(key), dict):
                for finding in faults(schema, f"{at}/{key}", document, of_arguments=of_arguments):
                    broken = broken or of_arguments
                    if finding.pointer != f"{at}/inputSchema/type":  # of that the format speaks
                        yield finding
        if isinstance(tool.get("inputSchema"), dict) and not broken:
            yield from _example_faults(tool, at, document)
        named = tool.get("errors")
        for index, name in enumerate(named if isinstance(named, list) else ()):
            if isinstance(name, str) and name not in errors:
                meant = nearest(name, errors)
                yield Finding(
                    f"{at}/errors/{index}",
                    "unknown-error",
                    f"{shown(name)} is not one of the `errors` of the spec",
                    f"did you mean `{meant}`?"
                    if meant
                    else f"declare it: `errors: [{{name: {name}, message: …}}]`",
                )


def _example_faults(tool: dict[str, Json], at: str, document: Document) -> Iterator[Finding]:
    """Examples that are to succeed, and whose arguments the schema refuses."""
    examples, schema = tool.get("examples"), tool["inputSchema"]
    assert isinstance(schema, dict)
    engine = compiled(schema) if examples else None
    for index, example in enumerate(examples if isinstance(examples, list) else ()):
        if engine and isinstance(example, dict) and example.get("isError") is not True:
            arguments = example.get("arguments", {})
            if isinstance(arguments, dict):
                here = f"{at}/examples/{index}/arguments"
                for finding in mismatches(engine, schema, arguments, here, document):
                    yield finding._replace(
                        id="bad-example",
                        hint=f"{finding.hint}; or write `isError: true` if the call is to fail",
                    )


def _lint_faults(document: Document) -> Iterator[Finding]:
    options = document.value.get("lint") if isinstance(document.value, dict) else None
    ignored = options.get("ignore") if isinstance(options, dict) else None
    for index, id in enumerate(ignored if isinstance(ignored, list) else ()):
        if isinstance(id, str) and id not in warnings():
            meant = nearest(id, sorted(warnings()))
            yield Finding(
                f"/lint/ignore/{index}",
                "unknown-warning",
                f"{shown(id)} is an error, and cannot be ignored"
                if id in sections()
                else f"{shown(id)} is not the id of a warning",
                f"did you mean `{meant}`?"
                if meant
                else "the ids stand in brackets in the messages",
            )


def _content_faults(document: Document) -> Iterator[Finding]:
    for at, resource in document.mappings("resources"):
        if isinstance(file := resource.get("file"), str):
            try:
                RelPath(file)
            except ValueError:
                yield Finding(
                    f"{at}/file",
                    "bad-relative-path",
                    f"{shown(file)} is not a path below the folder of the spec",
                    "give a path with `/` and without `..`: `content/about.md`",
                )
        if "text" in resource and "file" in resource:
            yield Finding(
                f"{at}/file",
                "two-contents",
                "the resource has both `text` and `file`",
                "keep one of the two",
                at_key=True,
            )
