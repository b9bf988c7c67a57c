"""Check a pack: make servers of built-in specs with it, and look for what is wrong with them."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from glob import escape
from pathlib import Path

import yaml
from msgspec import Struct
from msgspec.structs import replace

from scaffold.diagnostics import Diagnostic, Place, ScaffoldError, Severity, in_order
from scaffold.disk.records import PACK
from scaffold.disk.tree import digest, folded
from scaffold.files import RenderedFiles
from scaffold.generate import generate
from scaffold.new import Created, new
from scaffold.packs import builtin_packs
from scaffold.packs.pack import stored
from scaffold.packs.parts import TABLE
from scaffold.packs.table import Row
from scaffold.teams.address import Address
from scaffold.teams.asked import Asked
from scaffold.teams.fetching import TeamPack, fetch_pack
from scaffold.teams.variants import Variant, variants
from scaffold.yaml.source import read

_HERE = Path(__file__).with_name("specs")
_UNUSED = "template-unused"
"""A finding about a pack if no choice of answers uses the template."""

_COMMENTS = re.compile(r"^\s*//.*$", re.MULTILINE)
_INSIDE = re.compile(rf"(?:^|.*/){re.escape(PACK)}/")


class Sample(Struct, frozen=True):
    """A server in the folder `project`, made of a built-in spec with some answers.

    `files` are the texts that templates made, by path, and `kinds` say of each file what it is.
    `plain` and `plain_kinds` are those that the built-in pack makes of the same spec. `required`
    are the variables that the server cannot start without.
    """

    variant: str
    spec: str
    project: Path
    files: Mapping[str, str]
    kinds: Mapping[str, str]
    plain: Mapping[str, str]
    plain_kinds: Mapping[str, str]
    required: tuple[str, ...]

    @property
    def name(self) -> str:
        """A name for messages and folders."""
        return f"{self.variant}/{self.spec}"


class Checked(Struct, frozen=True):
    """The servers made with a pack, and what is wrong with the pack."""

    name: str
    samples: tuple[Sample, ...]
    findings: tuple[Diagnostic, ...]


def builtin_specs() -> dict[str, Path]:
    """Return the specs that packs are checked with, by name."""
    everything = _HERE / "everything.yaml"
    if not everything.exists():  # in a checkout
        everything = builtin_packs().parent / "specs/everything.yaml"
    return {
        "two-tools": _HERE / "two-tools.yaml",
        "everything": everything,
        "hostile-names": _HERE / "hostile-names.yaml",
    }


def check(folder: Path, asked: Asked, work: Path) -> Checked:
    """Make every built-in spec into a server in `work`, with the pack in `folder`.

    This is done with the pack's defaults, and again for each choice of its questions; `asked` has
    answers that apply throughout. A spec that asks for what such servers cannot do is left out.
    Raises ScaffoldError if the pack cannot be read at all.
    """
    first = _pack(folder, asked, Variant())
    samples: list[Sample] = []
    findings: list[Diagnostic] = []
    unused: dict[str, Diagnostic] = {}
    used: set[str] = set()
    rows: dict[tuple[str, str], Row] = {}
    made_rows: set[tuple[str, str]] = set()
    plain: dict[str, RenderedFiles] = {}
    for variant in variants(folder, first.record.answers):
        try:
            pack = _pack(folder, asked, variant)
            table = next(stored(pack.parts, folder)).table
        except ScaffoldError as error:
            if not variant.awkward:
                findings += _named(error.diagnostics, variant, folder)
            continue
        findings += _named(pack.warnings, variant, folder)
        rows |= {(row.template, row.path): row for row in table.rows}
        for name, spec in builtin_specs().items():
            project = work / re.sub(r"[^\w.=+-]", "_", variant.name) / name
            try:
                made = new(spec, project, pack.packs, pack.metadata({}))
            except ScaffoldError as error:
                if any(one.id != "pack-lacks" for one in error.diagnostics):
                    findings += _named(pack.located(error.diagnostics, project), variant, folder)
                continue
            idle = {_part(one): one for one in made.generated.remarks if one.id == _UNUSED}
            unused |= idle
            used |= pack.parts.keys() - idle.keys()
            others = (one for one in made.generated.remarks if one.id != _UNUSED)
            found = pack.located([*others, *_unreadable(made.generated.files)], project)
            findings += _named(found, variant, folder)
            lines = {*_lines(made)}
            made_rows |= {(r.template, r.path) for r in table.rows if r.place.line in lines}
            if not variant.awkward:
                needs = tuple(variable.name for variable in made.generated.project.required)
                if name not in plain:
                    plain[name] = _plain(spec)
                ours, theirs = made.generated.files, plain[name]
                outputs = (_texts(ours), _kinds(ours), _texts(theirs), _kinds(theirs))
                samples.append(Sample(variant.name, name, project, *outputs, needs))
    findings += _named((unused[path] for path in unused.keys() - used), Variant(), folder)
    if not any(finding.severity is Severity.ERROR for finding in findings):
        findings += (_unused(rows[key], folder) for key in rows.keys() - made_rows)
    return Checked(first.name, tuple(samples), in_order(_distinct(findings)))


def _pack(folder: Path, asked: Asked, variant: Variant) -> TeamPack:
    answers = replace(asked, given={**asked.given, **variant.given}, defaults=True)
    return fetch_pack(Address(None, folder, None), str(folder), answers)


def _plain(spec: Path) -> RenderedFiles:
    """Return what the built-in pack makes of a spec."""
    return generate(read(spec), spec.parent, Path(), {}).files


def _lines(made: Created) -> Iterator[int | None]:
    """Yield the lines of the pack's table whose rows made a file."""
    for file in made.generated.files.values():
        if file.place and _INSIDE.match(file.place.path):
            yield file.place.line


