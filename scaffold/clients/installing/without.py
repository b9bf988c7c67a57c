"""The file of a client as it would be without our entry."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from scaffold.clients.installing.configuration import Configuration, digest
from scaffold.clients.installing.receipts import Receipt


def without(found: Configuration, receipt: Receipt) -> bytes | None:
    """Return the bytes of a file without the entry; None if the file was not there before.

    If nobody else has changed the file, they are exactly those before. Otherwise the entry is cut
    out, and everything else stays. Raises ScaffoldError if the file cannot be parsed.
    """
    if found.sha256 == receipt.after:
        if receipt.before is None:
            return None
        if (kept := kept_bytes(receipt)) is not None:
            return kept
    was = kept_text(found, receipt)
    text = found.drop(found.text, receipt.server, was)
    text = found.drop_inputs(text, receipt.inputs, was)
    if receipt.before is None and not text.strip():
        return None
    return found.encoded(text)


def kept_bytes(receipt: Receipt) -> bytes | None:
    """Return the old file that was kept, if it is still what it was."""
    try:
        data = Path(receipt.kept).read_bytes() if receipt.kept else None
    except OSError:
        return None
    return data if data is not None and digest(data) == receipt.before else None


def kept_text(found: Configuration, receipt: Receipt) -> str | None:
    """Return the text of the old file: empty if there was none, None if it is not known."""
    if receipt.before is None:
        return ""
    data = kept_bytes(receipt)
    return None if data is None else replace(found, data=data).text


def is_lost(found: Configuration, receipt: Receipt) -> bool:
    """Return whether the file has lost other entries too, which the copy of the old file has."""
    data = kept_bytes(receipt)
    if data is None:
        return False
    return not replace(found, data=data).entries().keys() <= found.entries().keys()
