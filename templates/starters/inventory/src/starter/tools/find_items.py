"""List the items whose name contains a text, by SKU, a page at a time."""

import json

from mcp.server.request_state import InvalidRequestState

from starter._generated.contract import (
    Context,
    FindItemsArguments,
    FindItemsItem,
    FindItemsResult,
    WrongCursor,
)


def find_items(arguments: FindItemsArguments, context: Context) -> FindItemsResult:
    after = ""
    if arguments.cursor:
        try:
            payload = context.shared.cursors.unseal(arguments.cursor)
        except InvalidRequestState as error:
            raise WrongCursor from error
        text, after = json.loads(payload)
        if text != arguments.text:
            raise WrongCursor
    found = context.shared.stock.page(arguments.text, after, arguments.limit + 1)
    page = [FindItemsItem(**item._asdict()) for item in found[: arguments.limit]]
    if len(found) == len(page):
        return FindItemsResult(items=page)
    end = json.dumps([arguments.text, page[-1].sku]).encode()
    return FindItemsResult(items=page, next=context.shared.cursors.seal(end))
