"""What of an address may be shown, and what of it may be secret."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit, urlunsplit

_SECRET = re.compile(r"token|secret|pass|key|auth|sig|cred|code", re.IGNORECASE)
"""Names of parameters whose values may be secret."""


def public(url: str) -> str:
    """Return an address without user, password and parameters."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "its address"
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, "", ""))


def secrets_in(url: str) -> dict[str, str]:
    """Return what may be secret in an address, by names."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return {}
    user, _, password = parts.netloc.rpartition("@")[0].partition(":")
    pairs = [one.partition("=")[::2] for one in parts.query.split("&")]
    written = {name: value for name, value in pairs if _SECRET.search(name)}
    written["password"] = password or user
    meant = {f"{name}, decoded": unquote(value) for name, value in written.items()}
    return {name: value for name, value in {**meant, **written}.items() if value}
