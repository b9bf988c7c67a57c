"""What a registry would refuse is found before anything is public, at the line that is wrong."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from scaffold.diagnostics import Diagnostic, ScaffoldError, Severity
from scaffold.project.publishing import SCHEMA
from scaffold.publish.check import findings
from scaffold.publish.metadata import repair
from scaffold.publish.subject import subject
from tests.publish.conftest import SPEC, git, made


class Fault(NamedTuple):
    """A text of a file that is replaced, the finding about it, and what stands in its line."""

    name: str
    path: str
    text: str
    instead: str
    id: str
    line: str
    fixed: bool = False


NAME = "io.github.Example/library"
MARKER = f"<!-- mcp-name: {NAME} -->"
LABEL = f'LABEL io.modelcontextprotocol.server.name="{NAME}"'
ENTRY, MANIFEST, WORKFLOW = "server.json", "manifest.json", ".github/workflows/publish-mcp.yml"
RELEASE = "https://github.com/Example/library-mcp/releases/download/v1.4.0/library-1.4.0.mcpb"
CHECK = "publish --check --bundle --format github"

# fmt: off
FAULTS = [
    Fault("no marker", "README.md", MARKER, "", "publish-marker", "# Library", True),
    Fault("glued marker", "README.md", MARKER, f'<!-- mcp-name: {NAME}.', "publish-marker", "mcp-name", True),
    Fault("marker without a space behind", "README.md", MARKER, f'<!-- mcp-name: {NAME}-->', "publish-marker", "mcp-name", True),
    Fault("marker in parentheses", "README.md", MARKER, f"(mcp-name: {NAME})", "publish-marker", "mcp-name", True),
    Fault("marker in capitals", "README.md", "mcp-name:", "MCP-Name:", "publish-marker", "MCP-Name", True),
    Fault("marker without a space", "README.md", "mcp-name: ", "mcp-name:", "publish-marker", "mcp-name", True),
    Fault("marker of another server", "README.md", MARKER, "<!-- mcp-name: io.github.Example/books -->", "publish-name", "books", True),
    Fault("marker in other capitals", "README.md", MARKER, MARKER.replace('Example', 'example'), "publish-name", "example/", True),
    Fault("no readme", "pyproject.toml", 'readme = "README.md"\n', "", "publish-readme", "[project]", True),
    Fault("dynamic readme", "pyproject.toml", 'readme = "README.md"\n', 'dynamic = ["readme"]\n', "publish-readme", "dynamic"),
    Fault("readme that is text", "pyproject.toml", 'readme = "README.md"', 'readme = { text = "Books", content-type = "text/plain" }', "publish-readme", "readme"),
    Fault("readme that is not there", "pyproject.toml", 'readme = "README.md"', 'readme = "INDEX.md"', "publish-readme", "INDEX", True),
    Fault("another name in server.json", ENTRY, NAME, "io.github.Example/books", "publish-name", "books", True),
    Fault("name in other capitals in server.json", ENTRY, NAME, NAME.lower(), "publish-name", "example", True),
    Fault("no label", "Dockerfile", LABEL, "", "publish-label", "FROM", True),
    Fault("another label", "Dockerfile", LABEL, LABEL.replace('/library', '/books'), "publish-name", "books", True),
    Fault("version in pyproject.toml", "pyproject.toml", 'version = "1.4.0"', 'version = "1.3.0"', "publish-version", "1.3.0", True),
    Fault("a dynamic version", "pyproject.toml", 'version = "1.4.0"', 'dynamic = ["version"]', "publish-version", "dynamic"),
    Fault("no version", "pyproject.toml", 'version = "1.4.0"\n', "", "publish-version", "[project]", True),
    Fault("no name", "pyproject.toml", 'name = "library"\n', "", "publish-project", "[project]", True),
    Fault("no command", "pyproject.toml", 'library = "library.__main__:main"', 'librarian = "library.__main__:main"', "publish-project", "[project.scripts]"),
    Fault("a command that leads to no module", "pyproject.toml", "library.__main__:main", "library.nowhere:main", "publish-project", "nowhere"),
    Fault("a command that leads to no function", "pyproject.toml", "library.__main__:main", "library.__main__:begin", "publish-project", "begin"),
    Fault("a wheel of another package", "pyproject.toml", "src/library", "src/other", "publish-project", "src/other"),
    Fault("a license that is none", "pyproject.toml", 'license = "MIT"', 'license = "Not A License"', "publish-project", "Not A"),
    Fault("a private package", "pyproject.toml", "readme = ", 'classifiers = ["Private :: Do Not Upload"]\nreadme = ', "publish-project", "Private"),
    Fault("a version of Python that is too old", ".python-version", "3.13", "2.7", "publish-project", ""),
    Fault("no version of Python", ".python-version", "3.13", "banana", "publish-project", ""),
    Fault("a Python that the project does not accept", "pyproject.toml", ">=3.11", ">=3.14", "publish-project", ""),
    Fault("a dependency that is not locked", "pyproject.toml", "dependencies = [", 'dependencies = [\n    "books>=2",', "publish-lock", ""),
    Fault("a dependency locked with other versions", "pyproject.toml", "mcp>=2.3", "mcp>=2.2", "publish-lock", ""),
    Fault("a lock file of another project", "uv.lock", 'name = "library"', 'name = "books"', "publish-lock", ""),
    Fault("a build that the image index refuses", "mcp.yaml", "1.4.0", "1.4.0+abc.1", "publish-version", "1.4.0+"),
    Fault("a package index for tests", ENTRY, '"registryType": "pypi",', '"registryType": "pypi",\n      "registryBaseUrl": "https://test.pypi.org",', "publish-package", "test.pypi"),
    Fault("a hash of a Python package", ENTRY, '"registryType": "pypi",', '"registryType": "pypi",\n      "fileSha256": "' + "0" * 64 + '",', "publish-package", "fileSha256"),
    Fault("another image", ENTRY, "images.example/example/library:", "images.example/Example/library:", "publish-package", "Example/library:"),
    Fault("a bundle of another repository", ENTRY, RELEASE, RELEASE.replace("Example", "Else"), "publish-package", "Else", True),
    Fault("another repository in server.json", ENTRY, '"url": "https://github.com/Example/library-mcp"', '"url": "https://github.com/Else/library-mcp"', "publish-address", "Else"),
    Fault("a variable that clients may leave out", ENTRY, '"isRequired": true,', '"isRequired": false,', "publish-variable", "LIBRARY_KEY"),
    Fault("a default that is no number", ENTRY, '"default": "3"', '"default": "lots"', "publish-variable", "lots"),
    Fault("a remote in a private network", ENTRY, "https://library.example/mcp", "https://10.0.0.1/mcp", "publish-remote", "10.0"),
    Fault("a remote with a local name", ENTRY, "https://library.example/mcp", "https://nas.local/mcp", "publish-remote", "nas"),
    Fault("a header with an unknown variable", ENTRY, "Bearer {token}", "Bearer {key}", "publish-transport", "{key}"),
    Fault("two versions of the manifest", MANIFEST, '"manifest_version"', '"dxt_version": "0.1",\n  "manifest_version"', "bundle-format", "dxt"),
    Fault("a file for all languages", MANIFEST, '"license": "MIT"', '"localization": {"resources": "a.json"},\n  "license": "MIT"', "bundle-format", "a.json"),
    Fault("another program on Windows", MANIFEST, '"command": "uv"', '"platform_overrides": {"win32": {"command": "python.exe"}},\n      "command": "uv"', "bundle-start", "python.exe"),
    Fault("another command of uv", MANIFEST, '"run",', '"rum",', "bundle-start", "rum"),
    Fault("an entry point that is no module", MANIFEST, "src/library/__main__.py", "src/library/_generated/catalog.json", "bundle-format", "catalog"),
    Fault("a setting that may stay open", MANIFEST, '"default": 3', '"max": 3', "bundle-variable", "LIBRARY_LIMIT"),
    Fault("a namespace of GitHub in capitals", "mcp.yaml", "io.github.Example", "Io.GitHub.Example", "publish-owner", "Io."),
    Fault("a namespace with too many parts", "mcp.yaml", "io.github.Example", "io.github.Example.books", "publish-owner", "books"),
    Fault("a namespace of GitLab", "mcp.yaml", "io.github.Example", "io.gitlab.Example", "publish-owner", "gitlab"),
    Fault("version in server.json", ENTRY, '"version": "1.4.0",\n  "repository"', '"version": "1.3.0",\n  "repository"', "publish-version", "1.3.0", True),
    Fault("version of a package", ENTRY, '"version": "1.4.0",\n      "runtimeHint"', '"version": "1.3.0",\n      "runtimeHint"', "publish-version", "1.3.0", True),
    Fault("version in manifest.json", MANIFEST, '"version": "1.4.0"', '"version": "1.3.0"', "publish-version", "1.3.0", True),
    Fault("version in uv.lock", "uv.lock", '"1.4.0"', '"1.3.0"', "publish-version", "1.3.0"),
    Fault("version of the image", ENTRY, "library:1.4.0", "library:1.3.0", "publish-version", "library:1.3.0", True),
    Fault("version on the image's label", "Dockerfile", 'image.version="1.4.0"', 'image.version="1.3.0"', "publish-version", "1.3.0", True),
    Fault("version of the bundle", ENTRY, RELEASE, RELEASE.replace('v1.4.0', 'v1.3.0'), "publish-version", "v1.3.0", True),
    Fault("a range", ENTRY, '"version": "1.4.0",\n      "runtimeHint"', '"version": "^1.4",\n      "runtimeHint"', "publish-range", "^1.4"),
    Fault("the latest", ENTRY, '"version": "1.4.0",\n  "repository"', '"version": "latest",\n  "repository"', "publish-range", "latest"),
    Fault("a wildcard", ENTRY, '"version": "1.4.0",\n  "repository"', '"version": "1.x",\n  "repository"', "publish-range", "1.x"),
    Fault("a long description", ENTRY, "of a public library.", 'of a public library' * 6, "publish-text", "description"),
    Fault("a blank title", ENTRY, '"title": "Library"', '"title": " "', "publish-text", "title"),
    Fault("snake case", ENTRY, "registryType", "registry_type", "unknown-key", "registry_type", True),
    Fault("an unknown key", ENTRY, '"title": "Library"', '"titel": "Library"', "unknown-key", "titel", True),
    Fault("http as a transport", ENTRY, '"type": "streamable-http"', '"type": "http"', "unknown-value", '"http"'),
    Fault("no schema", ENTRY, f'  "$schema": "{SCHEMA}",\n', "", "missing-key", '"name"'),
    Fault("a remote on this machine", ENTRY, "https://library.example/mcp", "https://localhost/mcp", "publish-remote", "localhost"),
    Fault("a remote without https", ENTRY, "https://library.example/mcp", "http://library.example/mcp", "publish-remote", "http:"),
    Fault("a remote with an unknown variable", ENTRY, "https://library.example/mcp", "https://{host}.example/mcp", "publish-transport", "{host}"),
    Fault("a url over stdio", ENTRY, '"type": "stdio"', '"type": "stdio",\n        "url": "https://library.example"', "publish-transport", "url"),
    Fault("a website without https", ENTRY, '"https://library.example"', '"http://library.example"', "bad-https-address", "websiteUrl"),
    Fault("a repository elsewhere", ENTRY, '"source": "github"', '"source": "gitlab"', "publish-address", "url"),
    Fault("another distribution", ENTRY, '"identifier": "library"', '"identifier": "books"', "publish-package", "books", True),
    Fault("an image without a tag", ENTRY, "library:1.4.0", "library", "publish-package", "images.example"),
    Fault("an image with a version", ENTRY, '"registryType": "oci",', '"registryType": "oci",\n      "version": "1.4.0",', "publish-package", "version"),
    Fault("a bundle elsewhere", ENTRY, RELEASE, "https://files.example/library-1.4.0.mcpb", "publish-package", "files.example", True),
    Fault("a secret that is not marked", ENTRY, '"isSecret": true\n        },\n        {\n          "name": "LIBRARY_LIMIT"', '"isSecret": false\n        },\n        {\n          "name": "LIBRARY_LIMIT"', "publish-secret", "false", True),
    Fault("a secret that is not said to be one", ENTRY, '"isRequired": true,\n          "isSecret": true', '"isRequired": true', "publish-secret", "LIBRARY_KEY", True),
    Fault("a bundle of another name", MANIFEST, '"name": "library"', '"name": "books"', "publish-name", "books", True),
    Fault("a variable that nobody reads", ENTRY, '"LIBRARY_LIMIT"', '"LIBRARY_LIMITS"', "publish-variable", "LIMITS"),
    Fault("manifest 0.3", MANIFEST, '"manifest_version": "0.4"', '"manifest_version": "0.3"', "bundle-format", "0.3", True),
    Fault("manifest 0.5", MANIFEST, '"manifest_version": "0.4"', '"manifest_version": "0.5"', "bundle-format", "0.5", True),
    Fault("a server of type python", MANIFEST, '"type": "uv"', '"type": "python"', "bundle-format", "python"),
    Fault("a working directory", MANIFEST, '"command": "uv"', '"cwd": ".",\n      "command": "uv"', "unknown-key", "cwd"),
    Fault("an input schema", MANIFEST, '"name": "find_book"', '"inputSchema": {},\n      "name": "find_book"', "unknown-key", "inputSchema"),
    Fault("a range of pip for the host", MANIFEST, '"platforms"', '"claude_desktop": ">=0.1,<2",\n    "platforms"', "bundle-runtime", "<2"),
    Fault("an address that is broken", MANIFEST, '"https://library.example"', '"https://["', "bad-web-address", "homepage"),
    Fault("a range of pip", MANIFEST, ">=3.11.0 <4.0.0", ">=3.11,<4", "bundle-runtime", ">=3.11,<4"),
    Fault("no sync", MANIFEST, '"run",', '"run",\n        "--no-sync",', "bundle-start", "--no-sync"),
    Fault("a path to uv", MANIFEST, '"command": "uv"', '"command": "/usr/local/bin/uv"', "bundle-start", "/usr/local"),
    Fault("another command", MANIFEST, '"${__dirname}",\n        "library"', '"${__dirname}",\n        "books"', "bundle-start", "args"),
    Fault("a setting that is not declared", MANIFEST, "${user_config.LIBRARY_LIMIT}", "${user_config.LIMIT}", "bundle-variable", "user_config.LIMIT"),
    Fault("a secret shown as text", MANIFEST, '"sensitive": true,', '"sensitive": false,', "publish-secret", "LIBRARY_KEY"),
    Fault("a tool that is not there", MANIFEST, '"name": "find_book"', '"name": "find_books"', "bundle-tools", "find_books"),
    Fault("no icon", MANIFEST, '"license": "MIT"', '"icon": "icon.png",\n  "license": "MIT"', "bundle-icon", "icon.png"),
    Fault("another entry point", MANIFEST, "src/library/__main__.py", "src/library/main.py", "bundle-file", "main.py"),
    Fault("a bundle name with spaces", MANIFEST, '"name": "library"', '"name": "My library"', "bad-bundle-name", "My library"),
    Fault("root in the image", "Dockerfile", "USER 10001", "USER root", "image-user", "USER"),
    Fault("no user in the image", "Dockerfile", "USER 10001\n", "", "image-user", "FROM"),
    Fault("no port", "Dockerfile", "EXPOSE 8100\n", "", "image-port", "FROM"),
    Fault("another port", "Dockerfile", "EXPOSE 8100", "EXPOSE 8000", "image-port", "EXPOSE 8000"),
    Fault("a shell as entry point", "Dockerfile", 'ENTRYPOINT ["/venv/bin/library"]', "ENTRYPOINT library", "image-start", "ENTRYPOINT"),
    Fault("no check in the workflow", WORKFLOW, CHECK, "--version", "publish-order", "uv publish"),
    Fault("an image that is built too late", WORKFLOW, "docker load --input dist/image.tar", "docker build .", "publish-order", "docker build ."),
    Fault("no permission", WORKFLOW, "      id-token: write  # to prove whose workflow this is\n", "", "publish-permission", "github-oidc"),
    Fault("ignored sources", ".gitignore", "dist/", "dist/\ntools/", "bundle-file", "tools"),
    Fault("a credential", "src/library/lifespan.py", '"""', '"""AKIAABCDEFGHIJKLMNOP ', "bundle-secret", '"""'),
    Fault("another namespace than the remote's", "mcp.yaml", "io.github.Example", "io.github.Else", "publish-owner", "namespace"),
    Fault("owner in other capitals", "mcp.yaml", "io.github.Example", "io.github.example", "publish-owner", "namespace"),
]
# fmt: on


