"""What the log may say of the server behind a proxy."""

from __future__ import annotations

import pytest

from templates.python.runtime.upstream import reason


@pytest.mark.parametrize(
    "text", ["http://me:hush@host/mcp?a=1", "http://host/mcp?key=hush", "https://hush@host:1/"]
)
def test_credentials_in_a_url_are_not_logged(text: str) -> None:
    logged = reason(ExceptionGroup("", [OSError(f"cannot reach '{text}'")]))
    assert "hush" not in logged
    assert "host" in logged
    assert logged.startswith("OSError")
