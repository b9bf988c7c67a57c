# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The server: which function answers which method of the protocol."""

import mcp_types as types
from mcp.server import Server

from reading_list._generated import tools
from reading_list._generated.catalog import CATALOG, list_verbatim
from reading_list.lifespan import Shared, lifespan


def create_server() -> Server[Shared]:
    """Return the server, ready for a transport to run."""
    info = types.Implementation.model_validate(CATALOG["serverInfo"])
    server = Server(
        info.name,
        version=info.version,
        title=info.title,
        description=info.description,
        website_url=info.website_url,
        icons=info.icons,
        instructions=CATALOG.get("instructions"),
        lifespan=lambda _: lifespan(),
        on_list_tools=tools.list_tools,
        on_call_tool=tools.call_tool,
    )
    server.middleware.append(list_verbatim)
    return server
