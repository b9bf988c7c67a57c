"""Skills: folders of instructions for models, as they were at the start (SEP-2640)."""

import mimetypes
import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote

import mcp_types as types
import yaml
from mcp.server import Server
from mcp.server.context import CallNext, HandlerResult
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from .command import SettingsError
from .handlers import Request

Json: TypeAlias = dict[str, Any]

EXTENSION: Json = {"io.modelcontextprotocol/skills": {"directoryRead": True}}
CACHE: Json = {"ttlMs": 60_000, "cacheScope": "public"}
KINDS = mimetypes.MimeTypes()  # Without those of this machine.
KINDS.add_type("text/markdown", ".md")
HEAD = re.compile(r"---\r?\n(.*?)\r?\n---[ \t]*(\r?\n|$)", re.DOTALL)
# What is not text without quotes, in YAML 1.2 as hosts read it: dates and `yes` are.
PLAIN = [
    ("tag:yaml.org,2002:null", re.compile(r"(null|Null|NULL|~|)$")),
    ("tag:yaml.org,2002:bool", re.compile(r"(true|True|TRUE|false|False|FALSE)$")),
    ("tag:yaml.org,2002:int", re.compile(r"[-+]?(0|[1-9][0-9]*)$")),
    ("tag:yaml.org,2002:float", re.compile(r"[-+]?(\.[0-9]+|[0-9]+\.[0-9]*)$")),
]


class SkillParams(types.PaginatedRequestParams):
    uri: str = ""


class Skills:
    """The skills in the first of these folders that exists; `contents` are their files."""

    def __init__(self, *folders: Path) -> None:
        self.contents: dict[str, Any] = {}
        self.skills: dict[str, Json] = {}
        self.manuals: list[Json] = []
        self.folders: dict[str, dict[str, Json]] = {}
        sizes: dict[str, Json] = {}
        folder = next(filter(Path.is_dir, folders), None)
        if folder is None:
            raise SettingsError(f"no skills: {folders[-1]} is not a folder")
        for path in files_of(folder):
            uri = f"skill://{quote(path.relative_to(folder).as_posix())}"
            data = path.read_bytes()
            digest = f"sha256:{sha256(data).hexdigest()}"
            sizes[uri] = {"uri": uri, "digest": digest, "size": len(data)}
            kind = KINDS.guess_type(path.name)[0] or "application/octet-stream"
            self.contents[uri] = {"uri": uri, "mimeType": kind, **text_or_blob(data)}
            self.enter(uri, path.name, kind)
            if path.name == "SKILL.md":
                self.skills[uri] = {"uri": uri, "frontmatter": head_of(path, data)}
        for uri, skill in self.skills.items():
            root = uri.removesuffix("SKILL.md")
            skill["resources"] = [sizes[key] for key in sizes if key.startswith(root)]
            about = {key: skill["frontmatter"][key] for key in ("name", "description")}
            self.manuals.append({"uri": uri, **about, "mimeType": "text/markdown"})

    def enter(self, uri: str, name: str, mime_type: str) -> None:
        """List a file, or a folder, in the folder around it, and that in its own."""
        parent = uri.rpartition("/")[0]
        if parent != "skill:/":
            entry = {"uri": uri, "name": name, "mimeType": mime_type}
            self.folders.setdefault(parent, {})[uri] = entry
            self.enter(parent, parent.rpartition("/")[2], "inode/directory")

    def attach(self, server: Server[Any]) -> None:
        """Serve the extension. Its middleware stands before that of the catalog."""
        for method in ("skills/list", "skills/get", "resources/directory/read"):
            server.add_request_handler(method, SkillParams, self.answer)
        server.middleware.append(self.listed)

    async def answer(self, ctx: Request, params: SkillParams) -> Json:
        """Answer a method of the extension, which only 2026-07-28 and later have."""
        if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            raise MCPError(types.METHOD_NOT_FOUND, "Method not found", ctx.method)
        if params.cursor is not None:
            raise MCPError(types.INVALID_PARAMS, "Unknown cursor: it is one page")
        if ctx.method == "skills/list":
            return {"skills": [*self.skills.values()], **CACHE}
        if ctx.method == "skills/get" and params.uri in self.skills:
            return {"skill": self.skills[params.uri], **CACHE}
        if ctx.method == "resources/directory/read" and params.uri in self.folders:
            return {"resources": [*self.folders[params.uri].values()]}
        raise MCPError(types.INVALID_PARAMS, f"{ctx.method} found no {params.uri}")

    async def listed(self, ctx: Request, call_next: CallNext) -> HandlerResult:
        """Middleware that announces the extension, and lists each SKILL.md."""
        result = await call_next(ctx)
        if isinstance(result, dict) and ctx.method == "server/discover":
            offered = result["capabilities"]
            extensions = {**offered.get("extensions", {}), **EXTENSION}
            result["capabilities"] = {**offered, "extensions": extensions}
        if isinstance(result, dict) and ctx.method == "resources/list":
            result["resources"] = [*result["resources"], *self.manuals]
        return result


def files_of(folder: Path) -> Iterator[Path]:
    """Yield the files of all skills, but no hidden ones and no symlinks."""
    every = sorted(folder.rglob("*"))
    roots = {path.parent for path in every if path.name == "SKILL.md"}
    for path in every:
        parts = path.relative_to(folder).parts
        is_hidden = any(part.startswith((".", "__pycache__")) for part in parts)
        is_in_skill = not roots.isdisjoint(path.parents)
        if is_in_skill and path.is_file() and not (is_hidden or path.is_symlink()):
            yield path


def text_or_blob(data: bytes) -> Json:
    try:
        return {"text": data.decode()}
    except UnicodeDecodeError:
        return {"blob": b64encode(data).decode()}


def head_of(path: Path, data: bytes) -> Json:
    """Return the frontmatter of a SKILL.md."""
    match = HEAD.match(data.decode("utf-8-sig", "replace"))
    loader = yaml.SafeLoader(match[1] if match else "")
    loader.yaml_implicit_resolvers = {None: PLAIN}
    try:
        head: Json | None = loader.get_single_data()
    except yaml.YAMLError as error:
        raise SettingsError(f"{path}: {error}") from None
    if not isinstance(head, dict) or not {"name", "description"} <= head.keys():
        raise SettingsError(f"{path} must begin with a name and a description")
    return head
