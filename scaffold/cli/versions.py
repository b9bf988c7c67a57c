"""The versions that a bug report needs: of the tool, of Python, and of the libraries."""

from __future__ import annotations

import json
import platform
from importlib.metadata import version

from scaffold import __version__

_LIBRARIES = ("click", "copier", "jinja2", "jsonschema-rs", "mcp", "msgspec", "pydantic", "ruff")


def versions() -> str:
    """Return the versions by name, as JSON; those of libraries are below `libraries`."""
    table = {
        "mcp-scaffold": __version__,
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.release()} {platform.machine()}",
        "libraries": {name: version(name) for name in _LIBRARIES},
    }
    return json.dumps(table, indent=2)
