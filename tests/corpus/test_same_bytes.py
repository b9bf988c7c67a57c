"""The same spec makes the same project, byte for byte."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.captured import captured_servers
from tests.files import contents

EVERY = 3
"""One captured server in so many."""

NEW = """\
import sys
from pathlib import Path
from scaffold.commands.new import new
for spec in sys.argv[2:]:
    new(Path(spec), Path(sys.argv[1], Path(spec).stem))
"""


@pytest.mark.slow
def test_hash_seed_order_and_directory_do_not_change_the_output(
    corpus: Path, tmp_path: Path
) -> None:
    specs = []
    for server in captured_servers(corpus / "tools")[::EVERY]:
        path = tmp_path / f"{server.name}.json"
        path.write_text(json.dumps(server.spec), "utf-8")
        specs.append(str(path))
    folders = {"0": tmp_path / "one", "1": tmp_path / "another" / "place"}
    for folder in folders.values():
        folder.mkdir(parents=True)
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", NEW, str(folder), *specs[:: 1 if seed == "0" else -1]],
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        for seed, folder in folders.items()
    ]
    assert [run.wait() for run in runs] == [0, 0]
    first, second = map(contents, folders.values())
    assert first == second