def found_in(root: Path) -> tuple[Diagnostic, ...]:
    return findings(subject(root))


def test_a_sound_project_has_no_findings(whole: Path) -> None:
    assert found_in(whole) == ()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_each_fault_is_found_at_its_line(sound: Path, fault: Fault) -> None:
    file = sound / fault.path
    text = file.read_text(encoding="utf-8")
    assert fault.text in text
    file.write_text(text.replace(fault.text, fault.instead, 1), encoding="utf-8")
    if fault.path == ".gitignore":
        git(sound, "rm", "-r", "--cached", "--quiet", "src/library/tools")
    hashed = {"publish-hash"}  # of each file in the bundle
    found = [one for one in found_in(sound) if one.id not in hashed]
    if fault.path == "mcp.yaml":  # what names the server everywhere else is wrong then too
        found = [one for one in found if one.place and one.place.path.endswith(".yaml")]
    assert {one.id for one in found} == {fault.id}, found
    assert any(fault.line in (one.place.excerpt or "") for one in found if one.place), found
    assert all(one.hint and one.place for one in found)
    assert any(one.fix for one in found) == fault.fixed


FIXED = [fault for fault in FAULTS if fault.fixed]


@pytest.mark.parametrize("fault", FIXED, ids=lambda fault: fault.name)
def test_what_has_one_certain_fix_is_mended(sound: Path, fault: Fault) -> None:
    file = sound / fault.path
    before = file.read_text(encoding="utf-8")
    file.write_text(before.replace(fault.text, fault.instead, 1), encoding="utf-8")
    assert {one.id for one in repair(sound)} >= {fault.id}
    assert found_in(sound) == ()


