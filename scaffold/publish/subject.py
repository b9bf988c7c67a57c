"""What is checked before a project is published: its spec, the files about it, and its repository."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from scaffold import chosen
from scaffold.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.files import SPEC
from scaffold.generate import rule_at
from scaffold.inputs import read_packs
from scaffold.project.publishing import bundle_name, registry_name
from scaffold.publish.dockerfile import Dockerfile
from scaffold.publish.repository import Repository, repository
from scaffold.publish.toml import Toml
from scaffold.spec.check import load
from scaffold.spec.format import Spec
from scaffold.spec.publish import Package, Publish
from scaffold.yaml.document import Document, Node
from scaffold.yaml.source import load as decode
from scaffold.yaml.source import parse, read

ENTRY = "server.json"
MANIFEST = "manifest.json"
README = "README.md"
PROJECT = "pyproject.toml"
DOCKERFILE = "Dockerfile"
UV_LOCK = "uv.lock"
PYTHON_VERSION = ".python-version"
WORKFLOWS = ".github/workflows"
WORKFLOW = f"{WORKFLOWS}/publish-mcp.yml"
PLUGIN = ".claude-plugin/plugin.json"
PACKAGE = "package.json"

_HIDDEN = Node(None, 0, 0, None, 0)


class Subject(Struct, frozen=True, dict=True):
    """A project to publish.

    `documents` are its files by path, parsed if they are JSON or YAML. `name` is its name in the
    registry, `command` that of its distribution and command, `package` that of its import package.
    """

    root: Path
    source: Document
    spec: Spec
    publish: Publish
    name: str
    command: str
    package: str
    documents: Mapping[str, Document]
    broken: tuple[Diagnostic, ...]
    repository: Repository | None

    @property
    def version(self) -> str:
        """The version that is published."""
        return self.spec.version

    @property
    def bundle(self) -> Path:
        """The path of the bundle."""
        return self.root / "dist" / bundle_name(self.command, self.version)

    @cached_property
    def project(self) -> Toml | None:
        """The project's pyproject.toml, if it can be read."""
        document = self.documents.get(PROJECT)
        return Toml.parse(document) if document else None

    @cached_property
    def image(self) -> Dockerfile | None:
        """The project's Dockerfile, if there is one."""
        document = self.documents.get(DOCKERFILE)
        return Dockerfile.parse(document) if document else None

    def has(self, package: Package) -> bool:
        """Return whether the server is published as this kind of package."""
        return package in self.publish.packages

    def place(self, path: str) -> Place:
        """Return the place of a whole file of the project."""
        return Place(str(self.root / path))


def subject(root: Path) -> Subject:
    """Read a project to publish.

    Raises ScaffoldError if the spec is invalid, or does not ask for publishing (`not-published`).
    """
    source = read(root / SPEC)
    loaded = load(source, rule_at(root, read_packs(root)))
    spec, view = loaded.spec, chosen.view()
    if spec.publish is None:
        message = "the spec does not say how the server is published"
        hint = "add `publish: {namespace: io.github.OWNER}`, and run `mcp-scaffold regenerate`"
        raise ScaffoldError.of("not-published", message, root / SPEC, hint)
    documents, broken = _documents(root)
    return Subject(
        root=root,
        source=loaded.document,
        spec=spec,
        publish=spec.publish,
        name=registry_name(spec, spec.publish),
        command=view.command_name(spec.name),
        package=view.package_name(spec.name),
        documents=documents,
        broken=tuple(broken),
        repository=repository(root),
    )


def _documents(root: Path) -> tuple[dict[str, Document], list[Diagnostic]]:
    paths = [ENTRY, MANIFEST, README, PROJECT, DOCKERFILE, UV_LOCK, PYTHON_VERSION, PLUGIN, PACKAGE]
    folder = root / WORKFLOWS
    if folder.is_dir():
        paths += [f"{WORKFLOWS}/{one.name}" for one in sorted(folder.glob("*.y*ml"))]
    documents: dict[str, Document] = {}
    broken: list[Diagnostic] = []
    for path in paths:
        if (root / path).is_file():
            try:
                documents[path] = document(root, path)
            except ScaffoldError as error:
                broken += error.diagnostics
    return documents, broken


def document(root: Path, path: str) -> Document:
    """Read a file of the project. Raises ScaffoldError if it cannot be read or parsed."""
    name = str(root / path)
    text = decode(root / path, name).text
    if path.endswith(".json") and not (root / path).read_bytes().lstrip().startswith((b"{", b"[")):
        message, hint = "not JSON in UTF-8 without a byte order mark", "save it as UTF-8"
        raise ScaffoldError.of("publish-file", message, name, hint)
    if path.endswith((".json", ".yml", ".yaml")):
        return replace(parse(text, name), noun="the file")
    found = Document(name, text.replace("\r\n", "\n"), None, _HIDDEN)
    if path.endswith(".toml"):
        try:
            tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            message = f"not valid TOML: {error}"
            raise ScaffoldError.of("publish-file", message, name, "correct the file") from None
    return found


def is_inside(path: str) -> bool:
    """Return whether a path is relative, and leads nowhere but into the project."""
    parts = path.split("/")
    is_plain = not ({*"\\:$\0"} & {*path})
    return is_plain and parts[0] != "" and not {"..", "."} & {*parts}
