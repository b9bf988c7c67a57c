"""Read from the web within limits of size and time, and from no other host than the one named."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import anyio
import httpx2

from scaffold.connect.web import LARGEST, TooLargeError, client
from scaffold.diagnostics import ScaffoldError
from scaffold.spec.api import HEADER


def headers(given: Sequence[str], environment: Mapping[str, str]) -> dict[str, str]:
    """Return headers, each given as `NAME: VALUE`; `${VARIABLE}` in a value is replaced.

    Raises ScaffoldError for one without a colon and for a variable that is not set.
    """
    found = {}
    for name, value in as_written(given).items():
        for variable in re.findall(r"\$\{(\w+)\}", value):
            if variable not in environment:
                message = f"the variable `{variable}` of the header `{name}` is not set"
                raise ScaffoldError.of("bad-header", message, "--header", f"set `{variable}`")
        filled = re.sub(r"\$\{(\w+)\}", lambda match: environment[match[1]], value)
        if not filled.isprintable() or not filled.isascii():
            message = f"the value of the header `{name}` has characters that are not allowed"
            hint = "check its variable for a line break"
            raise ScaffoldError.of("bad-header", message, "--header", hint)
        found[name] = filled
    return found


def as_written(given: Sequence[str]) -> dict[str, str]:
    """Return headers, each given as `NAME: VALUE`. Raises ScaffoldError for one without a colon."""
    found = {}
    for header in given:
        name, colon, value = header.partition(":")
        if not colon or not HEADER.fullmatch(name.strip()):
            message = f"`{name.strip()[:40]}` is not a header"
            raise ScaffoldError.of(
                "bad-header", message, "--header", "write `--header 'NAME: VALUE'`"
            )
        found[name.strip()] = value.strip()
    return found


SECONDS = 60
"""How long fetching a document may take."""


async def fetched(url: str, headers: Mapping[str, str]) -> bytes:
    """Return the document at a URL. Raises httpx2.HTTPError, and TimeoutError after `SECONDS`."""
    content = bytearray()
    with anyio.fail_after(SECONDS):
        async with client(headers) as web, web.stream("GET", url) as response:
            if response.is_redirect:
                where = response.headers.get("location", "")
                raise httpx2.HTTPError(f"it redirects to {where}, which is not followed")
            response.raise_for_status()
            async for chunk in response.aiter_bytes():  # decompressed: little may become much
                content += chunk
                if len(content) > LARGEST:
                    raise TooLargeError(f"it is larger than {LARGEST // 2**20} MB")
    return bytes(content)
