"""The examples are what a full run writes; the run that CI makes trusts the hashes in their locks."""

from __future__ import annotations

from pathlib import Path

import pytest

from scaffold import __version__
from scaffold.commands.regenerate import lock_of, plan
from tests.regenerate.examples import EXAMPLES

pytestmark = pytest.mark.usefixtures("starts_programs")


@pytest.mark.parametrize("spec", EXAMPLES, ids=lambda spec: spec.parent.name)
def test_examples_are_up_to_date_with_the_code(spec: Path) -> None:
    update = plan(spec.parent)
    steps = update.plan.steps
    assert [step.path for step in steps if step.action.writes] == []
    assert [step.path for step in update.plan.conflicts] == []
    lock = update.plan.relocked(__version__, update.generated.inputs)
    assert update.generated.recorded(lock, spec.parent) == lock_of(spec.parent)