def _texts(files: RenderedFiles) -> Mapping[str, str]:
    return {path: file.text for path, file in files.items() if file.data is None}


def _kinds(files: RenderedFiles) -> Mapping[str, str]:
    """Return the owner of each file, whether it is executable, and the hash of a copied one."""
    return {
        path: file.owner.value
        + (", executable" if file.executable else "")
        + (f", sha256 {digest(file.data)}" if file.data is not None else "")
        for path, file in files.items()
    }


def _named(found: Iterable[Diagnostic], variant: Variant, folder: Path) -> Iterator[Diagnostic]:
    """Yield findings with places in the pack's own folder.

    Of an awkward answer, yield what it breaks, as warnings that name the question.
    """
    for one in found:
        if one.place:
            one = replace(one, place=replace(one.place, path=_home(one.place, folder)))
        if not variant.awkward:
            yield one
        elif one.severity is Severity.ERROR:
            message = f"an answer to `{variant.awkward}` with quotes or `\\` breaks this output"
            hint = "quote the answer for this format, or add a `validator` to the question"
            yield Diagnostic("pack-unquoted", message, one.place, hint, Severity.WARNING)


def _distinct(findings: Iterable[Diagnostic]) -> Iterable[Diagnostic]:
    """Return each finding once, though several servers have it."""
    return {(one.id, one.place, one.hint, one.message): one for one in findings}.values()


def _home(place: Place, folder: Path) -> str:
    """Return the file of the pack that a place in a project's copy of it stands for."""
    copied = _INSIDE.match(place.path)
    if not copied:
        return place.path
    path = place.path[copied.end() :]
    for table in sorted(folder.glob(f"**/{TABLE}*")):
        for file in sorted(table.parent.glob(f"{escape(path)}*")):
            return str(file)
    return str(folder / path)


def _part(one: Diagnostic) -> str:
    """Return the path in the pack that a finding in a project's copy of it is about."""
    return _INSIDE.sub("", one.place.path) if one.place else ""


def _unreadable(files: RenderedFiles) -> Iterator[Diagnostic]:
    """Yield errors for files that no program can read: TOML, JSON and YAML."""
    for path, file in files.items():
        text = folded(file.content)
        try:
            if path.endswith(".toml"):
                tomllib.loads(text)
            elif path.endswith(".json"):
                _check_json(text)
            elif path.endswith((".yaml", ".yml")) and not _is_of_chart(path, files):
                for node in yaml.compose_all(text, yaml.SafeLoader):
                    _check_keys(node)
        except (ValueError, yaml.YAMLError) as error:
            message = f"the output `{path}` cannot be read: {' '.join(str(error).split())}"
            yield Diagnostic("pack-output", message, Place(f"{PACK}/{file.template}"))


def _check_json(text: str) -> None:
    """Raise ValueError for text that is not JSON; editors allow lines with comments."""
    try:
        json.loads(text)
    except ValueError:
        if (plain := _COMMENTS.sub("", text)) == text:
            raise
        json.loads(plain)


def _is_of_chart(path: str, files: RenderedFiles) -> bool:
    """Return whether a file is a template of a Helm chart, which is YAML only when Helm is done."""
    chart, templates, _ = path.partition("/templates/")
    return bool(templates) and f"{chart}/Chart.yaml" in files


def _check_keys(node: yaml.Node | None) -> None:
    """Raise ValueError for a key that a mapping has twice: PyYAML takes the last one."""
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    line = key.start_mark.line + 1
                    raise ValueError(f"the key `{key.value}` is repeated on line {line}")
                seen.add(key.value)
            _check_keys(value)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _check_keys(item)


def _unused(row: Row, folder: Path) -> Diagnostic:
    what = f'`when = "{row.when}"`' if row.when else f'`each = "{row.each}"`'
    message = f"no server has the file of this row, for any spec or answers: {what}"
    hint = "check the condition, or remove the row"
    place = replace(row.place, path=_home(replace(row.place, path=f"{PACK}/{TABLE}"), folder))
    return Diagnostic("row-unused", message, place, hint, Severity.WARNING)