def test_a_manifest_without_mcp_config_is_an_error(sound: Path) -> None:
    manifest = json.loads((sound / MANIFEST).read_text(encoding="utf-8"))
    del manifest["server"]["mcp_config"]
    (sound / MANIFEST).write_text(json.dumps(manifest, indent=2), encoding="utf-8")
    found = [one for one in found_in(sound) if one.id != "publish-hash"]
    assert [(one.id, one.pointer) for one in found] == [("missing-key", "/server")]


def test_only_labels_of_the_last_stage_count(sound: Path) -> None:
    file = sound / "Dockerfile"
    text = file.read_text(encoding="utf-8")
    elsewhere = text.replace(f"{LABEL}\n", "").replace("WORKDIR /build\n", f"{LABEL}\n")
    file.write_text(elsewhere, encoding="utf-8")
    assert ids(sound) == {"publish-label"}
    based = elsewhere.replace("\nFROM python:3.13-slim\n", "\nFROM build\n")
    file.write_text(based, encoding="utf-8")
    assert found_in(sound) == ()


def ids(root: Path) -> set[str]:
    return {one.id for one in found_in(root)}


def test_a_tag_of_another_version_is_an_error(sound: Path) -> None:
    git(sound, "tag", "v1.4.0")
    assert found_in(sound) == ()
    git(sound, "tag", "--delete", "v1.4.0")
    git(sound, "tag", "v1.3.9")
    git(sound, "tag", "stable")
    [found] = found_in(sound)
    assert found.id == "publish-tag"
    assert "`v1.3.9`" in found.message


