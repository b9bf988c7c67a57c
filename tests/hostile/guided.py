"""Bytes that a coverage-guided fuzzer chooses, into the reader: run by `test_guided.py`.

python -m tests.hostile.guided SEEDS... [-max_total_time=600] [libFuzzer's other options]
"""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["scaffold"], enable_loader_override=False):
    from scaffold.cli.report import draw
    from scaffold.diagnostics import ScaffoldError
    from scaffold.spec.lint import lint
    from scaffold.yaml.source import parse
    from tests.checked import check


def take(data: bytes) -> None:
    """Read, check, lint and draw; anything but a ScaffoldError stops the fuzzer."""
    try:
        document = parse(data.decode("utf-8", "ignore"), "spec.yaml")
        found = lint(check(document), document)
    except ScaffoldError as error:
        found = error.diagnostics
    draw(found, "human")


if __name__ == "__main__":
    atheris.Setup(sys.argv, take)
    atheris.Fuzz()
