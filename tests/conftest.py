"""Fixtures that every test may use."""

from __future__ import annotations

import importlib.util
import os
import re
from pathlib import Path

import pytest
from hypothesis import settings

from tests.captured import captured_servers
from tests.raw_client import Message, WireCheck

# A busy machine is no fault of the code; what must be quick has a test that says so.
settings.register_profile("steady", settings(), deadline=None)
settings.load_profile("steady")

REPOSITORY = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("MCP_SCAFFOLD_SHARED", REPOSITORY.parent / "shared"))

# Up to 2025-11-25 the protocol's schema has no boolean subschemas; a spec may, and lists are verbatim.
BOOLEAN_SCHEMA = re.compile(r"inputSchema/properties/\w+: (True|False) is not of type 'object'")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run what takes `captured` once for each real server; skip it where there is none."""
    if "captured" in metafunc.fixturenames:
        servers = [
            pytest.param(server, id=server.name, marks=pytest.mark.xdist_group(server.name))
            for server in captured_servers(SHARED / "corpus" / "tools")
        ]
        metafunc.parametrize("captured", servers, scope="module")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference material that lies beside a developer's checkout, where there is one."""
    if not SHARED.is_dir():
        pytest.skip(f"no reference material at {SHARED}")
    return SHARED


@pytest.fixture(scope="session")
def corpus(shared: Path) -> Path:
    """Real tool lists, hostile specs, OpenAPI documents and the JSON-Schema-Test-Suite."""
    return shared / "corpus"


@pytest.fixture(scope="session")
def check(request: pytest.FixtureRequest) -> WireCheck:
    """The protocol's own schemas over each message, where the reference material is present."""
    try:
        shared: Path = request.getfixturevalue("shared")
    except pytest.skip.Exception:
        return lambda version, message, method: []
    spec = importlib.util.spec_from_file_location("wire_check", shared / "tools/wire_check.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def errors(version: str, message: Message, method: str | None) -> list[str]:
        found: list[str] = module.errors(version, message, method)
        return [fault for fault in found if not BOOLEAN_SCHEMA.search(fault)]

    return errors
