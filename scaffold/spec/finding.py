"""A finding about a value of the spec, before it is known where in the file the value stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from scaffold.diagnostics import Diagnostic, Place, ScaffoldError, Severity
from scaffold.spec.document import Document

FAULTS = 100
"""Told at most; after so many, the rest of the file is not worth reading."""

CHOICES = 500
"""Among more, to look for what was meant takes longer than it helps."""


class Finding(NamedTuple):
    """What is wrong with the value at a JSON Pointer, or with its key."""

    pointer: str
    id: str
    message: str
    hint: str
    at_key: bool = False

    def diagnostic(self, document: Document, severity: Severity) -> Diagnostic:
        """The finding with its place."""
        place = document.place(self.pointer, key=self.at_key)
        return Diagnostic(self.id, self.message, place, self.hint, severity, self.pointer)


def refusal(found: Sequence[Diagnostic], name: str) -> ScaffoldError:
    """What stops the run: all that was found, and that there may be more, where that is so."""
    if len(found) < FAULTS:
        return ScaffoldError(found)
    more = Diagnostic(
        "many-faults",
        f"there are more than {FAULTS} faults, of which these are the first that were found",
        Place(name),
        "mend these, and look again",
    )
    return ScaffoldError([more, *found])


def nearest(word: str, choices: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The choice that someone who wrote `word` most likely meant, if any is near.

    Only the first `CHOICES` are looked at.
    """
    import difflib  # only those who err wait for it

    by_folded = {choice.lower(): choice for choice in islice(choices, CHOICES)}
    near = difflib.get_close_matches(word.lower(), by_folded, n=1, cutoff=cutoff)
    return by_folded[near[0]] if near else None


def shown(text: str, longest: int = 60) -> str:
    """A text short enough for a message, in backticks."""
    return f"`{text if len(text) <= longest else text[: longest - 1] + '…'}`"


def listing(words: Iterable[str], last: str = "or") -> str:
    """Words as a list for people: `a`, `b` or `c`."""
    quoted = [f"`{word}`" for word in words]
    return f" {last} ".join([", ".join(quoted[:-1]), quoted[-1]]) if quoted[1:] else "".join(quoted)
