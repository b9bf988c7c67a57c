"""The pip requirement that installs the running version of mcp-scaffold."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, distribution
from urllib.parse import urlsplit

from scaffold import __version__

_NAME = "mcp-scaffold"


def requirement() -> str:
    """Return the requirement, or an empty text if only this machine has what was installed.

    PEP 610 says where a package came from, unless it was an index.
    """
    try:
        text = distribution(_NAME).read_text("direct_url.json")
    except PackageNotFoundError:
        return ""
    if text is None:
        return f"{_NAME}=={__version__}"
    direct = json.loads(text)
    url, vcs = str(direct["url"]), direct.get("vcs_info")
    if urlsplit(url).scheme == "file":
        return ""
    return f"{_NAME} @ {vcs['vcs']}+{url}@{vcs['commit_id']}" if vcs else f"{_NAME} @ {url}"
