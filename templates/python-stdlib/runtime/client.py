"""The client's side: starts the server as a client does, over standard streams."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

Json = dict[str, Any]

LEGACY = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
MODERN = "2026-07-28"
META = "io.modelcontextprotocol/"
# Seconds that the server may take to answer.
PATIENCE = 60


class ServerError(Exception):
    """The server has answered with an error, wrongly or not at all."""

    def __init__(self, message: str, code: int = 0) -> None:
        super().__init__(message)
        self.code = code


class Client:
    """A client over standard streams, which answers questions as an example says."""

    def __init__(
        self, package: str, version: str, environment: Mapping[str, str], wire: bool
    ) -> None:
        self.version, self.wire = version, wire
        self.answers: dict[str, list[Any]] = {}
        self.numbers = count(1)
        source = str(Path(__file__).parents[3])
        path = os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH")]))
        self.process = subprocess.Popen(
            [sys.executable, "-m", package],
            env={**environment, "PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.messages = SimpleQueue[bytes]()
        Thread(target=self.read, daemon=True).start()
        if version != MODERN:
            client = {"name": "client.py", "version": "1"}
            offer = {"capabilities": self.capabilities, "clientInfo": client}
            self.request("initialize", {"protocolVersion": version, **offer})
            self.send({"method": "notifications/initialized"})

    @property
    def capabilities(self) -> Json:
        return {"elicitation": {}, "sampling": {}, "roots": {}}

    def read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.messages.put(line)
        self.messages.put(b"")

    def send(self, message: Json) -> None:
        text = json.dumps({"jsonrpc": "2.0", **message})
        if self.wire:
            print("→", text)
        assert self.process.stdin
        self.process.stdin.write(text.encode() + b"\n")
        self.process.stdin.flush()

    def receive(self) -> Json:
        try:
            line = self.messages.get(timeout=PATIENCE)
        except Empty:
            raise ServerError("the server does not answer") from None
        if not line:
            raise ServerError("the server has ended")
        if self.wire:
            print("←", line.decode().rstrip())
        message: Json = json.loads(line)
        return message

    def request(self, method: str, params: Json | None = None) -> Json:
        """Return the result of a request. Raises ServerError, also if it is an error."""
        params = params or {}
        if self.version == MODERN:
            meta = {
                META + "protocolVersion": MODERN,
                META + "clientCapabilities": self.capabilities,
            }
            params = {**params, "_meta": meta}
        number = next(self.numbers)
        self.send({"id": number, "method": method, "params": params})
        while (message := self.receive()).get("id") != number or "method" in message:
            if "method" in message and "id" in message:
                self.send({"id": message["id"], **self.answer(message)})
        if error := message.get("error"):
            raise ServerError(error["message"], error["code"])
        result: Json = message["result"]
        if result.get("resultType") != "input_required":
            return result
        asked = result["inputRequests"].items()
        given = {name: self.answer(one).get("result", {}) for name, one in asked}
        more = {"requestState": result.get("requestState"), "inputResponses": given}
        return self.request(method, {**params, **more})

    def answer(self, question: Json) -> Json:
        """Return the answer to a question: what the example has next."""
        kind = question["method"].partition("/")[0]
        left = self.answers.get(kind, [])
        if kind == "roots":
            return {"result": {"roots": []}}
        if kind == "elicitation":
            form = left.pop(0) if left else "cancel"
            if isinstance(form, str):
                return {"result": {"action": form}}
            return {"result": {"action": "accept", "content": form}}
        if not left:
            return {"error": {"code": -1, "message": "the example has no answer left"}}
        content = {"type": "text", "text": left.pop(0)}
        return {"result": {"role": "assistant", "content": content, "model": "example"}}

    def stop(self) -> int:
        """Close the server's input; return its exit code."""
        assert self.process.stdin
        self.process.stdin.close()
        try:
            return self.process.wait(PATIENCE)
        finally:
            self.process.kill()
