"""The story: all examples of a spec, each after those that it needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from heapq import heappop, heappush

from msgspec import Struct

from scaffold.format.examples import CallExample, Example
from scaffold.format.placeholders import Reference, references
from scaffold.format.spec import Entry, Resource, Spec

_READ = Example.model_construct(name="content")
"""The default example of a resource, on a list that does not change."""


class StoryStep(Struct, frozen=True, eq=False):
    """An example of an entry; `at` is its JSON Pointer.

    `needs` has the examples that it needs, by their names in `after` and in references.
    """

    entry: Entry
    example: Example
    at: str
    needs: dict[str, StoryStep]

    @property
    def structured(self) -> bool:
        """Whether others can refer to its result."""
        return isinstance(self.example, CallExample) and not self.example.fails

    def references(self) -> Iterator[Reference]:
        """Yield its references, by pointers from `at`."""
        for key in ("arguments", "result", "error"):
            yield from references(getattr(self.example, key, None), key)


class Story(Struct, frozen=True):
    """The examples in the order of the story, and those that references lead to, by name.

    The order is that of the spec, but an example comes after those that it needs. The examples of a
    `circle` need each other, each the next one, and the last the first. If there is one, the order
    is that of the spec.
    """

    steps: tuple[StoryStep, ...]
    results: dict[str, StoryStep]
    circle: tuple[StoryStep, ...]


def story(spec: Spec) -> Story:
    """Return the story of a spec."""
    steps = [*_examples(spec)]
    places, results = _named(steps), _named(step for step in steps if step.structured)
    for step in steps:
        if (after := step.example.after) in places:
            step.needs[after] = places[after]
        for reference in step.references():
            if reference.source in results:
                step.needs[reference.source] = results[reference.source]
    return _ordered(steps, results)


def _examples(spec: Spec) -> Iterator[StoryStep]:
    """Yield the examples in the order of the spec, and `_READ`."""
    changes = spec.capabilities.resources and spec.capabilities.resources.list_changed
    for entries in spec.entries.values():
        for entry in entries:
            for number, example in enumerate(entry.examples):
                yield StoryStep(entry, example, f"{entry.pointer}/examples/{number}", {})
            if isinstance(entry, Resource) and not (entry.examples or changes):
                yield StoryStep(entry, _READ, entry.pointer, {})


def _named(steps: Iterable[StoryStep]) -> dict[str, StoryStep]:
    """Return examples by name, and the first of each entry by the entry's name."""
    listed = [*steps]
    firsts = {step.entry.name: step for step in reversed(listed)}
    return firsts | {step.example.name: step for step in reversed(listed)}


def _ordered(steps: Sequence[StoryStep], results: dict[str, StoryStep]) -> Story:
    numbers = {step: number for number, step in enumerate(steps)}
    sorter = TopologicalSorter({step: step.needs.values() for step in steps})
    try:
        sorter.prepare()
    except CycleError as error:
        [*circle, _] = reversed(error.args[1])
        first = circle.index(min(circle, key=numbers.__getitem__))
        return Story(tuple(steps), results, (*circle[first:], *circle[:first]))
    order: list[StoryStep] = []
    ready: list[int] = []
    while sorter.is_active():
        for step in sorter.get_ready():
            heappush(ready, numbers[step])
        order.append(steps[heappop(ready)])
        sorter.done(order[-1])
    return Story(tuple(order), results, ())
