"""Read a source by what it is: a file, a document or a server on the web, or a Python object."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

from msgspec.structs import replace

from scaffold.diagnostics import ScaffoldError
from scaffold.sources import served
from scaffold.sources.client_entry import configured
from scaffold.sources.json_lists import read_listing
from scaffold.sources.openapi.read import is_openapi, read_openapi
from scaffold.sources.secrets import without_secrets
from scaffold.sources.source import Source
from scaffold.yaml.compose import DEPTH
from scaffold.yaml.source import opened, parse

LARGEST = 64 * 2**20
"""The maximum bytes of a file."""

_DOCUMENTS = (".json", ".yaml", ".yml")


def read_source(source: str, headers: Sequence[str] = ()) -> Source:
    """Read a source: a path, a URL, `client:ID/NAME` or `python:MODULE:OBJECT`.

    `headers` are those of HTTP requests, each as `NAME: VALUE`. A URL whose path ends in `.json`,
    `.yaml` or `.yml` is a document, any other is a server. Raises ScaffoldError if it cannot be
    read.
    """
    if source.startswith("python:"):
        return _from_python(source)
    if source.startswith("client:"):
        return _from_client(source)
    if source.startswith(("http://", "https://")):
        return _from_web(source, headers)
    path = Path(source)
    return _from_document(_file(path), source, path.parent)


def read_list(path: Path, name: str) -> Source | None:
    """Read a JSON file with the lists of a server, whose name is `name` unless the file has one.

    Return None if the file is a spec. Raises ScaffoldError if it is neither.
    """
    value = _value(_file(path), str(path))
    if isinstance(value, dict) and "name" in value and "version" in value:
        return None
    return read_listing(value, str(path), name)


def read_command(command: Sequence[str]) -> Source:
    """Read the server that a command starts. Raises ScaffoldError if it cannot be read."""
    from scaffold.sources.server import from_command
    from scaffold.sources.upstream import program

    return replace(from_command([*map(_filled, command)]), upstream=program(command))


def _filled(word: str) -> str:
    """Return a word of a command, or a URL, with each `${VARIABLE}` that is set replaced."""
    return re.sub(r"\$\{(\w+)\}", lambda name: os.environ.get(name[1], name[0]), word)


def _from_python(source: str) -> Source:
    """Read a FastMCP or MCPServer object by running it, with the `python` that is on PATH."""
    from scaffold.sources.existing import with_functions
    from scaffold.sources.server import from_command

    module, _, name = source.removeprefix("python:").partition(":")
    names = [*module.split("."), *name.split(".")]
    if not all(part.isidentifier() for part in names):
        message, hint = f"`{source}` does not name an object", "write `python:MODULE:OBJECT`"
        raise ScaffoldError.of("not-importable", message, source, hint)
    python = shutil.which("python") or sys.executable
    text = Path(served.__file__).read_text("utf-8")
    with TemporaryDirectory() as folder:
        file = Path(folder, "functions.json")
        found = from_command([python, "-c", text, module, name, str(file)], name=source)
        return with_functions(found, json.loads(file.read_text("utf-8")))


def _from_client(source: str) -> Source:
    from scaffold.sources import server
    from scaffold.sources.upstream import as_written, program

    entry = configured(source)
    if entry.command:
        found = server.from_command(entry.command, environment=entry.environment, name=source)
        return replace(found, upstream=program(entry.command, [*entry.environment]))
    found = server.from_url(entry.url, entry.headers, name=source)
    return as_written(found, entry.written, entry.variables)


def _from_web(source: str, headers: Sequence[str]) -> Source:
    import anyio
    import httpx2

    from scaffold.sources import server, web
    from scaffold.sources.upstream import as_written

    given, url, name = web.headers(headers, os.environ), _filled(source), without_secrets(source)
    if not urlsplit(source).path.endswith(_DOCUMENTS):
        found = server.from_url(url, given, name=name)
        return as_written(found, source, web.as_written(headers))
    try:
        data = anyio.run(web.fetched, url, given)
    except TimeoutError:
        message = f"it took longer than {web.SECONDS} seconds"
        raise ScaffoldError.of(
            "not-importable", message, name, "save it, and import the file"
        ) from None
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        reason = str(error)
        if isinstance(error, httpx2.HTTPStatusError):
            reason = f"it answered {error.response.status_code}"
        message = f"cannot fetch it: {without_secrets(reason)}"
        raise ScaffoldError.of(
            "not-importable", message, name, "save it, and import the file"
        ) from None
    return _from_document(data, re.sub(r"(?<=://)[^/?#]*@", "", name))


def _file(path: Path) -> bytes:
    try:
        with opened(path) as file:
            data = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        message, hint = f"cannot read the source: {reason}", "give a file, a URL, or `-- COMMAND`"
        raise ScaffoldError.of("unreadable-file", message, path, hint) from None
    if len(data) > LARGEST:
        message = f"the file is larger than {LARGEST // 2**20} MB"
        raise ScaffoldError.of("file-too-large", message, path, "remove the unneeded parts")
    return data


def _from_document(data: bytes, source: str, folder: Path | None = None) -> Source:
    """Return the source in a document; `folder` is where the files beside it are."""
    value = _value(data, source)
    if is_openapi(value):
        return read_openapi(value, source, folder, lambda path: _value(_file(path), str(path)))
    name = Path(urlsplit(source).path).stem
    return read_listing(value, source, name)


def _value(data: bytes, source: str) -> Any:
    """Return the value of a JSON or YAML document."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        message = "the source is not UTF-8"
        raise ScaffoldError.of("not-utf-8", message, source, "save it as UTF-8") from None
    with suppress(ValueError, RecursionError):
        value = json.loads(text, parse_constant=_refuse, object_pairs_hook=_once)
        if _is_deep(value):
            message, hint = f"more than {DEPTH} levels", "remove the unneeded parts"
            raise ScaffoldError.of("too-deep", message, source, hint)
        return value
    return parse(text, source).value


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
    """Return an object. A key that it has twice is left to `parse`, which says where."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("duplicate key")
    return found


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")
