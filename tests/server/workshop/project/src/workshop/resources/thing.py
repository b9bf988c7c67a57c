"""A thing on a shelf."""

from workshop._generated.contract import (
    Context,
    NoSuchThing,
    ResourceNotFound,
    ResourceResult,
    ThingArguments,
)


async def thing(arguments: ThingArguments, context: Context) -> ResourceResult:
    if arguments.shelf == "none":
        raise ResourceNotFound
    if arguments.thing == "lamp":
        raise NoSuchThing(thing="lamp", shelf=arguments.shelf)
    if arguments.thing == "exception":
        raise ValueError("a secret")
    return f"{arguments.thing} on {arguments.shelf}"
