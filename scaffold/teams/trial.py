"""Run the checks of projects made with a pack."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from scaffold.diagnostics import Diagnostic, Place
from scaffold.python.trial import complaints
from scaffold.teams.check import Sample


def tried(samples: Iterable[Sample], python: Path | None, cache: Path) -> Iterator[Diagnostic]:
    """Yield an error for each check that fails in the project of a sample.

    `python` and `cache` are for the checks. Projects with the same files are tried once.
    """
    distinct = {tuple(sorted(sample.files.items())): sample for sample in samples}
    every = [*distinct.values()]
    for sample in every[:1]:  # alone, to fill the cache with what all have in common
        yield from _failures(sample, python, cache)
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for found in threads.map(partial(_failures, python=python, cache=cache), every[1:]):
            yield from found


def _failures(sample: Sample, python: Path | None, cache: Path) -> list[Diagnostic]:
    found = []
    for name, said in complaints(sample.project, sample.required, python, cache):
        message = f"`{name}` fails in the server `{sample.name}`: {said}"
        hint = "to inspect the server, run `mcp-scaffold pack check --keep DIR`"
        found.append(Diagnostic("pack-trial", message, Place(str(sample.project)), hint))
    return found
