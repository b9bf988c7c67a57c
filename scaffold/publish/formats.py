"""The formats of server.json (2025-12-11) and of a bundle's manifest (0.4), as strict JSON Schemas.

They refuse what the published schemas let pass and the registry and clients do not: unknown keys,
names, addresses and hashes of another form. What one key says about another is in `entry.py` and
`manifest.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from jsonschema_rs import Draft202012Validator, Validator

from scaffold.jsonschema.mismatch import mismatches
from scaffold.project.publishing import SCHEMA
from scaffold.yaml.document import Document
from scaffold.yaml.finding import Finding

META = "io.modelcontextprotocol.registry/publisher-provided"

Schema = Mapping[str, Any]

_TEXT: Schema = {"type": "string"}
_FILLED: Schema = {"type": "string", "minLength": 1}
_TEXTS: Schema = {"type": "array", "items": _TEXT}
_FLAG: Schema = {"type": "boolean"}
_NUMBER: Schema = {"type": "number"}


def _object(required: str = "", /, **properties: Schema) -> Schema:
    """Return the schema of an object without other keys."""
    return {
        "type": "object",
        "properties": properties,
        "required": required.split(),
        "additionalProperties": False,
    }


def _map(values: Schema) -> Schema:
    return {"type": "object", "additionalProperties": values}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _choice(*values: str) -> Schema:
    return {"enum": list(values)}


def _pattern(title: str, pattern: str, hint: str, longest: int = 2048) -> Schema:
    """Return the schema of a text; faults have the id `bad-TITLE`."""
    text = {"type": "string", "title": title, "pattern": pattern, "maxLength": longest}
    return {**text, "patternErrorMessage": hint}


_WEB = _pattern(
    "web address",
    r"^https?://(\[[0-9A-Fa-f:.]+\]|[^\s/?#\[\]]+)([/?#]\S*)?$",
    "begin with `https://`",
)
_HTTPS = _pattern("https address", r"^https://[^\s/]+(/\S*)?$", "begin with `https://`", 255)
_SIZE = _pattern("icon size", r"^([0-9]+x[0-9]+|any)$", "write `48x48`, or `any`")

_INPUT: dict[str, Schema] = {
    "value": _TEXT,
    "default": _TEXT,
    "description": _TEXT,
    "format": _choice("string", "number", "boolean", "filepath"),
    "isRequired": _FLAG,
    "isSecret": _FLAG,
    "placeholder": _TEXT,
    "choices": _TEXTS,
}
_INPUT_WITH_VARIABLES = {**_INPUT, "variables": _map(_object(**_INPUT))}
_NAMED_VALUES = _list(_object("name", name=_FILLED, **_INPUT_WITH_VARIABLES))
_ARGUMENTS = _list(
    _object(
        "type",
        type=_choice("named", "positional"),
        name=_pattern("argument name", r"^[^<>$ ]+$", "write the option alone, such as `--port`"),
        valueHint=_TEXT,
        isRepeated=_FLAG,
        **_INPUT_WITH_VARIABLES,
    )
)
_TRANSPORT = {"url": _TEXT, "headers": _NAMED_VALUES}

SERVER: Schema = _object(
    "$schema name description version",
    **{
        "$schema": {"const": SCHEMA},
        "name": _pattern(
            "registry name",
            r"^[a-zA-Z0-9][a-zA-Z0-9.-]*[a-zA-Z0-9]/[a-zA-Z0-9][a-zA-Z0-9._-]*[a-zA-Z0-9]$",
            "write a namespace, one slash and a name of two characters or more",
            200,
        ),
        "title": _TEXT,
        "description": _TEXT,
        "version": {**_FILLED, "maxLength": 255},
        "repository": _object(
            "url source",
            url=_TEXT,
            source=_choice("github", "gitlab"),
            id=_TEXT,
            subfolder=_pattern(
                "subfolder",
                r"^\.*[\w-][\w.-]*(/\.*[\w-][\w.-]*)*$",
                "write a path relative to the root of the repository: `servers/library`",
            ),
        ),
        "websiteUrl": _HTTPS,
        "icons": _list(
            _object(
                "src",
                src=_HTTPS,
                mimeType=_choice(
                    "image/png", "image/jpeg", "image/jpg", "image/svg+xml", "image/webp"
                ),
                sizes=_list(_SIZE),
                theme=_choice("light", "dark"),
            )
        ),
        "packages": _list(
            _object(
                "registryType identifier transport",
                registryType=_choice("npm", "pypi", "oci", "nuget", "mcpb", "cargo", "go"),
                registryBaseUrl=_WEB,
                identifier=_pattern("identifier", r"^\S+$", "write it without spaces"),
                version=_FILLED,
                fileSha256=_pattern(
                    "hash", "^[a-f0-9]{64}$", "write SHA-256 as 64 lowercase digits"
                ),
                runtimeHint=_TEXT,
                transport=_object(
                    "type", type=_choice("stdio", "streamable-http", "sse"), **_TRANSPORT
                ),
                runtimeArguments=_ARGUMENTS,
                packageArguments=_ARGUMENTS,
                environmentVariables=_NAMED_VALUES,
            )
        ),
        "remotes": _list(
            _object(
                "type url",
                type=_choice("streamable-http", "sse"),
                variables=_map(_object(**_INPUT)),
                **_TRANSPORT,
            )
        ),
        "_meta": _object(**{META: {"type": "object"}}),
    },
)

_COMMAND = {"command": _FILLED, "args": _TEXTS, "env": _map(_TEXT)}
_MAIL = _pattern("email address", r"^[^@\s]+@[^@\s.]+(\.[^@\s.]+)+$", "write `name@example.org`")

MANIFEST: Schema = _object(
    "manifest_version name version description author server",
    **{
        "$schema": _TEXT,
        "dxt_version": _TEXT,
        "manifest_version": _TEXT,
        "name": _pattern(
            "bundle name",
            r"^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$",
            "use lowercase letters, digits, dashes and dots, without spaces",
            100,
        ),
        "display_name": _TEXT,
        "version": _FILLED,
        "description": _FILLED,
        "long_description": _TEXT,
        "author": _object("name", name=_FILLED, email=_MAIL, url=_WEB),
        "repository": _object("type url", type=_TEXT, url=_WEB),
        "homepage": _WEB,
        "documentation": _WEB,
        "support": _WEB,
        "icon": _TEXT,
        "icons": _list(_object("src size", src=_TEXT, size=_SIZE, theme=_FILLED)),
        "screenshots": _TEXTS,
        "localization": _object(resources=_TEXT, default_locale=_TEXT),
        "server": _object(
            "type entry_point mcp_config",
            type=_choice("python", "node", "binary", "uv"),
            entry_point=_FILLED,
            mcp_config=_object("command", **_COMMAND, platform_overrides=_map(_object(**_COMMAND))),
        ),
        "tools": _list(_object("name", name=_FILLED, description=_TEXT)),
        "tools_generated": _FLAG,
        "prompts": _list(
            _object("name text", name=_FILLED, description=_TEXT, arguments=_TEXTS, text=_TEXT)
        ),
        "prompts_generated": _FLAG,
        "keywords": _TEXTS,
        "license": _TEXT,
        "privacy_policies": _list(_WEB),
        "compatibility": _object(
            claude_desktop=_TEXT,
            platforms=_list(_choice("darwin", "win32", "linux")),
            runtimes=_object(python=_TEXT, node=_TEXT),
        ),
        "user_config": _map(
            _object(
                "type title description",
                type=_choice("string", "number", "boolean", "directory", "file"),
                title=_FILLED,
                description=_FILLED,
                required=_FLAG,
                default={"type": ["string", "number", "boolean", "array"]},
                multiple=_FLAG,
                sensitive=_FLAG,
                min=_NUMBER,
                max=_NUMBER,
            )
        ),
        "_meta": _map({"type": "object"}),
    },
)


def faults(schema: Schema, document: Document) -> Iterator[Finding]:
    """Yield the findings about a document that does not match `SERVER` or `MANIFEST`."""
    yield from mismatches(_validator(schema is SERVER), schema, document.value, "", document)


@cache
def _validator(server: bool) -> Validator:
    return Draft202012Validator(dict(SERVER if server else MANIFEST), offline=True)
