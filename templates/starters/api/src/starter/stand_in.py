"""A stand-in for the ticket API, for tests and until TICKETS_API is set."""

import json
import re
from dataclasses import dataclass, field
from http import HTTPStatus

import httpx2


@dataclass
class StandIn:
    """Answers requests from memory; with a `token`, only those that carry it."""

    token: str | None = None
    titles: list[str] = field(default_factory=lambda: ["The printer is out of ink"])

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        authorization = request.headers.get("Authorization")
        if self.token and authorization != f"Bearer {self.token}":
            return httpx2.Response(HTTPStatus.UNAUTHORIZED)
        if (request.method, request.url.path) == ("POST", "/tickets"):
            self.titles.append(json.loads(request.content)["title"])
            return self.ticket(len(self.titles), HTTPStatus.CREATED)
        found = re.fullmatch("/tickets/([0-9]+)", request.url.path)
        if request.method == "GET" and found and int(found[1]) <= len(self.titles):
            return self.ticket(int(found[1]), HTTPStatus.OK)
        return httpx2.Response(HTTPStatus.NOT_FOUND)

    def ticket(self, number: int, status: HTTPStatus) -> httpx2.Response:
        ticket = {"id": number, "title": self.titles[number - 1], "status": "open"}
        return httpx2.Response(status, json=ticket)
