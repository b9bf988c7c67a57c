"""Correct the stock by what was counted. Reports progress; a cancelled call changes nothing."""

from anyio.to_thread import run_sync

from starter._generated.contract import Context, TakeStockArguments, TakeStockResult

PART = 1000
"""How many items are looked up between two reports of progress."""


async def take_stock(arguments: TakeStockArguments, context: Context) -> TakeStockResult:
    stock = context.shared.stock
    skus = [one.sku for one in arguments.counted]
    for start in range(0, len(skus), PART):
        await run_sync(stock.check, skus[start : start + PART])
        await context.progress(min(start + PART, len(skus)), len(skus))
    # One transaction: it is not cancelled once it has begun.
    counted = [(one.sku, one.quantity) for one in arguments.counted]
    return TakeStockResult(corrected=await run_sync(stock.correct, counted))
