"""A thing on a shelf."""

from workshop._generated.contract import Context, ResourceResult
from workshop._generated.errors import NoSuchThing, ResourceNotFound
from workshop._generated.models import ThingArguments


async def thing(arguments: ThingArguments, context: Context) -> ResourceResult:
    if arguments.shelf == "none":
        raise ResourceNotFound
    if arguments.thing == "lamp":
        raise NoSuchThing(thing="lamp", shelf=arguments.shelf)
    if arguments.thing == "exception":
        raise ValueError("a secret")
    return f"{arguments.thing} on {arguments.shelf}"
