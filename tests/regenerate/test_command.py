"""The command: what it writes, what it says to whom, and how it ends."""

from __future__ import annotations

import click

from scaffold.cli.people import for_people
from scaffold.cli.regenerated import report_of
from scaffold.commands.regenerate import Regenerated, plan
from tests.regenerate.living import Living


class TestOfWhatIsSaidAtAll:
    def test_a_terminal_gets_colors_but_no_control_sequences(self, blog: Living) -> None:
        blog.write("README.md", blog.read("README.md") + "\x1b]0;title\x07\n")
        blog.edit(lambda spec: spec.update(description="Another."))
        plain = blog.regenerate("--diff").stdout
        assert click.unstyle(plain) == plain
        report = report_of(Regenerated(plan(blog.root)), diff=True)
        out, err = for_people(report, True, True)
        assert "\x1b[31m--- a/README.md" in out
        assert "\x1b[32m+" in out
        assert "\x1b]" not in out + err
        assert "\x07" not in out + err
