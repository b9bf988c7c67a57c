"""Fixtures that every test may use."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import sys
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import settings

from tests.captured import captured_servers
from tests.programs import pytest_itemcollected, pytest_runtest_protocol, starts_programs
from tests.raw_client import Message, WireCheck
from tests.wire_check import wire_faults

__all__ = ["pytest_itemcollected", "pytest_runtest_protocol", "starts_programs"]

# A busy machine is no fault of the code; what must be quick has a test that says so. The examples are
# the same in each run, so that a test turns red for a change; `--hypothesis-profile explore` has others.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None)
settings.load_profile("steady")

# These start programs with terminals, signals and forks of POSIX.
collect_ignore_glob = (
    ["dev/*", "hostile/*", "production/*", "starters/*"] if sys.platform == "win32" else []
)

REPOSITORY = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("MCP_SCAFFOLD_SHARED", REPOSITORY.parent / "shared"))

# Up to 2025-11-25 the protocol's schema has no boolean subschemas; a spec may, and lists are verbatim.
BOOLEAN_SCHEMA = re.compile(r"inputSchema/properties/\w+: (True|False) is not of type 'object'")


def pytest_configure(config: pytest.Config) -> None:
    """Let mypy, in whichever project it runs, know the libraries: from CI's checks, or the last time."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    cache = config.cache.mkdir(f"mypy{worker}")
    checked = REPOSITORY / ".mypy_cache/0"  # by `.ci/check`
    if checked.is_dir() and not any(cache.iterdir()):
        shutil.copytree(checked, cache, dirs_exist_ok=True)
    os.environ["MYPY_CACHE_DIR"] = str(cache)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let workers begin with what takes long, so that none is left with it at the end."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run what takes `captured` once for each real server; skip it where there is none."""
    if "captured" in metafunc.fixturenames:
        servers = [
            pytest.param(server, id=server.name, marks=pytest.mark.xdist_group(server.name))
            for server in captured_servers(SHARED / "corpus" / "tools")
        ]
        metafunc.parametrize("captured", servers, scope="module")


@pytest.fixture
def anyio_backend() -> str:
    """The runtime is written for asyncio."""
    return "asyncio"


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
def check() -> WireCheck:
    """Strict types over each message, and the protocol's own schemas where they are present."""
    official = _official_check()

    def errors(version: str, message: Message, method: str | None) -> list[str]:
        found = official(version, message, method)
        return [
            *wire_faults(version, message, method),
            *(fault for fault in found if not BOOLEAN_SCHEMA.search(fault)),
        ]

    return errors


def _official_check() -> WireCheck:
    program = SHARED / "tools/wire_check.py"
    if not program.exists():
        return lambda version, message, method: []
    spec = importlib.util.spec_from_file_location("wire_check", program)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    @cache
    def validator(version: str, name: str) -> jsonschema_rs.Validator:
        schema, key, _, _ = module.schema(version)
        whole = {"$schema": schema["$schema"], key: schema[key], "$ref": f"#/{key}/{name}"}
        return jsonschema_rs.validator_for(whole)

    def errors(version: str, message: Message, method: str | None) -> list[str]:
        """What the program says; it takes long, so it is asked only about what may be wrong."""
        parts = module.definitions(version, message, method)
        if all(validator(version, name).is_valid(part) for name, part in parts):
            return []
        found: list[str] = module.errors(version, message, method)
        return found

    return errors


ALLOWED_SKIPS = {
    "everything can be read here": "root and Windows ignore the permissions that the test takes",
    "Windows has no such owners": "the test is about the owners that POSIX has",
    "Windows has no such names": "the test is about names that only POSIX has",
    "prlimit is there on Linux only": "elsewhere a limit of a running process cannot be changed",
    "files cannot be exchanged": "only Linux and macOS have a call for it",
    "the test is about the SDK": "servers of the other pack do without it",
    "the syntax is that of Python 3.12": "earlier versions cannot parse type parameters",
}
"""What CI may skip though everything is present: the reason that the skip gives, and why."""


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail where CI skips a test though everything that tests need is present."""
    reporter: Any = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or not os.environ.get("CI") or not SHARED.is_dir():
        return
    skipped = {str(report.longrepr) for report in reporter.stats.get("skipped", ())}
    for reason in sorted(skipped):
        if not any(allowed in reason for allowed in ALLOWED_SKIPS):
            reporter.write_line(f"CI must not skip: {reason}", red=True)
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
