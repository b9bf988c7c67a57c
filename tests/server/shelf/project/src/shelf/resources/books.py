import json


async def books(context):
    return json.dumps([{"title": title} for title in context.shared.titles()])
