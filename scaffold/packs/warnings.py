"""Warnings about templates: outdated copies, overrides and rows without effect."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from scaffold.base.diagnostics import Diagnostic, Place, Severity
from scaffold.base.diagnostics.wording import did_you_mean
from scaffold.packs.layers import PROJECT, ejected, short_hash
from scaffold.packs.pack import Extended, Pack, block_texts, extended_by
from scaffold.packs.parts import TABLE, is_part

_OF_REPOSITORY = re.compile(
    r"(\.|tests/|docs/|golden/|copier\.ya?ml$"
    r"|(README|LICEN[CS]E|CHANGELOG|CHANGES|CONTRIBUTING|NOTICE)[^/]*$)",
    re.IGNORECASE,
)

_SUPER = re.compile(r"\{\{[^}]*\bsuper\(\)")


def remarks(layers: Sequence[Pack]) -> Iterator[Diagnostic]:
    """Yield warnings for outdated ejected templates, and for templates and rows without effect."""
    for number, pack in enumerate(layers):
        if pack.builtin:
            continue
        for path in pack.templates:
            for check in (_changed, _skipping):
                yield from check(pack, path, layers[number + 1 :])
        yield from _unused(pack, layers)


def _warning(
    id: str, message: str, pack: Pack, path: str, hint: str | None, line: int = 0
) -> Diagnostic:
    """Return a warning about a file of a pack, or about one of its lines."""
    text = pack.templates.get(path, "").split("\n")
    place = Place(str(pack.folder / path), line or None, excerpt=text[line - 1] if line else None)
    return Diagnostic(id, message, place, hint, Severity.WARNING)


def _changed(pack: Pack, path: str, beneath: Sequence[Pack]) -> Iterator[Diagnostic]:
    """Yield a warning for a copied template whose original has changed since."""
    if not (origin := ejected(pack.templates[path])):
        return
    name, original_path, hash = origin
    original = next((p.templates.get(original_path) for p in beneath if p.name == name), None)
    if original is None:
        message = f"`@{name}/{original_path}`, the original of this copy, no longer exists"
        hint = "`mcp-scaffold pack show` lists all templates"
        yield _warning("template-outdated", message, pack, path, hint, 1)
    elif short_hash(original) != hash:
        message = f"`@{name}/{original_path}` has changed since it was copied"
        hint = f"apply the change, and write `{short_hash(original)}` in the first line"
        if pack.name == PROJECT:
            hint = f"`mcp-scaffold pack show --diff` shows how; `pack eject {path}` merges it in"
        yield _warning("template-outdated", message, pack, path, hint, 1)


def _skipping(pack: Pack, path: str, beneath: Sequence[Pack]) -> Iterator[Diagnostic]:
    """Yield a warning for a template that extends one past a layer that has its own.

    An ejected copy counts as its original.
    """
    names = [layer.name for layer in beneath]
    extended, origin = extended_by(pack.templates[path]), ejected(pack.templates[path])
    if not extended or extended.pack not in names:
        return
    first = names.index(origin[0]) + 1 if origin and origin[0] in names else 0
    for over in beneath[first : names.index(extended.pack)]:
        if extended.path in over.templates:
            mine = f"`{path}` extends `@{extended.pack}/{extended.path}`"
            message = f"{mine}, and skips `@{over.name}/{extended.path}`"
            hint = f"extend `@{over.name}/{extended.path}` instead"
            yield _warning("template-skips", message, pack, path, hint, extended.line)


def rebased(
    layers: Sequence[Pack], seen: Mapping[str, str]
) -> tuple[dict[str, str], list[Diagnostic]]:
    """Return what the layers override, and a warning for each block that has changed beneath.

    The record maps a template and a block that it overrides to the hashes of the template and of
    the block's original. The hashes are kept as in `seen` until somebody edits the template, and so
    has looked at it. A block with `super()` includes the change.
    """
    record: dict[str, str] = {}
    warnings: list[Diagnostic] = []
    for pack in layers:
        for path, text in () if pack.builtin else pack.templates.items():
            for block, own in block_texts(text).items():
                above = _original(extended_by(text), block, layers)
                if above is None or _SUPER.search(own):
                    continue
                (name, original, _), default = above
                key, mine = f"@{pack.name}/{path} {block}", short_hash(text)
                now = f"{mine} {short_hash(default)}"
                recorded = seen.get(key, now)
                record[key] = recorded if recorded.startswith(mine) else now
                if record[key] != now:
                    message = f"the block `{block}` of `@{name}/{original}` has changed"
                    hint = f"see whether `{path}`, which overrides it, needs the change too"
                    warnings.append(_warning("template-rebased", message, pack, path, hint))
    return record, warnings


def _original(
    at: Extended | None, block: str, layers: Sequence[Pack]
) -> tuple[Extended, str] | None:
    """Return the text of a block in the first template that has it, from that at `at` upwards."""
    templates = {pack.name: pack.templates for pack in layers}
    passed: list[Extended] = []
    while at and at not in passed:
        passed.append(at)
        text = templates.get(at.pack, {}).get(at.path, "")
        texts = block_texts(text)
        if block in texts:
            return at, texts[block]
        at = extended_by(text)
    return None


def ignored(paths: Iterable[str], folder: str, beneath: Sequence[Pack]) -> Iterator[Diagnostic]:
    """Yield a warning for each file in the folder of a layer that is not a template.

    What belongs to the repository of a pack, such as its README and its CI, is left out, unless a
    layer beneath makes a file of that name.
    """
    known = {path for layer in beneath for path in layer.templates}
    made_from = {row.template for layer in beneath for row in layer.table.rows}
    for path in paths:
        if is_part(path) or (_OF_REPOSITORY.match(path) and f"{path}.j2" not in made_from):
            continue
        message = f"`{path}` has no effect, as it does not end in `.j2`"
        row = "" if f"{path}.j2" in known else ", and give it a row"
        hint = f"rename it to `{path}.j2`{row}"
        place = Place(f"{folder}/{path}")
        yield Diagnostic("template-ignored", message, place, hint, Severity.WARNING)


def _unused(pack: Pack, layers: Sequence[Pack]) -> Iterator[Diagnostic]:
    """Yield warnings for templates without a row or a reference, and unknown ones in `without`."""
    rows = {row.template for layer in layers for row in layer.table.rows}
    others = [layer for layer in layers if layer is not pack]
    known = {path for layer in others for path in (*layer.templates, *layer.copied)} | rows
    used = {
        name
        for layer in layers
        for path, text in layer.templates.items()
        for name in _named(text)
        if path != name
    }
    for path in sorted({*pack.templates, *pack.copied} - rows - used):
        hint = did_you_mean(path, known, f"give it a row in {TABLE}, or remove it", 0.8)
        yield _warning("template-unused", f"nothing uses the template `{path}`", pack, path, hint)
    for path in pack.table.without:
        if path not in known:
            message = f"`without` names `{path}`, which no extended pack has"
            yield _warning("template-unused", message, pack, TABLE, None)


def _named(text: str) -> set[str]:
    """Return the paths of templates that the tags of a template name."""
    tags = re.findall(r"\{%.*?%\}", re.sub(r"\{#.*?#\}", "", text, flags=re.DOTALL), re.DOTALL)
    return {path for tag in tags for path in re.findall(r"""["'](?:@[\w-]+/)?([^"']+)["']""", tag)}
