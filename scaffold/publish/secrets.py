"""Find private files and credentials in packages, images and documents that become public."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scaffold.base.diagnostics import Diagnostic
from scaffold.base.diagnostics.wording import quote
from scaffold.base.secrets import credentials, named_credentials
from scaffold.format.publish import Package
from scaffold.publish.bundle import LARGEST, published, shown
from scaffold.publish.subject import DOCKERFILE, ENTRY, Subject
from scaffold.yaml.document import Document, Node

_PRIVATE = re.compile(
    r"(^|/)(\.env(rc|\.(?!example$|sample$|template$)[^/]*)?|\.git|\.hg|\.svn|\.venv|venv"
    r"|node_modules|\.npmrc|\.pypirc|\.netrc|_netrc|\.pgpass|\.htpasswd|\.git-credentials"
    r"|\.aws|\.ssh|\.gnupg|\.kube|\.docker|id_(rsa|dsa|ecdsa|ed25519)(\.(?!pub$)[^/]*)?"
    r"|(client_secrets?|credentials|service[-_]account)\.json"
    r"|[^/]*\.(key|p12|pfx|jks|keystore|kdbx?|ppk))(/|$)",
    re.IGNORECASE,
)
_PEM = re.compile(r"\.pem$", re.IGNORECASE)
_ALLOWED = re.compile(r"pragma: allowlist secret|gitleaks:allow")
"""Comments by which detect-secrets and gitleaks know a false alarm."""
_NOTHING = Node(None, 0, 0, None, 0)


def faults(subject: Subject) -> Iterator[Diagnostic]:
    """Yield errors for files that must not be public, and for credentials in the others."""
    bundled = {*published(subject)} if subject.has(Package.MCPB) else set()
    for path in sorted({*_paths(subject)}):
        id = "bundle-secret" if path in bundled else "publish-secret"
        file, place = subject.root / path, subject.place(shown(path))
        try:
            if file.stat().st_size > LARGEST:
                message = f"{quote(shown(path))} is too large to look for credentials in it"
                yield Diagnostic("publish-file", message, place, "add it to .gitignore")
                continue
            data = file.read_bytes()
        except OSError as error:
            message = f"{quote(shown(path))} cannot be read: {error.strerror}"
            hint = "make it readable, or add it to .gitignore"
            yield Diagnostic("publish-file", message, place, hint)
            continue
        if is_private(path, data):
            message = f"{quote(shown(path))} would be public"
            hint = "move it out of the project, or add it to .gitignore"
            yield Diagnostic(id, message, place, hint)
        else:
            yield from _credentials(subject, path, data, id)


def is_private(path: str, data: bytes = b"") -> bool:
    """Return whether a file is private by its name; certificates alone are not."""
    is_key = _PEM.search(path) and b"-----BEGIN CERTIFICATE" not in data
    return bool(is_key or _PRIVATE.search(path))


def _paths(subject: Subject) -> Iterator[str]:
    """Yield the paths of the files that packages and the registry show to everybody."""
    paths = {ENTRY} | ({DOCKERFILE} if subject.has(Package.OCI) else set())
    if subject.packages - {Package.MCPB, Package.OCI} and subject.repository:
        paths |= subject.repository.files  # what git does not ignore is in the package
    for path in (*paths, *published(subject)):
        if (subject.root / path).is_file() and not (subject.root / path).is_symlink():
            yield path


def _credentials(subject: Subject, path: str, data: bytes, id: str) -> Iterator[Diagnostic]:
    text = data.replace(b"\0", b"").decode("utf-8", "replace")  # UTF-16 becomes readable, too
    spans = [*credentials(text), *named_credentials(text)]
    document = Document(str(subject.root / shown(path)), text, None, _NOTHING, secrets=tuple(spans))
    for start, _ in sorted(spans):
        line = text[text.rfind("\n", 0, start) + 1 :].split("\n", 1)[0]
        if not _ALLOWED.search(line):
            message = "this looks like a credential, and would be public"
            hint = (
                "read it from a variable, declared under `env` with `secret: true`; "
                "if it is not one, end the line with a comment `pragma: allowlist secret`"
            )
            yield Diagnostic(id, message, document.at(start), hint)
            return