@pytest.mark.parametrize(
    "tag", ["vnext", "V1.3.0", "release/1.3.0", "library-v9.0.0", "1.4.0", "release-1.4.0"]
)
def test_tags_for_which_nothing_or_another_version_is_published_are_errors(
    sound: Path, tag: str
) -> None:
    git(sound, "tag", tag)
    assert ids(sound) == {"publish-tag"}


def test_a_second_version_on_the_commit_is_an_error(sound: Path) -> None:
    git(sound, "tag", "v1.4.0")
    git(sound, "tag", "v1.5.0")
    assert ids(sound) == {"publish-tag"}


def test_the_tag_for_which_github_runs_the_check_counts(
    sound: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"WORKSPACE": str(sound), "REF_TYPE": "tag", "REF_NAME": "v1.3.0"}.items():
        monkeypatch.setenv(f"GITHUB_{name}", value)
    assert ids(sound) == {"publish-tag"}
    monkeypatch.setenv("GITHUB_WORKSPACE", str(sound / "src"))
    assert found_in(sound) == ()


def test_a_plugin_whose_version_is_a_number_is_an_error(sound: Path) -> None:
    (sound / ".claude-plugin").mkdir()
    (sound / ".claude-plugin" / "plugin.json").write_text('{"version": 1.3}', encoding="utf-8")
    assert ids(sound) == {"publish-version"}


