"""Recognize secrets by the names of their variables, headers and options, and by their format."""

from __future__ import annotations

import re
from collections.abc import Iterator

_CERTAIN = (
    "token|secret|password|passwd|passphrase|api_?key|secret_?key|access_?key|private_?key"
    "|credentials?"
)
_SECRET = re.compile(rf"(^|[_.-])({_CERTAIN})$", re.IGNORECASE)
_LIKELY = re.compile(
    rf"(^|[_.-])({_CERTAIN}|pwd|pass|key|auth|authorization|bearer|cookie|pat|sig|signature)\d*$",
    re.IGNORECASE,
)
_CREDENTIALS = re.compile(
    r"\b[a-z][a-z0-9+.-]{0,30}://(?P<user>[^\s/:@]*):(?P<password>[^\s/@]+)@"
    r"|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"
    r"|\bgh[opsur]_[0-9A-Za-z]{36,}"
    r"|\bgithub_pat_\w{22,}"
    r"|\bsk-[0-9A-Za-z_-]{20,}"
    r"|\bxox[abeoprs]-[0-9A-Za-z-]{10,}"
    r"|\bglpat-[0-9A-Za-z_-]{20,}"
    r"|\bAIza[0-9A-Za-z_-]{35}"
    r"|\b[rs]k_(?:live|test)_[0-9A-Za-z]{16,}"
    r"|\bnpm_[0-9A-Za-z]{36,}"
    r"|\bhf_[0-9A-Za-z]{30,}"
    r"|\bpypi-[0-9A-Za-z_-]{50,}"
    r"|\bSG\.[0-9A-Za-z_-]{16,}\.[0-9A-Za-z_-]{16,}"
    r"|\bBearer [0-9A-Za-z._~+/-]{20,}"
    r"|\beyJ[0-9A-Za-z_-]{10,4000}\.[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]*"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----"
)
"""Strings that look like credentials: passwords in URLs, and tokens with vendor prefixes."""

_PASSWORD_PLACEHOLDER = re.compile(
    r"pass|passw(or)?d|pwd|secret|token|x+|\*+|\.+|your.*|change.?me|[<{$%\[(].*", re.IGNORECASE
)
"""Placeholders that examples use in place of a password."""

_EXAMPLE = re.compile(r"Bearer [A-Z]+(_[A-Z0-9]+)+$|[xX]{8}|\*{8}|0{8}")
"""Parts of tokens in examples, such as `AKIAXXXXXXXXXXXXXXXX` and `Bearer YOUR_TOKEN`."""


_NAMED = re.compile(
    r"[?&](?:api[-_]?key|(?:access_|auth_)?token|secret|password|signature)="
    r"(?P<query>[\w.~+/%-]{4,})"
    r"|aws_secret_access_key[\"']?\s*[=:]\s*[\"']?(?P<aws>[A-Za-z0-9/+]{40})\b",
    re.IGNORECASE,
)
_PARAMETER_PLACEHOLDER = re.compile(
    r"(your|my|an?|the)?[-_]?(api)?[-_]?(key|token|secret|password)|x+|%7B.*", re.IGNORECASE
)


def is_secret_name(name: str) -> bool:
    """Return whether a variable of this name certainly holds a secret."""
    return _SECRET.search(name) is not None


def is_likely_secret_name(name: str) -> bool:
    """Return whether an option, a header or a variable of this name is likely to hold a secret."""
    return _LIKELY.search(in_words(name)) is not None


def in_words(name: str) -> str:
    """Return a name with `_` between its words: `apiKey` becomes `api_Key`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)


def mask(text: str) -> str:
    """Return the text with credentials replaced by asterisks; its length is unchanged."""

    def stars(match: re.Match[str]) -> str:
        start, end = match.span("password") if match["password"] else match.span()
        return text[match.start() : start] + "*" * (end - start) + text[end : match.end()]

    return _CREDENTIALS.sub(stars, text)


def credentials(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of likely credentials that are not placeholders."""
    for match in _CREDENTIALS.finditer(text):
        password = match["password"]
        if password is None and not _EXAMPLE.search(match[0]):
            yield match.span()
        elif (
            password and password != match["user"] and not _PASSWORD_PLACEHOLDER.fullmatch(password)
        ):
            yield match.span("password")


def holds_credential(text: str) -> bool:
    """Return whether a text contains a likely credential that is not a placeholder."""
    return any(credentials(text))


def named_credentials(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of values that are credentials by the names before them."""
    for match in _NAMED.finditer(text):
        kind = "query" if match["query"] else "aws"
        if not _PARAMETER_PLACEHOLDER.fullmatch(match[kind]):
            yield match.span(kind)
