"""Variables with which a server touches nothing real, for `client.py` and the tests."""

import json
import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer
from tempfile import TemporaryDirectory
from threading import Thread

CATALOG = Path(__file__).parents[1] / "catalog.json"


@dataclass
class Trial:
    """The variables of a server that is tried."""

    variables: dict[str, str]
    made_up: str = ""
    """The names of those that are made up."""
    requests: int = 0
    """How often somebody tried to reach an address that is made up."""


@contextmanager
def trial(is_real: bool = False) -> Generator[Trial]:
    """Yield the variables that the spec has as stand-ins, or the real ones.

    Paths are in a temporary folder, and at addresses nobody answers. A variable
    `STAND_IN_X` has what X is instead.
    """
    tried = Trial({**os.environ})
    if is_real:
        yield tried
        return

    stand_ins: dict[str, str] = json.loads(CATALOG.read_bytes())["standIns"]

    class Nowhere(BaseRequestHandler):
        def setup(self) -> None:
            tried.requests += 1

    with (
        TemporaryDirectory() as folder,
        ThreadingTCPServer(("127.0.0.1", 0), Nowhere) as nowhere,
    ):
        address = f"127.0.0.1:{nowhere.server_address[1]}"
        for name, usual in stand_ins.items():
            text = os.environ.get(f"STAND_IN_{name}") or usual
            text = text.replace("{folder}", folder).replace("{address}", address)
            tried.variables[name] = text
        tried.made_up = ", ".join(stand_ins)
        tried.variables["NO_PROXY"] = "127.0.0.1"
        Thread(target=nowhere.serve_forever, args=(0.05,), daemon=True).start()
        yield tried
        nowhere.shutdown()