def test_a_lock_file_that_git_ignores_is_an_error(sound: Path) -> None:
    file = sound / ".gitignore"
    file.write_text(file.read_text(encoding="utf-8") + "uv.lock\n", encoding="utf-8")
    git(sound, "rm", "--cached", "--quiet", "uv.lock")
    assert ids(sound) >= {"publish-lock"}


def test_a_dependency_on_an_address_is_an_error(sound: Path) -> None:
    file = sound / "pyproject.toml"
    text = file.read_text(encoding="utf-8")
    url = 'dependencies = [\n    "books @ git+https://github.com/Example/books",'
    file.write_text(text.replace("dependencies = [", url, 1), encoding="utf-8")
    assert ids(sound) >= {"publish-project"}


def test_a_version_that_was_tagged_before_cannot_be_published_again(sound: Path) -> None:
    git(sound, "tag", "v1.4.0")
    git(sound, "commit", "--allow-empty", "--quiet", "--message", "later")
    [found] = found_in(sound)
    assert (found.id, found.place and found.place.line) == ("publish-tag", 2)


@pytest.mark.parametrize(
    "remote",
    [
        "https://github.com/example/library-mcp",
        "ssh://git@github.com/example/library-mcp.git",
        "git@GitHub.com:example/library-mcp",
    ],
)
def test_the_capitals_of_the_owner_are_compared_with_the_remote(sound: Path, remote: str) -> None:
    git(sound, "remote", "set-url", "origin", remote)
    assert ids(sound) == {"publish-owner"}


