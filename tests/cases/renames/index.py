def search(query: str) -> str:
    from blog.tools import search as handler

    return f"{query}: {handler.__doc__}"
