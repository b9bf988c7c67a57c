from shelf._generated.contract import ResourceNotFound


async def book(arguments, context):
    titles = context.shared.titles()
    if int(arguments.book) > len(titles):
        raise ResourceNotFound
    return titles[int(arguments.book) - 1]
