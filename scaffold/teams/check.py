"""Tools for authors of packs: a minimal pack, and checks of a pack with generated servers."""

from __future__ import annotations

import json
import os
import re
import shutil
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import yaml
from msgspec import Struct
from msgspec.structs import replace

from scaffold.base.diagnostics import Diagnostic, Place, ScaffoldError, in_order
from scaffold.base.files import RenderedFile, RenderedFiles
from scaffold.base.origin import requirement
from scaffold.commands.check import Checked as Failed
from scaffold.commands.check import checked
from scaffold.commands.new import new
from scaffold.disk.create import refuse_unless_vacant
from scaffold.disk.diff import unified
from scaffold.disk.records import PACK
from scaffold.disk.tree import folded
from scaffold.packs import builtin_packs
from scaffold.packs.layers import PROJECT
from scaffold.packs.pack import pack_names
from scaffold.project.generate import generate, traits_at
from scaffold.teams.address import Address
from scaffold.teams.copying import Asked
from scaffold.teams.fetching import TeamPack, fetch_pack
from scaffold.teams.folder import write_files
from scaffold.yaml.source import read

GOLDEN = "golden"
"""The folder of the golden outputs, in that of the pack."""

_SPECS = Path(__file__).with_name("specs")
_STARTER = Path(__file__).with_name("starter")
_REQUIREMENT = "MCP_SCAFFOLD"
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
DEFAULTS = "defaults"
"""The name of the variant with the pack's own answers."""

_COMMENTS = re.compile(r"^\s*//.*$", re.MULTILINE)


class Sample(Struct, frozen=True):
    """A server in the folder `project`, made of a built-in spec with some answers.

    `base` are the files that it is compared with: those with the pack's defaults, or those of the
    built-in pack. `required` are the variables that the server cannot start without, `overridden`
    the record of blocks that the lock has.
    """

    variant: str
    spec: str
    project: Path
    files: RenderedFiles
    base: RenderedFiles
    required: tuple[str, ...]
    overridden: Mapping[str, str]

    @property
    def name(self) -> str:
        """A name for messages and folders."""
        return f"{_portable(self.variant)}/{self.spec}"


class Checked(Struct, frozen=True):
    """The servers made with a pack, and what is wrong with the pack."""

    name: str
    samples: tuple[Sample, ...]
    findings: tuple[Diagnostic, ...]


def write_starter(name: str, folder: Path) -> int:
    """Write a pack called `name` to a vacant folder; return the number of its files.

    Raises ScaffoldError if a pack cannot have the name, the folder is not vacant, or the disk
    refuses.
    """
    if not _NAME.fullmatch(name):
        hint = "use lowercase letters and digits, joined by hyphens"
        raise ScaffoldError.of("pack-value", f"`{name}` cannot be the name of a pack", name, hint)
    if name in (*pack_names(), PROJECT):
        whose = "a project's own templates" if name == PROJECT else "a built-in pack"
        message = f"`{name}` is already the name of {whose}"
        raise ScaffoldError.of("pack-value", message, name, "choose another name")
    refuse_unless_vacant(folder)
    texts, others = {}, requirement()
    for file in (path for path in _STARTER.rglob("*") if path.is_file()):
        text = file.read_text("utf-8").replace("PACK_NAME", name)
        if _REQUIREMENT in text and not others:
            continue  # CI could not install it
        text = text.replace(_REQUIREMENT, others)
        texts[file.relative_to(_STARTER).as_posix()] = text
    write_files(texts, folder)
    return len(texts)


def builtin_specs() -> dict[str, Path]:
    """Return the specs that packs are checked with, by name."""
    everything = _SPECS / "everything.yaml"
    if not everything.exists():  # in a checkout
        everything = builtin_packs().parent / "specs/everything.yaml"
    specs = {spec.stem: spec for spec in (*_SPECS.glob("*.yaml"), everything)}
    return dict(sorted(specs.items()))


