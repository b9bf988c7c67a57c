"""Read a source by what it is: a file, a document or a server on the web, or a Python object."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from msgspec.structs import replace

from scaffold.base.diagnostics import ScaffoldError
from scaffold.sources.documents import of_file, of_url, value_of
from scaffold.sources.lists import read_listing
from scaffold.sources.openapi.read import is_openapi, read_openapi
from scaffold.sources.secrets import filled, filled_headers, without_secrets
from scaffold.sources.secrets import headers as headers_of
from scaffold.sources.source import Source

_DOCUMENTS = (".json", ".yaml", ".yml")


def read_source(source: str, headers: Sequence[str] = ()) -> Source:
    """Read a source: a path, a URL, `client:ID/NAME` or `python:MODULE[:NAMES]`.

    `headers` are those of HTTP requests, each as `NAME: VALUE`. A URL whose path ends in `.json`,
    `.yaml` or `.yml` is a document, any other is a server, or else an OpenAPI document. Raises ScaffoldError if it cannot be
    read.
    """
    if source.startswith("python:"):
        from scaffold.sources.python_object import read_object

        return read_object(source)
    if source.startswith("client:"):
        from scaffold.sources.client_entry import read_entry

        return read_entry(source)
    if source.startswith(("http://", "https://")):
        return _from_web(source, headers)
    if source.endswith(".py"):
        from scaffold.sources.python_object import not_a_module

        raise not_a_module(source, source)
    path = Path(source)
    return _from_document(of_file(path), source, path.parent)


def read_list(path: Path, name: str) -> Source | None:
    """Read a JSON file with the lists of a server, whose name is `name` unless the file has one.

    Return None if the file is a spec. Raises ScaffoldError if it is neither.
    """
    value = value_of(of_file(path), str(path))
    if isinstance(value, dict) and "name" in value and "version" in value:
        return None
    return read_listing(value, str(path), name)


def read_command(command: Sequence[str]) -> Source:
    """Read the server that a command starts. Raises ScaffoldError if it cannot be read."""
    from scaffold.sources.server import from_command
    from scaffold.sources.upstream import program

    return replace(from_command([*map(filled, command)]), upstream=program(command))


def _from_web(source: str, given: Sequence[str]) -> Source:
    headers = headers_of(given)
    sent, url, name = filled_headers(headers), filled(source), without_secrets(source)
    address = re.sub(r"(?<=://)[^/?#]*@", "", name)
    if urlsplit(source).path.endswith(_DOCUMENTS):
        return _from_document(of_url(url, sent, name), address)
    from scaffold.sources.server import from_url

    upstream: dict[str, Any] = {"url": source, **({"headers": headers} if headers else {})}
    try:
        return from_url(url, sent, name, upstream)
    except ScaffoldError:
        with suppress(ScaffoldError):  # frameworks serve their document at such an address, too
            data = of_url(url, sent, name)
            if is_openapi(value_of(data, address, [])):
                return _from_document(data, address)
        raise


def _from_document(data: bytes, source: str, folder: Path | None = None) -> Source:
    """Return the source in a document; `folder` is where the files beside it are."""
    odd: list[str] = []
    value = value_of(data, source, odd)
    if is_openapi(value):
        return read_openapi(value, source, folder, odd)
    if odd:
        value_of(data, source)  # raises an error that says where
    return read_listing(value, source, Path(urlsplit(source).path).stem)
