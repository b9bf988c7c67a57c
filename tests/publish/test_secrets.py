"""Nothing private becomes public: in a package, a bundle, an image or the registry."""

from __future__ import annotations

from pathlib import Path

import pytest

from scaffold.publish.check import findings
from scaffold.publish.secrets import faults, is_private
from scaffold.publish.subject import subject

TOKEN = "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"
SECRETS = {"bundle-secret", "publish-secret"}


def private(root: Path) -> set[str]:
    """The paths in which something private is found."""
    problems = [
        finding for finding in findings(subject(root)) if finding.id in SECRETS and finding.place
    ]
    return {
        Path(finding.place.path).relative_to(root).as_posix()
        for finding in problems
        if finding.place
    }


def add(root: Path, path: str, text: str) -> None:
    """Add a line to a file."""
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    with (root / path).open("a", encoding="utf-8") as file:
        file.write(f"{text}\n")


@pytest.mark.parametrize(
    "address",
    [
        "https://bob:hunter2pw@library.example/mcp",
        "https://library.example/mcp?api_key=0123456789abcdef",
        f"https://library.example/{TOKEN}",
    ],
)
def test_a_credential_in_the_registry_is_an_error(sound: Path, address: str) -> None:
    entry = sound / "server.json"
    text = entry.read_text(encoding="utf-8")
    entry.write_text(text.replace("https://library.example/mcp", address), encoding="utf-8")
    assert private(sound) == {"server.json"}
    shown = [finding.place.excerpt for finding in findings(subject(sound)) if finding.place]
    assert not [line for line in shown if line and address.split("/")[-1] in line and "=" in line]


def test_a_package_and_an_image_hold_nothing_private(sound: Path) -> None:
    add(sound, "Dockerfile", f"ENV OTHER={TOKEN}")
    assert private(sound) == {"Dockerfile"}
    add(sound, ".gitignore", "Dockerfile")
    assert private(sound) == {"Dockerfile"}
    spec = sound / "mcp.yaml"
    text = spec.read_text(encoding="utf-8")
    spec.write_text(text.replace("[pypi, mcpb, oci]", "[pypi]"), encoding="utf-8")
    add(sound, "src/library/id_rsa", "x")
    add(sound, "src/library/keys.py", f'KEY = "{TOKEN}"')
    (sound / "src/library/wide.txt").write_bytes(TOKEN.encode("utf-16"))
    aws = 'aws_secret_access_key = "wJalrXUtnFEMI/K7MDENG/bPxRfiCY0123456789"'
    add(sound, "src/library/aws.txt", aws)
    add(sound, ".env.production", "LIBRARY_KEY=x")
    add(sound, ".env", "ignored by git")
    sources = {f"src/library/{name}" for name in ("id_rsa", "keys.py", "wide.txt", "aws.txt")}
    assert private(sound) == {*sources, ".env.production", "Dockerfile"}


PRIVATE = """
.envrc .ENV .git-credentials .pgpass .htpasswd .docker/config.json a.kdbx a.ppk server.PEM
id_rsa.bak credentials.json a/.ssh/config
"""


def test_a_private_file_is_known_by_its_name() -> None:
    assert [name for name in PRIVATE.split() if not is_private(f"src/library/{name}")] == []
    for name in (".env.example", "id_rsa.pub", "keys.py", "environment.py"):
        assert not is_private(f"src/library/{name}")
    assert not is_private("src/library/ca.pem", b"-----BEGIN CERTIFICATE-----\n")


def test_placeholders_and_marked_lines_are_no_credentials(sound: Path) -> None:
    for path in ("src/library/a.py", "README.md"):
        add(sound, path, 'url = f"postgres://{user}:{password}@{host}/db"')
        add(sound, path, 'url = "postgres://postgres:postgres@localhost/db"')
        add(sound, path, 'url = "https://user:password@host/?token=YOUR_TOKEN"')
        add(sound, path, "# AKIAXXXXXXXXXXXXXXXX, sk-xxxxxxxxxxxxxxxxxxxxxxxx")
        add(sound, path, f'fake = "{TOKEN}"  # pragma: allowlist secret')
    assert private(sound) == set()
    add(sound, "src/library/a.py", f'real = "{TOKEN}"')
    assert private(sound) == {"src/library/a.py"}


def test_a_file_too_large_to_be_searched_is_an_error(sound: Path) -> None:
    with (sound / "data.bin").open("wb") as file:
        file.truncate(3_000_000_000)
    problems = [finding for finding in faults(subject(sound)) if finding.id == "publish-file"]
    assert ["too large" in finding.message for finding in problems] == [True]
