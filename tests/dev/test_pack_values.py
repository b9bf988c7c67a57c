"""What `dev` needs from packs is reported where it belongs if they lack it."""

from __future__ import annotations

from pathlib import Path

import pytest

from scaffold.base.diagnostics import ScaffoldError
from scaffold.commands.dev.serving import serving
from scaffold.commands.new import new

SPEC = 'name: hello\nversion: "1"\ntools: [{name: greet, inputSchema: {type: object}}]\n'


def test_a_server_that_no_pack_can_start_is_reported_at_the_table_that_lacks_the_command(
    tmp_path: Path,
) -> None:
    (tmp_path / "spec.yaml").write_text(SPEC)
    root = tmp_path / "hello"
    new(tmp_path / "spec.yaml", root)
    (root / "templates").mkdir()
    (root / "templates/pack.toml").write_text("contract = 4\n\n[commands]\nstart = []\n")
    with pytest.raises(ScaffoldError) as refused:
        serving(root)
    (finding,) = refused.value.diagnostics
    assert finding.message == "no pack has `commands.start`, which `dev` needs"
    assert finding.place
    assert (finding.place.path, finding.place.line) == (str(root / "templates/pack.toml"), 3)