def check(folder: Path, asked: Asked, work: Path) -> Checked:
    """Make every built-in spec into a server in `work`, with the pack in `folder`.

    This is done with the pack's defaults, and again for each choice of its questions; `asked` has
    answers that apply throughout. A spec that asks for what such servers cannot do is left out.
    Raises ScaffoldError if the pack cannot be read at all.
    """
    first = _pack(folder, asked, {})
    samples: list[Sample] = []
    findings: list[Diagnostic] = []
    maybe_unused: dict[Place, Diagnostic] = {}
    used: set[str] = set()
    bases: dict[str, RenderedFiles] = {}
    for variant, answers in {DEFAULTS: {}, **_variants(first)}.items():
        try:
            pack = _pack(folder, asked, answers)
        except ScaffoldError as error:
            findings += error.diagnostics
            continue
        findings += pack.warnings
        idle: set[str] = set()
        for name, spec in builtin_specs().items():
            project = work / _portable(variant) / name
            try:
                created = new(spec, project, pack.packs, pack.metadata({}))
            except ScaffoldError as error:
                if any(diagnostic.id != "pack-lacks" for diagnostic in error.diagnostics):
                    findings += pack.located(error.diagnostics, Path())
                continue
            files = created.generated.files
            for diagnostic in pack.located(
                (*created.generated.remarks, *_unreadable(files)), Path()
            ):
                if (
                    diagnostic.id == "template-unused" and diagnostic.place
                ):  # maybe not with other answers
                    idle.add(diagnostic.place.path)
                    maybe_unused[diagnostic.place] = diagnostic
                else:
                    findings.append(diagnostic)
            base = bases.get(name) or generate(read(spec), spec.parent, Path(), {}).files
            bases[name] = files if variant == DEFAULTS else base
            env = created.generated.project.env
            needs = tuple(variable.name for variable in env if variable.required)
            overridden = created.generated.overridden
            samples.append(Sample(variant, name, project, files, base, needs, overridden))
        used |= {*pack.places.values()} - idle
    findings += (diagnostic for place, diagnostic in maybe_unused.items() if place.path not in used)
    return Checked(first.name, tuple(samples), in_order(dict.fromkeys(findings)))


def _pack(folder: Path, asked: Asked, answers: Mapping[str, Any]) -> TeamPack:
    asked = replace(asked, given={**asked.given, **answers}, defaults=True)
    return fetch_pack(Address(None, folder, None), str(folder), asked)


def _variants(pack: TeamPack) -> Mapping[str, Mapping[str, Any]]:
    """Return the answers to try, by a name for each: those to one question that are no default."""
    variants = {}
    for name, question in pack.questions.details.items():
        for value in pack.questions.choices(name) if question.get("when", True) else ():
            answer = [value] if question.get("multiselect") else value
            if answer != pack.record.answers.get(name):
                variants[f"{name}={value}"] = {name: answer}
    return variants


def _portable(variant: str) -> str:
    """Return the name of a variant as the name of a folder."""
    return re.sub(r"[^\w.=+-]", "_", variant)


def tried(samples: Iterable[Sample], python: Path | None, cache: Path) -> Iterator[Diagnostic]:
    """Yield an error for each check that fails in the project of a sample.

    `python` and `cache` are for the checks. Projects with the same files are tried once.
    """
    distinct = {tuple(sample.files.values()): sample for sample in samples}
    every = [*distinct.values()]
    for sample in every[:1]:  # alone, to fill the cache with what all have in common
        yield from _failures(sample, python, cache)
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for failures in threads.map(partial(_failures, python=python, cache=cache), every[1:]):
            yield from failures


def _failures(sample: Sample, python: Path | None, cache: Path) -> list[Diagnostic]:
    env = {**dict.fromkeys(sample.required, "1"), "NO_COLOR": "1"}
    env |= {"MYPY_CACHE_DIR": str(cache), "RUFF_NO_CACHE": "true"}
    variables = traits_at(sample.project).variables
    env |= variables if python else dict.fromkeys(variables, "")
    findings = []
    for result in checked(sample.project, python, env, at_once=1):
        if result.code:
            message = f"`{result.command}` fails in the server `{sample.name}`: {_reason(result)}"
            hint = "to inspect the server, run `mcp-scaffold pack check --keep DIR`"
            findings.append(Diagnostic("pack-trial", message, Place(str(sample.project)), hint))
    return findings


