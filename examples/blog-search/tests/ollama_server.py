"""A small local server that speaks Ollama's embedding interface."""

import json
import re
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

SUBJECTS = [
    re.compile(rf"\b(?:{words})\b")
    for words in (
        "again|backoff|jitter|retry|retries|twice",
        "alive|health|heartbeats?|liveness|ping|pulse|readiness",
        "bytes?|delimiter|framing|length|newline",
        "logs?|secrets?|tokens?",
    )
]


def embedding(text: str) -> list[float]:
    """How much of the text is about each subject: what is alike in meaning points alike."""
    return [0.1 + len(subject.findall(text.lower())) for subject in SUBJECTS]


class Ollama(ThreadingHTTPServer):
    """Knows one model, `all-minilm`, and remembers what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.inputs: list[list[str]] = []
        self.fault: tuple[int, bytes] | None = None
        """Status and body to answer with instead, while it is set."""


class Answer(BaseHTTPRequestHandler):
    @property
    def ollama(self) -> Ollama:
        assert isinstance(self.server, Ollama)
        return self.server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status, answer = self.ollama.fault or self.embed(json.loads(body))
        self.send_response(status)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def embed(self, request: dict[str, Any]) -> tuple[int, bytes]:
        model, texts = request["model"], request["input"]
        if self.path != "/api/embed":
            return 404, b"404 page not found"
        if model != "all-minilm":
            error = f'model "{model}" not found, try pulling it first'
            return 404, json.dumps({"error": error}).encode()
        self.ollama.inputs.append(texts)
        answer = {"model": model, "embeddings": [embedding(text) for text in texts]}
        return 200, json.dumps(answer).encode()

    def log_message(self, format: str, *args: object) -> None:
        """Stay silent."""


@contextmanager
def ollama_server() -> Generator[Ollama]:
    with Ollama() as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()