def test_a_remote_elsewhere_says_nothing_about_the_owner(sound: Path) -> None:
    git(sound, "remote", "set-url", "origin", "https://git.example/example/other.git")
    assert found_in(sound) == ()
    git(sound, "remote", "remove", "origin")
    assert found_in(sound) == ()


def test_another_repository_than_the_remote_is_an_error(sound: Path) -> None:
    git(sound, "remote", "set-url", "origin", "https://github.com/Example/books")
    assert ids(sound) == {"publish-address"}


def test_a_project_below_its_repository_is_a_warning(sound: Path) -> None:
    (sound / ".git").rename(sound.parent / ".git")
    [found] = [one for one in found_in(sound) if one.id == "publish-file"]
    assert (found.severity, "runs no workflow" in found.message) == (Severity.WARNING, True)
    [fixed] = repair(sound)
    assert (fixed.id, fixed.hint) == ("publish-address", 'write `"subfolder": "library"`')
    entry = json.loads((sound / ENTRY).read_text(encoding="utf-8"))
    assert entry["repository"]["subfolder"] == "library"
    (sound.parent / ".git").rename(sound / ".git")
    assert ids(sound) == {"publish-address"}


def test_a_project_outside_of_git_is_checked_too(sound: Path) -> None:
    shutil.rmtree(sound / ".git")
    assert found_in(sound) == ()
    (sound / "src" / "library" / ".env").write_text("A=b\n", encoding="utf-8")
    assert ids(sound) == set()  # .gitignore has it
    (sound / "src" / "library" / ".envrc").write_text("A=b\n", encoding="utf-8")
    assert ids(sound) == {"bundle-secret", "publish-hash"}


def test_a_line_of_a_text_is_not_taken_for_the_version(sound: Path) -> None:
    file = sound / "pyproject.toml"
    text = file.read_text(encoding="utf-8")
    trap = '[project]\nkeywords = ["""\nversion = "9"\n"""]'
    changed = text.replace("[project]", trap).replace('"1.4.0"', '"1.3.0"')
    file.write_text(changed, encoding="utf-8")
    repair(sound)
    assert file.read_text(encoding="utf-8") == text.replace("[project]", trap)


@pytest.mark.parametrize("path", ["server.json", "manifest.json", "README.md", "Dockerfile"])
def test_a_file_that_is_missing_is_an_error_and_written_again(sound: Path, path: str) -> None:
    from scaffold.publish.metadata import update

    (sound / path).unlink()
    assert "publish-file" in ids(sound)
    assert update(sound).applied
    repair(sound)
    assert found_in(sound) == ()


def test_a_lock_file_is_missed(sound: Path) -> None:
    (sound / "uv.lock").unlink()
    assert ids(sound) == {"publish-lock", "publish-hash"}


