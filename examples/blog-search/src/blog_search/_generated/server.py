# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The server: which handler belongs to which entry of the spec."""

import importlib.resources
from pathlib import Path
from typing import Any

from mcp.server import Server
from mcp_types import Implementation

from blog_search.lifespan import Shared, lifespan
from blog_search.tools.read_chunk import read_chunk
from blog_search.tools.search_blog import search_blog

from . import contract as c
from .runtime.catalog import Catalog
from .runtime.handlers import BaseContext, Calls
from .runtime.skills import Skills
from .runtime.static_resources import StaticResources
from .runtime.tools import Tool, Tools

CATALOG = Catalog(importlib.resources.files("blog_search._generated") / "catalog.json")
# Installed, they are beside this module; in a checkout, where they are edited.
HERE = Path(__file__).parent
SKILLS = (HERE / "skills", HERE.parents[2] / "skills")
# The types in brackets let type checkers compare each handler with the spec.
TOOLS: dict[str, Tool[Any, Any]] = {
    "search_blog": Tool[c.SearchBlogArguments, c.SearchBlogResult](
        c.SearchBlogArguments, search_blog, timeout=60
    ),
    "read_chunk": Tool[c.ReadChunkArguments, c.ReadChunkResult](
        c.ReadChunkArguments, read_chunk
    ),
}


def create_server(call_time: float = 600, threads: int = 128) -> Server[Shared]:
    """Return the server, ready for a transport to run.

    `call_time` is in seconds. `threads` is how many plain `def` handlers run at once.
    """
    calls = Calls(call_time, threads)
    tools = Tools(CATALOG["tools"], TOOLS, BaseContext, calls)
    skills = Skills(*SKILLS)
    resources = StaticResources(skills.contents)
    info = Implementation.model_validate(CATALOG["serverInfo"])
    server = Server(
        **dict(info),
        instructions=CATALOG["instructions"] or None,
        lifespan=lambda _: lifespan(),
        on_list_tools=tools.list,
        on_call_tool=tools.call,
        get_tool_input_schema=lambda _: None,  # No argument is in a header too.
        on_list_resources=resources.list,
        on_list_resource_templates=resources.list_templates,
        on_read_resource=resources.read,
    )
    server.middleware.clear()  # The SDK's spans have texts of errors.
    skills.attach(server)
    server.middleware.append(CATALOG.verbatim)
    return server
