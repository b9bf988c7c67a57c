"""Each folder of cases/ is a source, an `import` of it, and exactly what is written and said.

`arguments` are those of the command, `said.txt` its exit code and output, `expected.yaml` the spec.
After a change, look at what `WRITE_CASES=1 pytest tests/sources/test_cases.py` makes of the files.
"""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path

import pytest

from tests import command

CASES = sorted((Path(__file__).parent / "cases").iterdir())
OURS = ("arguments", "said.txt", "expected.yaml")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_source_becomes_a_spec_and_what_it_loses_is_said(case: Path, tmp_path: Path) -> None:
    shutil.copytree(case, tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns(*OURS))
    before = {*tmp_path.iterdir()}
    arguments = shlex.split((case / "arguments").read_text("utf-8"))
    ended = command.run("import", *arguments, cwd=tmp_path, env={"PATH": os.environ["PATH"]})
    said = f"{ended.out}{ended.err}exit code {ended.code}\n"
    spec = next((path for path in tmp_path.glob("*.yaml") if path not in before), None)
    if "WRITE_CASES" in os.environ:
        (case / "said.txt").write_text(said, "utf-8")
        (case / "expected.yaml").unlink(missing_ok=True)
        if spec:
            shutil.copy(spec, case / "expected.yaml")
    assert said == (case / "said.txt").read_text("utf-8")
    if spec:
        assert spec.read_text("utf-8") == (case / "expected.yaml").read_text("utf-8")
    else:
        assert not (case / "expected.yaml").exists()
        assert {*tmp_path.iterdir()} == before
