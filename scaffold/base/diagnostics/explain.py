"""The documentation of diagnostics, by id, from diagnostics.md."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path


@cache
def sections() -> dict[str, str]:
    """Return the Markdown text of each section, without its heading, by diagnostic id."""
    text = Path(__file__).with_name("diagnostics.md").read_text(encoding="utf-8")
    parts = re.split(r"^#{1,3} (.*)\n", text, flags=re.MULTILINE)
    headed = zip(parts[1::2], parts[2::2], strict=True)
    return {
        heading: body.strip() for heading, body in headed if re.fullmatch(r"[a-z0-9-]+", heading)
    }


def warnings() -> frozenset[str]:
    """Return the ids of all warnings. A spec can ignore them."""
    return frozenset(id for id, body in sections().items() if body.startswith("*Warning.*"))