def test_a_hash_of_another_bundle_is_an_error(sound: Path) -> None:
    (sound / "src" / "library" / "lifespan.py").write_text("x = 1\n", encoding="utf-8")
    [found] = found_in(sound)
    assert (found.id, found.severity) == ("publish-hash", Severity.ERROR)
    assert found.place
    assert "fileSha256" in (found.place.excerpt or "")


def test_a_workflow_that_publishes_in_the_wrong_order_is_an_error(sound: Path) -> None:
    file = sound / WORKFLOW
    text = file.read_text(encoding="utf-8")
    first = "      - run: ./mcp-publisher login github-oidc\n      - run: ./mcp-publisher publish\n"
    upload = "      - run: uv publish"
    file.write_text(text.replace(first, "").replace(upload, first + upload), encoding="utf-8")
    found = found_in(sound)
    assert {one.id for one in found} == {"publish-order"}
    assert len(found) == 3  # the package, the image and the release come too late


def test_messages_about_other_files_do_not_call_them_the_spec(sound: Path) -> None:
    (sound / ENTRY).write_text("[]", encoding="utf-8")
    [message] = [one.message for one in found_in(sound) if one.id == "wrong-type"]
    assert message == "the file must be a mapping, not a list"


def test_what_looks_like_a_secret_is_marked_as_one_or_not(tmp_path: Path) -> None:
    variable = "env:\n  - {name: LIBRARY_API_KEY, description: Key, required: false}\n"
    root = made(tmp_path, SPEC.replace("env:\n", variable, 1).replace("pypi, mcpb, oci", "pypi"))
    assert found_in(root) == ()
    file = root / ENTRY
    text = file.read_text(encoding="utf-8")
    marked = '"isSecret": true,\n          "name": "LIBRARY_API_KEY"'
    assert marked in text  # by `repair`
    file.write_text(text.replace(marked, marked.replace("true", "false")), encoding="utf-8")
    assert found_in(root) == ()


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_json_in_another_encoding_is_an_error(sound: Path, encoding: str) -> None:
    file = sound / ENTRY
    file.write_text(file.read_text(encoding="utf-8"), encoding=encoding)
    assert "publish-file" in ids(sound)


def test_files_that_cannot_be_read_are_named(sound: Path) -> None:
    (sound / "server.json").write_text("{", encoding="utf-8")
    (sound / "pyproject.toml").write_text("[project\n", encoding="utf-8")
    found = found_in(sound)
    paths = {Path(one.place.path).name for one in found if one.place}
    assert paths >= {"server.json", "pyproject.toml"}


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "7",
        '{"name": [], "version": {}, "packages": [1, {}], "remotes": {"a": 1}, "repository": "x", "_meta": 3}',
        '{"server": {"mcp_config": {"args": 1, "env": []}}, "user_config": [], "tools": [1], "icons": [2], "screenshots": {}}',
    ],
)
@pytest.mark.parametrize("path", ["server.json", "manifest.json", "package.json", WORKFLOW])
def test_any_json_is_checked_without_failing(sound: Path, path: str, text: str) -> None:
    (sound / path).write_text(text, encoding="utf-8")
    found_in(sound)


def test_a_spec_that_does_not_ask_for_it_is_an_error(tmp_path: Path) -> None:
    start, _, rest = SPEC.partition("publish:\n")
    root = made_without(tmp_path, start + "env:\n" + rest.partition("env:\n")[2])
    assert not [
        path for path in ("server.json", "manifest.json", WORKFLOW) if (root / path).exists()
    ]
    assert "mcp-name" not in (root / "README.md").read_text(encoding="utf-8")
    with pytest.raises(ScaffoldError, match="does not say how the server is published"):
        subject(root)


def made_without(folder: Path, spec: str) -> Path:
    from scaffold.new import new

    (folder / "spec.yaml").write_text(spec, encoding="utf-8")
    new(folder / "spec.yaml", folder / "plain")
    return folder / "plain"


def test_only_what_is_published_is_checked(tmp_path: Path) -> None:
    root = made(tmp_path, SPEC.replace("packages: [pypi, mcpb, oci]", "packages: [pypi]"))
    assert not (root / "manifest.json").exists()
    for path in ("Dockerfile", "uv.lock"):
        (root / path).unlink()
    assert found_in(root) == ()
    entry = json.loads((root / "server.json").read_text(encoding="utf-8"))
    assert [package["registryType"] for package in entry["packages"]] == ["pypi"]
