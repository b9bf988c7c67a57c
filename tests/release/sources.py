"""A local index and a local git server that have mcp-scaffold, over HTTP."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_string
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from tests.generated import REPOSITORY
from tests.repository import Repository, git


def copy_checkout(folder: Path) -> None:
    """Copy what git has of this repository, with the changes that are not committed."""
    names = git(REPOSITORY, "ls-files", "--cached", "--others", "--exclude-standard").splitlines()
    for name in names:
        if (REPOSITORY / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(REPOSITORY / name, folder / name)


def repository(folder: Path) -> Repository:
    """Return a git repository whose one commit is this checkout."""
    made = Repository(folder)
    copy_checkout(folder)
    made.commit("All of it")
    return made


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve the repositories and packages in a folder; return the URL of the folder.

    `NAME/.git` is a repository, and a directory of wheels a project of an index.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = folder / urlsplit(self.path).path.strip("/")
            if "/.git/" in self.path:
                self.run_git()
            elif path.is_file():
                self.answer(200, "application/octet-stream", path.read_bytes())
            elif wheels := sorted(path.glob("*.whl")):
                links = "".join(f'<a href="{file.name}">{file.name}</a>' for file in wheels)
                self.answer(200, "text/html", f"<!DOCTYPE html><body>{links}".encode())
            else:
                self.answer(404, "text/plain", b"")

        def do_HEAD(self) -> None:
            self.do_GET()

        def do_POST(self) -> None:
            self.do_GET()

        def run_git(self) -> None:
            url = urlsplit(self.path)
            length = int(self.headers.get("Content-Length", 0))
            completed = subprocess.run(
                ["git", "http-backend"],
                input=self.rfile.read(length),
                env={
                    "PATH": os.environ["PATH"],
                    "GIT_PROJECT_ROOT": str(folder),
                    "GIT_HTTP_EXPORT_ALL": "1",
                    "PATH_INFO": url.path,
                    "QUERY_STRING": url.query,
                    "REQUEST_METHOD": self.command,
                    "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                    "CONTENT_LENGTH": str(length),
                    "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                    "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
                },
                stdout=subprocess.PIPE,
                check=True,
            )
            head, _, body = completed.stdout.partition(b"\r\n\r\n")
            fields = message_from_string(head.decode())
            code = int(fields.get("Status", "200").split()[0])
            self.answer(code, fields["Content-Type"], body)

        def answer(self, code: int, kind: str, body: bytes) -> None:
            self.send_response(code)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def log_message(self, format: str, *arguments: object) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
