"""Take items out of the stock for an order, either all of them or none."""

from starter._generated.contract import Context, TakeItemsArguments


def take_items(arguments: TakeItemsArguments, context: Context) -> str:
    wanted = [(item.sku, item.quantity) for item in arguments.items]
    context.shared.stock.take(wanted)
    return f"Took {sum(quantity for _, quantity in wanted)} pieces."
