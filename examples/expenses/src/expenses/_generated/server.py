# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The server: which function answers which method of the protocol."""

import mcp_types as types
from mcp.server import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity

from expenses._generated import tools
from expenses._generated.catalog import CATALOG, list_verbatim
from expenses.lifespan import Shared, lifespan


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
        get_tool_input_schema=tools.HEADED.get,
        on_list_tools=tools.list_tools,
        on_call_tool=tools.call_tool,
    )
    # What clients carry from one round to the next is sealed: they cannot forge it.
    security = RequestStateSecurity.ephemeral()
    boundary = RequestStateBoundary(security, default_audience=info.name)
    server.middleware.append(boundary)
    server.middleware.append(list_verbatim)
    return server
