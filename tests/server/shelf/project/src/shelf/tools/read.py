from shelf._generated.contract import UnknownBook


async def read(arguments, context):
    titles = context.shared.titles()
    if arguments.book > len(titles):
        raise UnknownBook(book=arguments.book)
    return f"{titles[arguments.book - 1]}, book {arguments.book}"
