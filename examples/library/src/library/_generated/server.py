# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The server: which handler belongs to which entry of the spec."""

import importlib.resources
from typing import Any

from mcp.server import Server
from mcp_types import Implementation

from library.lifespan import Shared, lifespan
from library.tools.borrow_book import borrow_book
from library.tools.get_book import get_book
from library.tools.get_cover import get_cover
from library.tools.get_receipt import get_receipt
from library.tools.search_books import search_books
from library.tools.upload_cover import upload_cover

from . import contract as c
from .runtime.api_tools import ApiTool, ApiTools
from .runtime.catalog import Catalog
from .runtime.choices import ChoiceSchema
from .runtime.encodings import check_encodings
from .runtime.handlers import BaseContext, Calls
from .runtime.tools import Tool
from .runtime.toolsets import Choice, Toolsets

CATALOG = Catalog(importlib.resources.files("library._generated") / "catalog.json")
# The types in brackets let type checkers compare each handler with the spec.
TOOLS: dict[str, Tool[Any, Any]] = {
    "search_books": ApiTool[c.SearchBooksArguments, c.SearchBooksResult](
        c.SearchBooksArguments, search_books
    ),
    "get_book": ApiTool[c.GetBookArguments, c.GetBookResult](
        c.GetBookArguments, get_book
    ),
    "get_cover": ApiTool[c.GetCoverArguments, c.GetCoverResult](
        c.GetCoverArguments, get_cover
    ),
    "upload_cover": ApiTool[c.UploadCoverArguments, c.UploadCoverResult](
        c.UploadCoverArguments, upload_cover
    ),
    "borrow_book": ApiTool[c.BorrowBookArguments, c.BorrowBookResult](
        c.BorrowBookArguments, borrow_book
    ),
    "get_receipt": ApiTool[c.GetReceiptArguments, c.GetReceiptResult](
        c.GetReceiptArguments, get_receipt
    ),
}


def create_server(
    call_time: float = 600, threads: int = 128, choice: Choice | None = None
) -> Server[Shared]:
    """Return the server, ready for a transport to run.

    `call_time` is in seconds. `threads` is how many plain `def` handlers run at once.
    `choice` is which tools it offers, by default all. Raises SettingsError if they are
    unknown.
    """
    calls = Calls(call_time, threads)
    check_encodings()
    tools = ApiTools(CATALOG["tools"], TOOLS, BaseContext, calls, schema=ChoiceSchema)
    info = Implementation.model_validate(CATALOG["serverInfo"])
    server = Server(
        **dict(info),
        instructions=CATALOG["instructions"] or None,
        lifespan=lambda _: lifespan(),
        on_list_tools=tools.list,
        on_call_tool=tools.call,
    )
    server.middleware.clear()  # The SDK's spans have texts of errors.
    server.middleware.append(Toolsets(CATALOG, choice).narrow)
    server.middleware.append(CATALOG.verbatim)
    return server
