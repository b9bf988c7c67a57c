# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The handlers, by the names that clients use."""

from typing import Any

from library._generated.contract import Tool
from library._generated.models import (
    BorrowBookArguments,
    BorrowBookResult,
    GetBookArguments,
    GetBookResult,
    GetCoverArguments,
    GetCoverResult,
    GetReceiptArguments,
    GetReceiptResult,
    SearchBooksArguments,
    SearchBooksResult,
    UploadCoverArguments,
    UploadCoverResult,
)
from library.tools.borrow_book import borrow_book
from library.tools.get_book import get_book
from library.tools.get_cover import get_cover
from library.tools.get_receipt import get_receipt
from library.tools.search_books import search_books
from library.tools.upload_cover import upload_cover

# The types in brackets let type checkers compare each handler with the spec.
TOOLS: dict[str, Tool[Any, Any]] = {
    "search_books": Tool[SearchBooksArguments, SearchBooksResult](
        SearchBooksArguments, search_books
    ),
    "get_book": Tool[GetBookArguments, GetBookResult](GetBookArguments, get_book),
    "get_cover": Tool[GetCoverArguments, GetCoverResult](GetCoverArguments, get_cover),
    "upload_cover": Tool[UploadCoverArguments, UploadCoverResult](
        UploadCoverArguments, upload_cover
    ),
    "borrow_book": Tool[BorrowBookArguments, BorrowBookResult](
        BorrowBookArguments, borrow_book
    ),
    "get_receipt": Tool[GetReceiptArguments, GetReceiptResult](
        GetReceiptArguments, get_receipt
    ),
}
