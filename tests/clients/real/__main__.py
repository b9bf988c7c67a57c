"""Run the real clients over all transports: `python -m tests.clients.real`.

It needs the npm registry or a filled `.cache`, a package index for uv, 2 GB of disk, and Linux
or macOS. It takes some minutes. Versions are those in `scaffold/clients/data/`. No account
is needed: models are asked of a provider on this machine that refuses everything.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

if __name__ == "__main__":
    os.environ["REAL_CLIENTS"] = "all"
    sys.exit(pytest.main([str(Path(__file__).parent), "--durations=0", *sys.argv[1:]]))
