"""The project to publish: its spec, its generated documents, and its files as git knows them."""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec import Struct

from scaffold.base import git
from scaffold.base.diagnostics import Place, ScaffoldError
from scaffold.base.files import SPEC, RelPath
from scaffold.format.publish import Package, Publish
from scaffold.format.spec import Spec
from scaffold.packs.traits import Traits
from scaffold.project.generate import generate
from scaffold.project.inputs import read_packs
from scaffold.project.publishing import bundle_name, registry_name
from scaffold.yaml.document import Document
from scaffold.yaml.source import load, read

ENTRY = "server.json"
MANIFEST = "manifest.json"
README = "README.md"
DOCKERFILE = "Dockerfile"

_MAX_OUTPUT_BYTES = 64 * 2**20


class Repository(Struct, frozen=True):
    """The paths of the files in a project that git does not ignore.

    Of these, git does not know those in `new`, and a checkout changed the line ends of those in
    `converted`.
    """

    files: frozenset[str]
    new: frozenset[str] = frozenset()
    converted: frozenset[str] = frozenset()


class Subject(Struct, frozen=True, dict=True):
    """A project to publish.

    `name` is its name in the registry, `command` that of its distribution and command. `packages` are
    the kinds of packages, and `generated` has the texts that its spec asks for, by path. `required`
    are the generated files that a bundle needs. `project` is the table that describes its package,
    and `readme` the path of the package's description; both are empty if there is none.
    """

    root: Path
    source: Document
    spec: Spec
    publish: Publish
    name: str
    command: str
    packages: frozenset[str]
    traits: Traits
    generated: Mapping[str, str]
    required: tuple[str, ...]
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
    def manifest(self) -> dict[str, Any]:
        """The manifest of the bundle; empty if none is published."""
        text = self.generated.get(MANIFEST)
        return dict(json.loads(text)) if text else {}

    @property
    def project_file(self) -> str:
        """The path of the file that describes the package, or nothing."""
        return self.traits.project_file.get("path", "")

    @cached_property
    def project(self) -> Mapping[str, Any]:
        """The package's table in the project file. Raises ScaffoldError if it does not parse."""
        path, table = self.project_file, self.traits.project_file.get("table")
        text = self.text(path) if path else None
        parse: Any = json.loads if path.endswith(".json") else tomllib.loads
        try:
            data = parse(text) if text else {}
        except ValueError as error:
            kind, place = path.rpartition(".")[2].upper(), self.place(path)
            message = f"not valid {kind}: {error}"
            raise ScaffoldError.of("publish-file", message, place, "correct the file") from None
        described = data.get(table) if table and isinstance(data, dict) else data
        return described if isinstance(described, dict) else {}

    @property
    def readme(self) -> str:
        """The path of the description of the package. Raises ScaffoldError."""
        readme = self.project.get("readme")
        path = readme.get("file") if isinstance(readme, dict) else readme
        return path if isinstance(path, str) and is_inside(path) else ""

    def text(self, path: str) -> str | None:
        """Return the text of a file of the project, or None. Raises ScaffoldError."""
        file = self.root / path
        return load(file, str(file)).text.replace("\r\n", "\n") if file.is_file() else None

    def has(self, package: Package) -> bool:
        """Return whether the server is published as this kind of package."""
        return package in self.packages

    def place(self, path: str, line: int | None = None) -> Place:
        """Return the place of a file of the project, or of a line in it."""
        return Place(str(self.root / path), line)


def subject(root: Path) -> Subject:
    """Read a project to publish.

    Raises ScaffoldError if the spec is invalid, or does not ask for publishing (`not-published`).
    """
    result = generate(read(root / SPEC), root, root, read_packs(root))
    spec = result.loaded.spec
    if spec.publish is None:
        message = "the spec does not say how the server is published"
        hint = "add `publish: {namespace: io.github.OWNER}`, and run `mcp-scaffold regenerate`"
        raise ScaffoldError.of("not-published", message, root / SPEC, hint)
    paths = [path for path in (ENTRY, MANIFEST) if RelPath(path) in result.files]
    publishing = result.project.publish
    return Subject(
        root=root,
        source=result.loaded.document,
        spec=spec,
        publish=spec.publish,
        name=registry_name(spec, spec.publish),
        command=result.project.name,
        packages=publishing.packages if publishing else frozenset(),
        traits=result.traits,
        generated={path: str(result.files[RelPath(path)].text) for path in paths},
        required=tuple(path for path in result.traits.bundles if path in result.files),
        repository=repository(root),
    )


def is_inside(path: str) -> bool:
    """Return whether a path is relative, and leads nowhere but into the project."""
    parts = path.split("/")
    is_plain = not ({*"\\:$\0"} & {*path})
    return is_plain and parts[0] != "" and not {"..", "."} & {*parts}


def repository(root: Path) -> Repository | None:
    """Return the repository of a project; None if there is neither git nor a .gitignore.

    Outside of a repository, .gitignore is read all the same. Raises ScaffoldError if git fails:
    nobody would know which files are ignored.
    """
    if not any((folder / ".git").exists() for folder in (root, *root.absolute().parents)):
        return _outside(root)
    new = _listed(root, "--others", "--exclude-standard")
    return Repository(_listed(root, "--cached") | new, new, _converted(root))


def _outside(root: Path) -> Repository | None:
    if not shutil.which("git") and not (root / ".gitignore").exists():
        return None
    with TemporaryDirectory() as folder:
        _asked(root, "init", "--quiet", "--bare", folder)
        trees = (f"--git-dir={folder}", f"--work-tree={root.absolute()}")
        return Repository(_listed(root, "--others", "--exclude-standard", before=trees))


def _listed(root: Path, *which: str, before: tuple[str, ...] = ()) -> frozenset[str]:
    return frozenset(_asked(root, *before, "ls-files", "-z", *which).split("\0")[:-1])


def _converted(root: Path) -> frozenset[str]:
    """Return the files that have other line ends than git stores."""
    lines = _asked(root, "ls-files", "-z", "--eol").split("\0")
    return frozenset(line.split("\t", 1)[1] for line in lines if line.startswith("i/lf    w/crlf"))


def _asked(root: Path, *arguments: str) -> str:
    """Return the output of git. Raises ScaffoldError if it fails."""
    try:
        output = git.run(str(root), *arguments, most=_MAX_OUTPUT_BYTES)
    except git.GitError as error:
        why = str(error).partition("\n")[0]
        message = f"git does not tell which files it ignores: {why}"
        hint = "run `git status` in the project, and follow its advice"
        raise ScaffoldError.of("publish-file", message, root, hint) from error
    return output.decode(errors="surrogateescape")