def _reason(failed: Failed) -> str:
    """Return the line of a check's output that says why it failed."""
    lines = [line.strip() for line in failed.output.splitlines() if line.strip()]
    own = r"^E +\w+(Error|Exception)\b(?!: Traceback)"  # pytest's own come first
    for telling in (own, r"^E +\S", r"[Ee]rror\b|^(FAILED|ERROR) ", ""):
        if line := next(filter(re.compile(telling).search, lines), None):
            return line
    return f"exit code {failed.code}"


def _unreadable(files: RenderedFiles) -> Iterator[Diagnostic]:
    """Yield errors for files that no program can read: TOML, JSON and YAML."""
    for path, file in files.items():
        text = folded(file.content)
        try:
            if path.endswith(".toml"):
                tomllib.loads(text)
            elif path.endswith(".json"):
                json.loads(_COMMENTS.sub("", text))  # editors allow lines with comments
            elif path.endswith((".yaml", ".yml")) and not _is_of_chart(path, files):
                [*yaml.compose_all(text, _Loader)]
        except (ValueError, yaml.YAMLError) as error:
            message = f"the output `{path}` cannot be read: {' '.join(str(error).split())}"
            yield Diagnostic("pack-output", message, Place(f"{PACK}/{file.template}"))


def _is_of_chart(path: str, files: RenderedFiles) -> bool:
    """Return whether a file is a template of a Helm chart, which is YAML only when Helm is done."""
    chart, templates, _ = path.partition("/templates/")
    return bool(templates) and f"{chart}/Chart.yaml" in files


class _Loader(yaml.SafeLoader):
    """PyYAML's loader, which refuses a key that a mapping has twice instead of taking the last."""

    def compose_mapping_node(self, anchor: dict[Any, yaml.Node]) -> yaml.MappingNode:
        node = super().compose_mapping_node(anchor)
        keys = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        if repeated := [key for key in keys if keys.count(key) > 1]:
            raise ValueError(f"the key `{repeated[0]}` is repeated below{node.start_mark}")
        return node


def golden(samples: Iterable[Sample]) -> Mapping[str, str]:
    """Return the texts to keep, by path: those of the files that differ from the samples' bases.

    Beside the folder of a server is a list: the files with another owner or mode, those that are
    copied, and those that are gone. Beside those of a variant are the blocks that it overrides,
    with the hashes of the originals: a new version may change what an override has to follow.
    """
    texts = {}
    for sample in samples:
        blocks = (f"{block} {hashes[-12:]}\n" for block, hashes in sample.overridden.items())
        if overridden := "".join(blocks):
            texts[f"{_portable(sample.variant)}/overridden.txt"] = overridden
        folder, files, base = sample.name, sample.files, sample.base
        for path, file in files.items():
            if file.data is None and (path not in base or base[path].text != file.text):
                texts[f"{folder}/{path}"] = file.text
        lines = [
            f"{path}: {kind}\n"
            for path in sorted(files.keys() | base.keys())
            if (kind := _kind(files.get(path))) != _kind(base.get(path))
        ]
        if lines:
            texts[f"{folder}.txt"] = "".join(lines)
    return texts


def _kind(file: RenderedFile | None) -> str:
    """Return the owner of a file, whether it is executable, and the hash of a copied one."""
    if file is None:
        return "gone"
    copied = "" if file.data is None else f", sha256 {sha256(file.data).hexdigest()}"
    return f"{file.owner}{', executable' * file.executable}{copied}"


def update(folder: Path, texts: Mapping[str, str]) -> None:
    """Replace the golden outputs in the folder of a pack. Raises ScaffoldError if the disk refuses."""
    shutil.rmtree(folder / GOLDEN, ignore_errors=True)
    write_files(texts, folder / GOLDEN)


def differences(folder: Path, texts: Mapping[str, str]) -> Iterator[str]:
    """Yield a unified diff of each golden output in the folder of a pack that is not as it was."""
    root = folder / GOLDEN
    files = (path for path in root.rglob("*") if path.is_file())
    golden = {file.relative_to(root).as_posix(): folded(file.read_bytes()) for file in files}
    for path in sorted(golden.keys() | texts.keys()):
        old = f"a/{GOLDEN}/{path}" if path in golden else "/dev/null"
        new = f"b/{GOLDEN}/{path}" if path in texts else "/dev/null"
        if difference := unified(golden.get(path, ""), texts.get(path, ""), old, new):
            yield difference
