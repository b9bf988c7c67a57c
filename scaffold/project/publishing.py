"""The documents that publish a server: its entry in the MCP registry and the manifest of a bundle.

The formats are server.json of 2025-12-11 and MCPB's manifest 0.4.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from scaffold.base.text import Text, json_visible, readable
from scaffold.clients.server import ENDPOINTS
from scaffold.format.publish import Package, Publish, Remote
from scaffold.format.spec import Spec, Variable
from scaffold.packs.traits import Traits
from scaffold.project.model import Publishing

SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

_SERVER_FORMATS = {
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "path": "filepath",
}
_OF_PACKAGE = ("publish.registry", "publish.runtime")
_OF_BUNDLE = ("publish.type", "publish.entry", "publish.needs", "commands.bundle")
"""The values of a pack that a package in its registry, and a bundle, need."""
_MANIFEST_TYPES = {"integer": "number", "number": "number", "boolean": "boolean"}


def publishing(
    spec: Spec, publish: Publish, summary: str, name: str, package: str, traits: Traits
) -> Publishing:
    """Return how a server is published; `summary` is its purpose in a sentence.

    `name` and `package` are those of its command and its code.
    """
    host, _, _ = (publish.image or "").rpartition("/")
    first = host.partition("/")[0]
    kinds = publish.packages
    has_bundle = Package.MCPB in (kinds or ())
    needed = _OF_PACKAGE if kinds is None or {*kinds} - {Package.MCPB, Package.OCI} else ()
    traits.require("`publish` in the spec", *needed, *(_OF_BUNDLE if has_bundle else ()))
    if kinds is None:
        kinds = (Package(traits.publish["registry"]),)
        publish = publish.model_copy(update={"packages": kinds})
    started = _started(spec, name, package, traits) if has_bundle else None
    bundle = manifest(spec, publish, name, started) if started else {}
    entry = server(spec, publish, summary, name, traits)
    return Publishing(
        name=registry_name(spec, publish),
        packages=frozenset(kinds),
        author=Text(author(publish)),
        license=Text(publish.license or ""),
        repository=Text(publish.repository_of(spec.name) or ""),
        image=publish.image or "",
        host=first if "." in first or ":" in first else "",
        domain="" if publish.owner else ".".join(reversed(publish.namespace.split("."))),
        server=_text(merged(entry, publish.server or {})),
        manifest=_text(merged(bundle, publish.manifest or {})),
    )


def merged(target: Any, patch: Any) -> Any:
    """Return a document with a JSON merge patch applied to it (RFC 7396)."""
    if not isinstance(patch, Mapping):
        return patch
    kept = dict(target) if isinstance(target, Mapping) else {}
    for key, value in patch.items():
        if value is None:
            kept.pop(key, None)
        else:
            kept[key] = merged(kept.get(key), value)
    return kept


def registry_name(spec: Spec, publish: Publish) -> str:
    """Return the name of a server in the registry."""
    return f"{publish.namespace}/{spec.name}"


def author(publish: Publish) -> str:
    """Return the name of the author."""
    return publish.author or publish.namespace.rpartition(".")[2]


def bundle_name(name: str, version: str) -> str:
    """Return the file name of a bundle."""
    return f"{name}-{version}.mcpb"


def release_url(repository: str, version: str, file: str) -> str:
    """Return the address of a file in the release of a version, tagged with `v` before it."""
    if repository.startswith("https://gitlab.com/"):
        return f"{repository}/-/releases/v{version}/downloads/{file}"
    return f"{repository}/releases/download/v{version}/{file}"


def server(spec: Spec, publish: Publish, summary: str, name: str, traits: Traits) -> dict[str, Any]:
    """Return server.json, without the hash of a bundle, which `publish --bundle` adds."""
    repository = publish.repository_of(spec.name)
    return _filled(
        {
            "$schema": SCHEMA,
            "name": registry_name(spec, publish),
            "title": readable(spec.title),
            "description": readable(publish.description, summary, spec.name),
            "version": spec.version,
            "repository": repository
            and {"url": repository, "source": repository.split("//")[1].split(".")[0]},
            "websiteUrl": spec.website_url,
            "icons": [
                {key: icon[key] for key in ("src", "mimeType", "sizes", "theme") if icon.get(key)}
                for icon in spec.written.get("icons", ())
                if str(icon.get("src", "")).startswith("https://")  # the registry refuses others
            ],
            "packages": [
                _package(kind, spec, publish, name, traits) for kind in publish.packages or ()
            ],
            "remotes": [_remote(remote, spec) for remote in publish.remotes],
        }
    )


def manifest(spec: Spec, publish: Publish, name: str, started: Mapping[str, Any]) -> dict[str, Any]:
    """Return the manifest of a bundle; `started` has its `server` and `compatibility`."""
    repository = publish.repository_of(spec.name)
    variables = [*_process_variables(spec, "stdio")]
    return _filled(
        {
            "manifest_version": "0.4",
            "name": name,
            "display_name": readable(spec.title),
            "version": spec.version,
            "description": readable(publish.description, spec.description, spec.title, spec.name),
            "author": {"name": author(publish)},
            "repository": repository and {"type": "git", "url": repository},
            "homepage": spec.website_url,
            "server": started["server"],
            "tools": [
                _filled({"name": t.name, "description": readable(t.description, t.title)})
                for t in spec.tools
            ],
            "tools_generated": bool(
                spec.capabilities.tools and spec.capabilities.tools.list_changed
            ),
            "prompts_generated": bool(spec.prompts),
            "license": publish.license,
            "compatibility": started["compatibility"],
            "user_config": {variable.name: _setting(variable) for variable in variables},
        }
    )


def _started(spec: Spec, name: str, package: str, traits: Traits) -> dict[str, Any]:
    """Return how hosts start a bundle, and what they need for it."""
    command, *start = traits.ways("bundle", name=name, package=package)[0]
    runtime, _, versions = traits.publish["needs"].partition(" ")
    variables = _process_variables(spec, "stdio")
    return {
        "server": {
            "type": traits.publish["type"],
            "entry_point": traits.publish["entry"].format(package=package),
            "mcp_config": _filled(
                {
                    "command": command,
                    "args": [*start, *chain(*_options(spec, "stdio").items())],
                    "env": {v.name: f"${{user_config.{v.name}}}" for v in variables},
                }
            ),
        },
        "compatibility": {
            "platforms": ["darwin", "win32", "linux"],
            "runtimes": {runtime: versions},
        },
    }


def _package(
    package: Package, spec: Spec, publish: Publish, name: str, traits: Traits
) -> dict[str, Any]:
    version = spec.version
    if package is Package.MCPB:  # its manifest says how it starts
        file = bundle_name(name, version)
        address = release_url(publish.repository_of(spec.name) or "", version, file)
        started = {"type": "stdio"}
        return {"registryType": package.value, "transport": started, "identifier": address}
    is_image = package is Package.OCI
    transport = "stdio" if "stdio" in spec.transports else spec.transports[0]
    options, ports = _options(spec, transport), {}
    if is_image and transport != "stdio":
        options["--host"] = "0.0.0.0"  # noqa: S104 - inside a container
        ports["-p"] = f"127.0.0.1:{spec.http.port}:{spec.http.port}"
    address = f"http://{spec.http.host}:{spec.http.port}{ENDPOINTS.get(transport, '')}"
    return _filled(
        {
            "registryType": package.value,
            "transport": _filled({"type": transport, "url": transport in ENDPOINTS and address}),
            "identifier": f"{publish.image}:{version}" if is_image else name,
            "version": None if is_image else version,
            "runtimeHint": "docker" if is_image else traits.publish["runtime"],
            "runtimeArguments": [_named(key, value) for key, value in ports.items()],
            "packageArguments": [_named(key, value) for key, value in options.items()],
            "environmentVariables": [
                _filled(
                    {
                        "name": variable.name,
                        "description": readable(variable.description),
                        "isRequired": variable.required,
                        "isSecret": variable.secret,
                        "default": variable.default,
                        "format": _SERVER_FORMATS.get(variable.type),
                    }
                )
                for variable in _process_variables(spec, transport)
            ],
        }
    )


def _named(name: str, value: str) -> dict[str, str]:
    return {"type": "named", "name": name, "value": value}


def _options(spec: Spec, transport: str) -> dict[str, str]:
    """Return the options of the server that choose a transport."""
    return {} if spec.transports[0] == transport else {"--transport": transport}


def _process_variables(spec: Spec, transport: str) -> Iterator[Variable]:
    """Yield the variables of a server that a client starts; over stdio no token is checked."""
    for variable in spec.env:
        if variable.name not in spec.of_http or variable.required or transport != "stdio":
            yield variable


def _remote(remote: Remote, spec: Spec) -> dict[str, Any]:
    token = _filled({"description": "Bearer token", "isRequired": True, "isSecret": True})
    header = {"name": "Authorization", "value": "Bearer {token}", "variables": {"token": token}}
    return _filled(
        {
            "type": remote.transport,
            "url": remote.url,
            "headers": [header] if spec.auth and spec.auth.bearer else None,
        }
    )


def _setting(variable: Variable) -> dict[str, Any]:
    """Return the entry of `user_config` for a variable.

    Hosts leave the reference to a setting without a value as it is, which the server would take
    for the value. Optional ones are therefore empty by default, which counts as not set.
    """
    kind = _MANIFEST_TYPES.get(variable.type, "string")
    optional = variable.default is None and not variable.required
    return {
        "type": "string" if optional else kind,
        "title": variable.name,
        "description": readable(variable.description, variable.name),
        **({"sensitive": True} if variable.secret else {}),
        **({"required": True} if variable.required else {}),
        **({"default": _default(variable, kind)} if not variable.required else {}),
    }


def _default(variable: Variable, kind: str) -> str | float | bool:
    text = variable.default or ""
    if not text or kind == "string":
        return text
    if kind == "boolean":
        return text.lower() in ("true", "yes", "on", "1")
    number = float(text)
    return int(number) if number.is_integer() else number


def _filled(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values without those that are empty or false."""
    return {key: value for key, value in values.items() if value}


def _text(document: Mapping[str, Any]) -> str:
    return json_visible(json.dumps(document, indent=2, ensure_ascii=False))
