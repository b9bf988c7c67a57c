"""YAML, edited by whole lines, or within the braces of a mapping in flow style."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, cast

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from scaffold.clients.formats.text import (
    FormatError,
    check,
    edited,
    line_end,
    line_start,
    newline,
    next_line,
)
from scaffold.yaml.writing import yaml_text

_NULL = "tag:yaml.org,2002:null"


def entries(text: str, root: tuple[str, ...]) -> Mapping[str, Any]:
    """Return the entries by name."""
    found = _find(_compose(text), root)
    return {} if found is None else cast("dict[str, Any]", _value(found, _read))


def put(text: str, root: tuple[str, ...], name: str, entry: Mapping[str, Any]) -> str:
    """Return the text with an entry at the end of the mapping at `root`; an old one goes."""
    if name in entries(text, root):
        text = drop(text, root, name)
    document, path = _compose(text), (*root, name)
    depth = max(n for n in range(len(path)) if n == 0 or _find(document, path[:n]) is not None)
    value: Any = entry
    for key in reversed(path[depth + 1 :]):
        value = {key: value}
    member, nl = {path[depth]: value}, newline(text)
    within = _find(document, path[:depth])
    owner = _find(document, path[: depth - 1]) if depth else None
    if within is None:
        gap = "" if not text or text.endswith("\n") else nl
        new = text + gap + _lines(member, 0, nl)
    elif within.flow_style:
        written = json.dumps(member, ensure_ascii=False)[1:-1]
        end = within.value[-1][1].end_mark.index if within.value else within.start_mark.index + 1
        new = edited(text, [(end, end, f", {written}" if within.value else written)])
    elif within.value:
        end = _end_of_lines(text, within)
        new = _with_lines(text, end, _lines(member, within.value[0][0].start_mark.column, nl))
    else:
        assert owner
        key = next(key for key, _ in owner.value if key.value == path[depth - 1])
        if (
            text[key.end_mark.index : line_end(text, key.end_mark.index)].split("#")[0].strip()
            != ":"
        ):
            hint = f"remove the value of `{path[depth - 1]}`"
            raise FormatError(f"`{path[depth - 1]}` is null", key.start_mark.index, hint)
        end = next_line(text, key.end_mark.index)
        new = _with_lines(text, end, _lines(member, key.start_mark.column + 2, nl))
    _check(new, text, path, entry)
    return new


def drop(text: str, root: tuple[str, ...], name: str) -> str:
    """Return the text without an entry."""
    document, path = _compose(text), (*root, name)
    if name not in entries(text, root):
        return text
    within = _find(document, root)
    index = next(i for i, (key, _) in enumerate(within.value) if key.value == name)
    key, node = within.value[index]
    start, end = key.start_mark.index, node.end_mark.index
    if within.flow_style:
        if index:
            start = within.value[index - 1][1].end_mark.index
        elif len(within.value) > 1:
            end = within.value[1][0].start_mark.index
        new = text[:start] + text[end:]
    else:
        start, end = line_start(text, start), _end_of_lines(text, node)
        if text[start : key.start_mark.index].strip(" "):
            message = f"the entry `{name}` does not begin its line"
            raise FormatError(message, start, "remove it yourself")
        if end == len(text) and not text.endswith("\n"):
            start = len(text[:start].removesuffix("\n").removesuffix("\r"))
        edits = [(start, end, "")]
        if len(within.value) == 1 and root:
            owner = _find(document, root[:-1])
            above = next(key for key, _ in owner.value if key.value == root[-1])
            colon = text.index(":", above.end_mark.index) + 1
            edits.insert(0, (colon, colon, " {}"))
        new = edited(text, edits)
    _check(new, text, path, None)
    return new


def _with_lines(text: str, end: int, lines: str) -> str:
    """Return the text with lines inserted; it ends with a newline only if it did before."""
    if end == len(text) and not text.endswith("\n"):
        nl = newline(lines)
        return text + nl + lines.removesuffix(nl)
    return text[:end] + lines + text[end:]


def _lines(member: Mapping[str, Any], indent: int, nl: str) -> str:
    """Return a member as lines in block style."""
    lines = yaml_text(member).strip("\n").split("\n")
    return "".join(f"{' ' * indent if line else ''}{line}{nl}" for line in lines)


def _compose(text: str) -> Node | None:
    """Return the root of the document, None if it is empty. Raises FormatError."""
    try:
        return yaml.compose(text, yaml.CSafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = min(mark.index, len(text)) if mark else None
        raise FormatError(f"not valid YAML: {error.problem}", where) from error
    except yaml.YAMLError as error:
        raise FormatError(f"not valid YAML: {str(error).splitlines()[0]}") from error
    except RecursionError as error:
        raise FormatError("nested too deeply") from error


def _find(document: Node | None, path: tuple[str, ...]) -> Any:
    """Return the mapping at a path of keys, or None.

    A value that is null counts as an empty mapping in block style. Raises FormatError if there is
    something else, or if a key on the way is there twice.
    """
    node = document
    for key in (None, *path):
        if key is not None:
            assert isinstance(node, MappingNode)
            node = next((v for k, v in node.value if k.value == key), None)
        if node is None:
            return None
        if isinstance(node, ScalarNode) and node.tag == _NULL:
            if key is None:
                return None
            node = MappingNode("", [], node.start_mark, node.end_mark, flow_style=False)
        if not isinstance(node, MappingNode):
            name = f"`{key}`" if key else "the file"
            raise FormatError(f"{name} does not hold a mapping", node.start_mark.index)
        seen: set[str] = set()
        for found, _ in node.value:
            if not isinstance(found, ScalarNode):
                raise FormatError("a key is not a string", found.start_mark.index)
            if found.value in seen:
                message, hint = f"the key `{found.value}` is there twice", "remove one of the two"
                raise FormatError(message, found.start_mark.index, hint)
            seen.add(found.value)
    return node


def _end_of_lines(text: str, node: Node) -> int:
    """Return the offset after the last line of a value, and the comment in that line."""
    while isinstance(node, (MappingNode, SequenceNode)) and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(node, MappingNode) else last
    end = node.end_mark.index
    is_block = isinstance(node, ScalarNode) and node.style in ("|", ">")
    return end if is_block and text[:end].endswith("\n") else next_line(text, end)


def _value(node: Node, scalar: Callable[[ScalarNode], Any]) -> Any:
    """Return the value of a node, in which `scalar` gives the value of each scalar."""
    if isinstance(node, MappingNode):
        members = ((getattr(key, "value", None), value) for key, value in node.value)
        return {str(key): _value(value, scalar) for key, value in members}
    if isinstance(node, SequenceNode):
        return [_value(item, scalar) for item in node.value]
    assert isinstance(node, ScalarNode)
    return scalar(node)


def _read(node: ScalarNode) -> Any:
    """Return a scalar as programs read it."""
    try:
        return yaml.constructor.SafeConstructor().construct_object(node)
    except (yaml.YAMLError, ValueError):
        return node.value


def _as_written(node: ScalarNode) -> Any:
    """Return a scalar to compare: NaN is not equal to itself."""
    return None if node.tag == _NULL else (node.tag, node.value)


def _check(new: str, old: str, path: tuple[str, ...], entry: Mapping[str, Any] | None) -> None:
    """Check that the new text has the entry, and differs in nothing else. Raises FormatError."""
    try:
        found = entries(new, path[:-1])
        documents = [*map(_compose, (new, old))]
    except FormatError as error:  # such as after an alias, whose end PyYAML does not tell
        message = "the layout of the file is not supported"
        raise FormatError(message, None, "edit it yourself") from error
    if found.get(path[-1]) != entry:
        raise FormatError("the entry cannot be written as YAML")
    one, other = (found and _value(found, _as_written) for found in documents)
    check(one, other, path)
