"""Test the handlers as functions."""

import pytest
from fake_context import fake_context

from everything._generated.errors import UnknownColour
from everything._generated.models import ReviewContrastArguments, SuggestColourArguments
from everything.lifespan import Shared
from everything.palette import NAMED
from everything.prompts.review_contrast import review_contrast
from everything.resources.colours import colours
from everything.tools.suggest_colour import Wish, suggest_colour

pytestmark = pytest.mark.anyio


@pytest.fixture
def shared() -> Shared:
    """Only the colours that a test needs."""
    few = {name: NAMED[name] for name in ("black", "teal", "white")}
    return Shared(colours=few, swatch_size=1)


async def test_the_user_and_the_model_are_asked_for_a_colour(shared: Shared) -> None:
    door = Wish(purpose="a door", dark=True)
    context = fake_context(shared=shared, answers=[door, "Teal\n"])
    arguments = SuggestColourArguments()
    assert await suggest_colour(arguments, context) == "teal, #008080"
    assert list(context.asked) == ["Wish", "sample"]
    assert context.progressed == [
        (1, 3, "Asking the user"),
        (2, 3, "Asking the model"),
        (3, 3, None),
    ]
    assert context.logged == [("info", {"suggested": "teal", "purpose": "a door"})]


async def test_a_user_who_declines_ends_it(shared: Shared) -> None:
    context = fake_context(shared=shared, answers=["decline"])
    arguments = SuggestColourArguments()
    assert await suggest_colour(arguments, context) == "No colour is wanted."
    assert context.answers == []


async def test_a_colour_that_is_not_in_the_palette_is_an_error(shared: Shared) -> None:
    context = fake_context(shared=shared, answers=[Wish(purpose="a hat"), "maroon"])
    arguments = SuggestColourArguments()
    with pytest.raises(UnknownColour):
        await suggest_colour(arguments, context)


async def test_the_palette_has_the_colours_of_the_shared_ones(shared: Shared) -> None:
    assert "maroon" not in str(await colours(fake_context(shared=shared)))
    assert "teal" in str(await colours(fake_context(shared=shared)))


async def test_the_review_names_both_colours(shared: Shared) -> None:
    arguments = ReviewContrastArguments(text="teal", background="black")
    messages = str(await review_contrast(arguments, fake_context(shared=shared)))
    assert "#008080" in messages
    assert "#000000" in messages
