"""Read the text of documents, from files and the web, and the values in them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from scaffold.base.diagnostics import ScaffoldError
from scaffold.sources.secrets import without_secrets
from scaffold.yaml.compose import DEPTH
from scaffold.yaml.source import contents, decode, parse

MAX_DOCUMENT_BYTES = 64_000_000
"""The maximum bytes of a document."""

SECONDS = 60
"""How long fetching a document may take."""


def of_file(path: Path) -> bytes:
    """Return the bytes of a file. Raises ScaffoldError if it cannot be read or is too large."""
    to_read, to_shorten = "give a file, a URL, or `-- COMMAND`", "remove the unneeded parts"
    return contents(path, str(path), MAX_DOCUMENT_BYTES, to_read, to_shorten)


def of_url(url: str, headers: Mapping[str, str], name: str) -> bytes:
    """Return the bytes at a URL; messages call it `name`. Raises ScaffoldError."""
    import anyio
    import httpx2

    try:
        return anyio.run(_fetched, url, headers)
    except TimeoutError:
        reason = f"it took longer than {SECONDS} seconds"
    except httpx2.HTTPStatusError as error:
        reason = f"cannot fetch it: it answered {error.response.status_code}"
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        reason = f"cannot fetch it: {without_secrets(str(error))}"
    raise ScaffoldError.of("not-importable", reason, name, "save it, and import the file")


async def _fetched(url: str, headers: Mapping[str, str]) -> bytes:
    import anyio
    import httpx2

    from scaffold.connect.web import TooLargeError, client

    content = bytearray()
    with anyio.fail_after(SECONDS):
        async with client(headers) as web, web.stream("GET", url) as response:
            if response.is_redirect:
                where = response.headers.get("location", "")
                raise httpx2.HTTPError(f"it redirects to {where}, which is not followed")
            response.raise_for_status()
            async for chunk in response.aiter_bytes():  # decompressed: it may be huge
                content += chunk
                if len(content) > MAX_DOCUMENT_BYTES:
                    raise TooLargeError(f"it is larger than {MAX_DOCUMENT_BYTES // 1_000_000} MB")
    return bytes(content)


def value_of(data: bytes, source: str, odd: list[str] | None = None) -> Any:
    """Return the value of a JSON or YAML document; `odd` is as in `parse`.

    Raises ScaffoldError with every error found.
    """
    text = decode(data, source).text
    with suppress(ValueError, RecursionError):  # `parse` is slower, but reports the place
        value = json.loads(text, parse_constant=_refuse, object_pairs_hook=_once)
        if _is_deep(value):
            message, hint = f"more than {DEPTH} levels", "remove the unneeded parts"
            raise ScaffoldError.of("too-deep", message, source, hint)
        return value
    return parse(text, source, odd).value


def _is_deep(value: object) -> bool:
    """Return whether a value has more levels than a spec may have."""
    level = [value]
    for _ in range(DEPTH):
        lists = (item if isinstance(item, list) else item.values() for item in level
                 if isinstance(item, list | dict))  # fmt: skip
        level = [below for items in lists for below in items]
        if not level:
            return False
    return True


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        raise ValueError("duplicate key")
    return result


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")
