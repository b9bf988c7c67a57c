"""Ask the user what a colour is for, and the client's model for the colour."""

from dataclasses import dataclass, field

from everything._generated.contract import (
    Context,
    SuggestColourArguments,
    SuggestColourResult,
)
from everything.palette import look_up


@dataclass(frozen=True)
class Wish:
    """What the user fills in."""

    purpose: str = field(metadata={"description": "What the colour is for."})
    dark: bool = field(
        default=False, metadata={"description": "Whether it is to be dark."}
    )


async def suggest_colour(
    arguments: SuggestColourArguments, context: Context
) -> SuggestColourResult:
    await context.progress(1, 3, "Asking the user")
    wish = await context.elicit("What is the colour for?", Wish)
    if not isinstance(wish, Wish):
        return "No colour is wanted."
    await context.progress(2, 3, "Asking the model")
    kind = "dark colour" if wish.dark else "colour"
    prompt = f"Name a {kind} for {wish.purpose}, in one lower-case word."
    name = (await context.sample(prompt, max_tokens=20)).strip().lower()
    colour = look_up(name, context.shared.colours)
    await context.progress(3, 3)
    await context.log.info({"suggested": name, "purpose": wish.purpose})
    return f"{name}, {colour.hex}"
