"""Add an item to the range, with the stock that there is."""

from starter._generated.contract import AddItemArguments, Context
from starter.stock import Item


def add_item(arguments: AddItemArguments, context: Context) -> str:
    item = Item(arguments.sku, arguments.name, arguments.quantity)
    context.shared.stock.add(item)
    return f"Added {item.sku}."
