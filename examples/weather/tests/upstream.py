"""A stand-in for api.weather.gov on this machine, with recorded answers."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

ANSWERS = Path(__file__).parent / "answers"


@dataclass(frozen=True)
class Answer:
    """The answer for a path; each half of it is sent after `pause` seconds."""

    body: bytes
    status: int = 200
    pause: float = 0
    location: str | None = None


class Upstream(ThreadingHTTPServer):
    """Answers by path, and records the path and headers of each request."""

    def __init__(self, answers: dict[str, Answer]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = answers
        self.requests: list[tuple[str, dict[str, str]]] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


MISSING = Answer(b"", 404)


class Handler(BaseHTTPRequestHandler):
    @property
    def upstream(self) -> Upstream:
        assert isinstance(self.server, Upstream)
        return self.server

    def do_GET(self) -> None:
        self.upstream.requests.append((self.path, dict(self.headers)))
        answer = self.upstream.answers.get(self.path, MISSING)
        time.sleep(answer.pause)
        self.send_response(answer.status)
        self.send_header("Content-Length", str(len(answer.body)))
        if answer.location:
            self.send_header("Location", answer.location)
        self.end_headers()
        half = len(answer.body) // 2
        self.wfile.write(answer.body[:half])
        time.sleep(answer.pause)
        self.wfile.write(answer.body[half:])

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def serving(answers: dict[str, Answer]) -> Generator[Upstream]:
    with Upstream(answers) as upstream:
        Thread(target=upstream.serve_forever, args=[0.02], daemon=True).start()
        yield upstream
        upstream.shutdown()


def recorded(name: str, status: int = 200) -> Answer:
    return Answer((ANSWERS / name).read_bytes(), status)


RECORDED = {
    "/alerts/active/area/CA": recorded("alerts-CA.json"),
    "/alerts/active/area/HI": recorded("alerts-HI.json"),
    "/alerts/active/area/XX": recorded("alerts-XX.json", status=400),
    "/points/37.7749,-122.4194": recorded("point-san-francisco.json"),
    "/points/51.5074,-0.1278": recorded("point-london.json", status=404),
    "/gridpoints/MTR/85,105/forecast": recorded("forecast-san-francisco.json"),
}
