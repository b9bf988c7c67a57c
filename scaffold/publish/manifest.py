"""Check the manifest of a bundle: what packing, installing or starting it would stumble over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from scaffold.diagnostics import Diagnostic, Severity
from scaffold.diagnostics.wording import did_you_mean, quote
from scaffold.publish import formats
from scaffold.publish.spots import Spot, root_of
from scaffold.publish.subject import MANIFEST, Subject, is_inside
from scaffold.spec.format import Variable
from scaffold.yaml.document import Document, pointer
from scaffold.yaml.edits import replaced
from scaffold.yaml.finding import Finding

NEWEST = "0.4"
_VERSIONS = {"0.1", "0.2", "0.3", NEWEST}
_REFERENCE = re.compile(r"\$\{([^}]*)\}")
_SETTING = "user_config."
_SYSTEM = {"__dirname", "HOME", "DESKTOP", "DOCUMENTS", "DOWNLOADS", "/", "pathSeparator"}
_COMPARATOR = r"((>=|<=|>|<|=|\^|~)\s*)?v?(\d+|[xX*])(\.(\d+|[xX*])){0,2}(-[\w.-]+)?"
_NPM_RANGE = re.compile(rf"{_COMPARATOR}(\s+(-\s+|\|\|\s*)?{_COMPARATOR})*")
_PNG = b"\x89PNG\r\n\x1a\n"


def faults(subject: Subject) -> Iterator[Diagnostic]:
    """Yield what is wrong with manifest.json."""
    document = subject.documents.get(MANIFEST)
    if document is None:
        return
    found = [*formats.faults(formats.MANIFEST, document)]
    is_readable = not found
    found += _findings(subject, document)
    if is_readable:
        found += [*_name(subject, document), *_filled(subject, document)]
    for finding in found:
        yield finding.diagnostic(document, Severity.ERROR)


def _findings(subject: Subject, document: Document) -> Iterator[Finding]:
    whole = root_of(document)
    yield from _version(whole, document)
    server = whole.below("server")
    if server:
        yield from _start(server, subject)
    yield from _runtimes(whole)
    yield from _tools(whole, subject)
    yield from _icons(whole, subject)


def _version(whole: Spot, document: Document) -> Iterator[Finding]:
    version = whole.text("manifest_version")
    server = whole.below("server")
    kind = server.text("type") if server else None
    at = "/manifest_version"
    fix = replaced(document, at, NEWEST)
    if version is not None and version not in _VERSIONS:
        message = f"there is no manifest version {quote(version)}"
        yield Finding(at, "bundle-format", message, f'write `"{NEWEST}"`', fix=fix)
    elif version is not None and kind == "uv" and version != NEWEST:
        message = f"manifest version {quote(version)} does not know servers of type `uv`"
        yield Finding(at, "bundle-format", message, f'write `"{NEWEST}"`', fix=fix)
    if "dxt_version" in whole.value:
        message = "`dxt_version` is the old name of `manifest_version`"
        yield Finding("/dxt_version", "bundle-format", message, "remove it", at_key=True)
    localization = whole.below("localization")
    resources = localization.text("resources") if localization else None
    if resources is not None and "${locale}" not in resources:
        message = "every language would have the same file"
        hint = "write `${locale}` where its name differs"
        yield Finding("/localization/resources", "bundle-format", message, hint)
    entry_point = server.text("entry_point") if server else None
    if entry_point is not None and not entry_point.endswith(".py"):
        message = f"{quote(entry_point)} is no module of Python"
        yield Finding("/server/entry_point", "bundle-format", message, "name that of the server")
    if kind not in (None, "uv"):
        message = f"a Python server of type {quote(kind)} is refused where no Python is installed"
        hint = "write `uv`, which installs Python too"
        yield Finding("/server/type", "bundle-format", message, hint)


def _start(server: Spot, subject: Subject) -> Iterator[Finding]:
    config = server.below("mcp_config")
    command = config.text("command") if config else None
    if config is None or command is None:
        return
    at = f"{config.at}/command"
    words = [one for one in config.value.get("args") or () if isinstance(one, str)]
    if server.text("type") == "uv" and command != "uv":
        message = f"hosts find `uv` by its name, not {quote(command)}"
        yield Finding(at, "bundle-start", message, "write `uv`")
        return
    overrides = config.below("platform_overrides")
    for platform in overrides.value if overrides else ():
        other = overrides.below(platform) if overrides else None
        if server.text("type") == "uv" and other and other.text("command") not in (None, "uv"):
            message = "hosts find `uv` by its name on every platform"
            yield Finding(f"{other.at}/command", "bundle-start", message, "write `uv`")
    if server.text("type") == "uv" and words and words[0] != "run":
        message = f"uv would not start the server with {quote(words[0])}"
        yield Finding(f"{config.at}/args/0", "bundle-start", message, "write `run` first")
    if "--no-sync" in words:
        message = "`--no-sync` starts the server without its dependencies"
        here = f"{config.at}/args/{words.index('--no-sync')}"
        yield Finding(here, "bundle-start", message, "remove it")
    if not any("${__dirname}" in word for word in words):
        message = "the command does not say where the bundle is"
        hint = "add `--directory` and `${__dirname}`"
        yield Finding(f"{config.at}/args", "bundle-start", message, hint)
    scripts = subject.project.table("project").get("scripts") if subject.project else None
    started = {*(scripts if isinstance(scripts, dict) else ()), subject.package}
    if not started & {*words}:
        message = "the arguments name neither the server's command nor its package"
        yield Finding(f"{config.at}/args", "bundle-start", message, f"add `{subject.command}`")


def _name(subject: Subject, document: Document) -> Iterator[Finding]:
    name = root_of(document).text("name")
    if name != subject.command:
        message = f"the name is {quote(name or '')} here, but {quote(subject.command)} in the spec"
        fix = replaced(document, "/name", subject.command)
        yield Finding("/name", "publish-name", message, f"write `{subject.command}`", fix=fix)


def _filled(subject: Subject, document: Document) -> Iterator[Finding]:
    """Yield variables that nothing fills, and settings that do not reach the server."""
    whole = root_of(document)
    server = whole.below("server")
    config = server.below("mcp_config") if server else None
    if config is None:
        return
    settings = whole.below("user_config") or Spot({}, "/user_config")
    used = set[str]()
    for at, text in _texts(config.value, config.at):
        for name in _REFERENCE.findall(text):
            key = name.removeprefix(_SETTING)
            if key == name and name not in _SYSTEM:
                message = f"hosts do not know {quote('${' + name + '}')}"
                hint = "write `${__dirname}` or `${user_config.KEY}`"
                yield Finding(at, "bundle-variable", message, hint)
            elif key != name and key not in settings.value:
                message = f"`user_config` has no {quote(key)}"
                hint = did_you_mean(key, settings.value, "declare it, or remove the reference")
                yield Finding(at, "bundle-variable", message, hint)
            used.add(key)
    for key in settings.value:
        setting = settings.below(key)
        if setting and setting.value.get("required") is not True and "default" not in setting.value:
            message = (
                f"without a value, the server gets the text {quote('${user_config.' + key + '}')}"
            )
            hint = 'add `"default": ""`, or `"required": true`'
            yield Finding(setting.at, "bundle-variable", message, hint, at_key=True)
        if key not in used:
            message = f"the setting {quote(key)} does not reach the server"
            hint = f"add `${{user_config.{key}}}` to `env`"
            yield Finding(settings.at + pointer(key), "bundle-variable", message, hint, at_key=True)
    environment = config.below("env") or Spot({}, f"{config.at}/env")
    for variable in subject.spec.env:
        yield from _variable(variable, environment, settings)


def _variable(variable: Variable, environment: Spot, settings: Spot) -> Iterator[Finding]:
    """Yield what is wrong with how a variable of the server is set."""
    text = environment.text(variable.name)
    if text is None:
        if variable.required:
            message = f"the server does not start without {quote(variable.name)}, which is not set"
            hint = "run `mcp-scaffold regenerate`, or add it to `env` and `user_config`"
            yield Finding(environment.at, "bundle-variable", message, hint, at_key=True)
        return
    names = _REFERENCE.findall(text)
    if variable.secret and text and not names:
        message = f"the value of the secret {quote(variable.name)} would be public"
        at = environment.at + pointer(variable.name)
        yield Finding(at, "publish-secret", message, "write `${user_config.KEY}`", at_key=True)
    for name in names if variable.secret else ():
        if setting := settings.below(name.removeprefix(_SETTING)):
            yield from _secret(setting)


def _secret(setting: Spot) -> Iterator[Finding]:
    if setting.value.get("sensitive") is not True:
        message = "the setting is a secret, but hosts would store and show it as text"
        hint = 'add `"sensitive": true`'
        yield Finding(setting.at, "publish-secret", message, hint, at_key=True)
    if setting.value.get("default"):
        message = "the value of a secret would be public"
        at = f"{setting.at}/default"
        yield Finding(at, "publish-secret", message, "remove it", at_key=True)


def _texts(value: Any, at: str) -> Iterator[tuple[str, str]]:
    """Yield the texts in a value, each with its JSON Pointer."""
    match value:
        case str():
            yield at, value
        case dict():
            for key, part in value.items():
                yield from _texts(part, at + pointer(key))
        case list():
            for number, part in enumerate(value):
                yield from _texts(part, at + pointer(number))


def _runtimes(whole: Spot) -> Iterator[Finding]:
    compatibility = whole.below("compatibility")
    runtimes = compatibility.below("runtimes") if compatibility else None
    for spot, key, right in (
        (compatibility, "claude_desktop", ">=0.10.0 <2.0.0"),
        (runtimes, "python", ">=3.11.0 <4.0.0"),
    ):
        text = spot.text(key) if spot else None
        if spot and text is not None and not _NPM_RANGE.fullmatch(text.strip()):
            message = (
                f"hosts read {quote(text)} as a range of npm, and would call the bundle "
                "incompatible"
            )
            hint = f"write `{right}`, with a space and no comma"
            yield Finding(f"{spot.at}/{key}", "bundle-runtime", message, hint)


def _tools(whole: Spot, subject: Subject) -> Iterator[Finding]:
    if whole.value.get("tools_generated") is True:
        return
    known = [tool.name for tool in subject.spec.tools]
    listed = {one.text("name"): one for one in whole.items("tools")}
    for name, one in listed.items():
        if name is not None and name not in known:
            message = f"the server has no tool {quote(name)}"
            hint = did_you_mean(name, known, "run `mcp-scaffold regenerate`, or remove it")
            yield Finding(f"{one.at}/name", "bundle-tools", message, hint)
    for name in known:
        if name not in listed:
            message = f"the tool {quote(name)} is not listed"
            hint = "run `mcp-scaffold regenerate`, or add it"
            yield Finding("/tools", "bundle-tools", message, hint, at_key=True)


def _icons(whole: Spot, subject: Subject) -> Iterator[Finding]:
    paths = [("/icon", whole.text("icon"))]
    paths += [(f"{one.at}/src", one.text("src")) for one in whole.items("icons")]
    for at, path in paths:
        if path is None:
            continue
        file = subject.root / path
        if not is_inside(path):
            wrong = "is not a path in the bundle"
        elif not file.is_file():
            wrong = "does not exist"
        elif subject.repository and path not in subject.repository.files:
            wrong = "is ignored by git, so that it is not in the bundle"
        elif not file.read_bytes().startswith(_PNG):
            wrong = "is not a PNG file"
        else:
            continue
        hint = "name a PNG file in the project, such as `icon.png`"
        yield Finding(at, "bundle-icon", f"the icon {quote(path)} {wrong}", hint)


def files(document: Document) -> Iterator[tuple[str, str]]:
    """Yield the files that a manifest names, each with its JSON Pointer."""
    whole = root_of(document)
    server = whole.below("server")
    if server and (entry_point := server.text("entry_point")):
        yield "/server/entry_point", entry_point
    if icon := whole.text("icon"):
        yield "/icon", icon
    for one in whole.items("icons"):
        if path := one.text("src"):
            yield f"{one.at}/src", path
    shots = whole.value.get("screenshots")
    for number, path in enumerate(shots if isinstance(shots, list) else ()):
        if isinstance(path, str):
            yield f"/screenshots/{number}", path
