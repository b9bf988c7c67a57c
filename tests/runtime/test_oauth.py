"""The server as an OAuth resource server: which tokens are good, and for what."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any
from urllib.parse import parse_qs, urlsplit

import anyio
import httpx2
import jwt
import pytest
import uvicorn
from cryptography.hazmat.primitives.asymmetric import rsa
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider, TokenStorage
from mcp.client.streamable_http import streamable_http_client
from mcp.server import Server
from mcp.server.auth.provider import AccessToken, TokenVerifier
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl

from templates.python.runtime import issuer as runtime
from templates.python.runtime.clients import ClientContext
from templates.python.runtime.http import Http
from templates.python.runtime.issuer import Issuer as Verifier
from templates.python.runtime.oauth import IssuerUnavailable, OAuth
from templates.python.runtime.shares import Shares
from tests.issuer import DISCOVERY, PRIVATE, Issuer
from tests.runtime.serving import asked as send
from tests.runtime.serving import options, reached, server_of
from tests.runtime.test_http import PING
from tests.runtime.test_questions import Day, asking
from tests.runtime.test_tools import ERAS, text_of
from tests.web import Call, serving

pytestmark = pytest.mark.anyio

URL = "http://127.0.0.1:8000/mcp"
METADATA = "http://127.0.0.1:8000/.well-known/oauth-protected-resource/mcp"
ACCEPT = {"Accept": "application/json, text/event-stream"}
READ, WRITE, ALL = "notes.read", "notes.write", "notes.read notes.write"


@pytest.fixture
def issuer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Issuer]:
    monkeypatch.setenv("PUBLIC_URL", URL)
    with Issuer() as issuer:
        yield issuer


async def read_note(arguments: Any, context: Any) -> str:
    return repr(context.client)


async def read_claim(arguments: Any, context: Any) -> str:
    with pytest.raises(TypeError):
        context.client.claims["groups"] = ["admins"]
    return repr(context.client.claims["groups"])


def write_note(arguments: Any, context: Any) -> str:
    """A plain function, which runs in a thread."""
    return repr(context.client)


def load(_: Any) -> Server[Any]:
    return server_of(read_note, write_note, context=ClientContext)


def oauth_of(issuer: Issuer, **more: Any) -> OAuth:
    return OAuth(issuer.url, "PUBLIC_URL", scopes=[READ], tools={"write_note": [WRITE]}, **more)


@asynccontextmanager
async def asked(
    oauth: OAuth, verifier: TokenVerifier | None = None, load: Any = load
) -> AsyncGenerator[httpx2.AsyncClient]:
    """Yield a client of a server in memory."""
    app = Http(load, guard=oauth.guard).app(options(), verifier or oauth.verifier())
    async with reached(app) as client:
        yield client


def bearing(token: str) -> dict[str, str]:
    return {**ACCEPT, "Authorization": f"Bearer {token}"}


def challenge_of(answer: httpx2.Response) -> dict[str, str]:
    """Return what a challenge says."""
    challenge = answer.headers["WWW-Authenticate"].removeprefix("Bearer ")
    return dict(part.replace('"', "").split("=", 1) for part in challenge.split(", "))


async def call(client: httpx2.AsyncClient, token: str, tool: str, **params: Any) -> httpx2.Response:
    """Call a tool as a client since 2026-07-28 does."""
    params = {"name": tool, "arguments": {}, **params}
    return await send(client, token, "tools/call", tool, params, {"elicitation": {}})


async def session(client: httpx2.AsyncClient, token: str) -> dict[str, str]:
    """Open a session as clients up to 2025-11-25 do, and return its headers."""
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}}
    params = {**hello, "clientInfo": {"name": "a", "version": "1"}}
    message = {**PING, "method": "initialize", "params": params}
    answer = await client.post("/mcp", headers=bearing(token), json=message)
    assert answer.status_code == 200
    return {
        "Mcp-Session-Id": answer.headers["Mcp-Session-Id"],
        "MCP-Protocol-Version": "2025-11-25",
    }


async def call_in(
    client: httpx2.AsyncClient, session: Mapping[str, str], token: str, body: bytes
) -> httpx2.Response:
    headers = {**bearing(token), **session, "Content-Type": "application/json"}
    return await client.post("/mcp", headers=headers, content=body)


def calling(tool: str) -> bytes:
    params = {"name": tool, "arguments": {}}
    return json.dumps({**PING, "method": "tools/call", "params": params}).encode()


# What real connectors ask for, point by point.


async def test_the_challenge_names_the_metadata_and_the_scopes(
    issuer: Issuer,
) -> None:
    """No error is named where no token came (RFC 6750, 3.1)."""
    async with asked(oauth_of(issuer)) as client:
        for headers in ({}, {"Authorization": ""}, {"Authorization": "Bearer "}):
            answer = await client.post("/mcp", headers=headers, json=PING)
            assert answer.status_code == 401
            assert challenge_of(answer) == {"scope": READ, "resource_metadata": METADATA}
        answer = await client.post("/mcp", headers={"Authorization": "Basic YTpi"}, json=PING)
        assert "error" not in challenge_of(answer)


@pytest.mark.parametrize(
    ("url", "path"),
    [
        (URL, "/mcp"),
        ("https://mcp.example.org/mcp", "/mcp"),
        ("https://MCP.example.org:443/team/mcp", "/team/mcp"),
        ("https://mcp.example.org/mcp/", "/mcp"),
        ("https://mcp.example.org", ""),
        ("https://mcp.example.org/", ""),
    ],
)
async def test_the_metadata_has_the_path_and_the_url_as_configured(
    url: str, path: str, issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RFC 9728, 3.1: clients compare `resource` with what they were given."""
    monkeypatch.setenv("PUBLIC_URL", url)
    async with asked(oauth_of(issuer)) as client:
        challenge = challenge_of(await client.post("/mcp", json=PING))
        at = urlsplit(challenge["resource_metadata"])
        assert at.path == f"/.well-known/oauth-protected-resource{path}"
        assert at.netloc == urlsplit(url).netloc
        answer = await client.get(at.path, headers={"Origin": "https://inspector.example"})
    assert answer.json() == {
        "resource": url,
        "authorization_servers": [issuer.url],
        "scopes_supported": [READ, WRITE],
    }
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize("audience", ["", "api://notes"])
async def test_the_audience_is_the_configured_url_or_another_name(
    audience: str, issuer: Issuer
) -> None:
    verifier, right = oauth_of(issuer, audience=audience).verifier(), audience or URL
    for aud in (right, ["https://other.example", right]):
        assert await verifier.verify_token(issuer.token(aud))
    for aud in (f"{right}/", "api://notes" if right == URL else URL):
        assert await verifier.verify_token(issuer.token(aud)) is None


async def test_a_refused_call_names_all_scopes_that_it_needs(issuer: Issuer) -> None:
    async with asked(oauth_of(issuer)) as client:
        weak = issuer.token(URL, scope=READ)
        answer = await call(client, weak, "write_note")
        assert answer.status_code == 403
        wanted = {"error": "insufficient_scope", "scope": ALL, "resource_metadata": METADATA}
        assert challenge_of(answer) == wanted
        opened = await session(client, weak)
        answer = await call_in(client, opened, weak, calling("write_note"))
        assert answer.status_code == 403
        assert challenge_of(answer) == wanted
        answer = await client.post("/mcp", headers=bearing(issuer.token(URL, scope=WRITE)), json={})
        assert (answer.status_code, challenge_of(answer)["scope"]) == (403, READ)


# Tokens.


PUBLIC = PRIVATE["RS256"].public_key().public_numbers().n.to_bytes(256)


def foreign(issuer: Issuer, key: Any, algorithm: str, kid: str = "one") -> str:
    claims = jwt.decode(issuer.token(URL, scope=ALL), options={"verify_signature": False})
    return jwt.encode(claims, key, algorithm, {"kid": kid})


WRONG: Mapping[str, Callable[[Issuer], str]] = {
    "expired": lambda i: i.token(URL, exp=time.time() - 70),
    "not valid yet": lambda i: i.token(URL, nbf=time.time() + 90),
    "from tomorrow": lambda i: i.token(URL, iat=time.time() + 90),
    "without an end": lambda i: i.token(URL, exp=None),
    "for another": lambda i: i.token("https://other.example/mcp"),
    "for nobody": lambda i: i.token(None),
    "of another issuer": lambda i: i.token(URL, iss="https://other.example"),
    "of no issuer": lambda i: i.token(URL, iss=None),
    "of the issuer with a slash": lambda i: i.token(URL, iss=f"{i.url}/"),
    "of nobody": lambda i: i.token(URL, sub=None, client_id=None),
    "signed with the public key": lambda i: foreign(i, PUBLIC, "HS256"),
    "not signed": lambda i: foreign(i, None, "none"),
    "with an unknown key": lambda i: foreign(i, PRIVATE["RS256"], "RS256", "two"),
    "with a foreign key": lambda i: foreign(i, rsa.generate_private_key(65537, 2048), "RS256"),
    "with a key of another kind": lambda i: foreign(i, PRIVATE["ES256"], "ES256"),
    "with an algorithm that is not asked for": lambda i: foreign(i, PRIVATE["RS256"], "PS256"),
    "that was changed": lambda i: i.token(URL)[:-8] + "AAAAAAAA",
    "in three parts of nothing": lambda i: "a.b.c",
    "opaque": lambda i: "2YotnFZFEjr1zCsicMWpAA",
    "without ASCII": lambda i: "clé.clé.clé",
    "to log out": lambda i: i.token(URL, typ="logout+jwt"),
    "with scopes that are none": lambda i: i.token(URL, scope={"a": 1}),
}


@pytest.mark.parametrize("wrong", WRONG)
async def test_an_invalid_token_is_refused(wrong: str, issuer: Issuer) -> None:
    async with asked(oauth_of(issuer)) as client:
        headers = [(b"Authorization", b"Bearer " + WRONG[wrong](issuer).encode("latin-1"))]
        answer = await client.post("/mcp", headers=headers, json=PING)
    assert answer.status_code == 401
    assert challenge_of(answer)["error"] == "invalid_token"


@pytest.mark.parametrize("algorithm", PRIVATE)
async def test_a_token_signed_with_each_kind_of_key_is_accepted(
    algorithm: str, issuer: Issuer
) -> None:
    issuer.keys["two"] = algorithm
    token = issuer.token(URL, "two", typ="application/at+JWT", scope=ALL)
    access = await oauth_of(issuer).verifier().verify_token(token)
    assert access
    assert (access.client_id, access.subject, access.scopes) == ("editor", "ann", ALL.split())


@pytest.mark.parametrize(
    ("claims", "client", "scopes"),
    [
        ({"exp": 3600, "nbf": 40, "iat": 40}, "editor", []),  # In so many seconds.
        ({"exp": -40}, "editor", []),
        ({"client_id": None, "azp": "a", "scope": READ}, "a", [READ]),
        ({"client_id": None, "cid": "b", "scp": [READ, WRITE]}, "b", [READ, WRITE]),
        ({"client_id": None, "scp": ALL}, "ann", [READ, WRITE]),
        ({"sub": None}, "editor", []),
    ],
    ids=str,
)
async def test_clock_skew_and_several_issuers_are_accepted(
    claims: dict[str, Any], client: str, scopes: list[str], issuer: Issuer
) -> None:
    now = time.time()
    claims = {
        key: now + value if isinstance(value, int) else value for key, value in claims.items()
    }
    access = await oauth_of(issuer).verifier().verify_token(issuer.token(URL, **claims))
    assert access
    assert (access.client_id, access.scopes) == (client, scopes)


# The issuer.


async def test_keys_rotate_and_clients_cannot_force_repeated_fetches(
    issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    verifier = Verifier(issuer.url, URL)
    old = issuer.token(URL)
    assert await verifier.verify_token(old)
    issuer.keys = {"two": "ES256"}
    new = issuer.token(URL, "two")
    for _ in range(5):  # A new key is looked for, but not at once.
        assert await verifier.verify_token(new) is None
    assert issuer.fetches == 1
    monkeypatch.setattr(runtime, "PAUSE", 0)
    assert await verifier.verify_token(new)
    assert await verifier.verify_token(old) is None
    assert await verifier.verify_token(new)


async def test_a_key_that_was_withdrawn_is_forgotten(
    issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    verifier = Verifier(issuer.url, URL)
    token = issuer.token(URL)
    assert await verifier.verify_token(token)
    issuer.keys = {"two": "ES256"}
    monkeypatch.setattr(runtime, "PAUSE", 0)
    monkeypatch.setattr(runtime, "FRESH", 0)
    assert await verifier.verify_token(token)  # This one asks, and does not wait.
    assert verifier.fetching
    await verifier.fetching
    assert await verifier.verify_token(token) is None


async def test_a_hanging_issuer_does_not_delay_tokens_with_a_known_key(
    issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    verifier = Verifier(issuer.url, URL)
    known, unknown = issuer.token(URL), foreign(issuer, PRIVATE["RS256"], "RS256", "two")
    assert await verifier.verify_token(known)
    issuer.hangs.set()
    monkeypatch.setattr(runtime, "PAUSE", 0.1)
    monkeypatch.setattr(runtime, "FRESH", 0)
    monkeypatch.setattr(runtime, "PATIENCE", 3)
    await anyio.sleep(0.2)
    outcomes: list[float] = []

    async def refused() -> None:
        with pytest.raises(IssuerUnavailable):
            await verifier.verify_token(unknown)
        outcomes.append(time.monotonic())

    began = time.monotonic()
    async with anyio.create_task_group() as tasks:
        for _ in range(20):
            tasks.start_soon(refused)
        await anyio.sleep(0.05)
        for _ in range(20):
            assert await verifier.verify_token(known)
        assert outcomes == []
    assert max(outcomes) - began < 20  # They wait for one attempt together.
    issuer.hangs.clear()
    await anyio.sleep(0.2)
    assert await verifier.verify_token(unknown) is None


async def test_without_keys_clients_are_asked_to_retry(issuer: Issuer) -> None:
    issuer.documents["/keys"] = ("application/json", '{"keys": []}')
    async with asked(oauth_of(issuer)) as client:
        answer = await client.post("/mcp", headers=bearing(issuer.token(URL)), json=PING)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "10")


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"keys": 5}', '{"keys": [1, {"kty": "?"}]}'])
async def test_invalid_keys_replace_no_valid_ones(
    content: str, issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    verifier = Verifier(issuer.url, URL)
    token = issuer.token(URL)
    assert await verifier.verify_token(token)
    issuer.documents["/keys"] = ("application/json", content)
    monkeypatch.setattr(runtime, "PAUSE", 0)
    monkeypatch.setattr(runtime, "FRESH", 0)
    for _ in range(3):
        assert await verifier.verify_token(token)
        assert verifier.fetching
        await asyncio.wait([verifier.fetching])
        assert verifier.fetching.exception()


@pytest.mark.parametrize("has_keys_at_once", [True, False])
async def test_an_endless_answer_is_cut_off(has_keys_at_once: bool) -> None:
    sent = 0

    def answer(call: Call) -> None:
        nonlocal sent
        call.send_response(200)
        call.send_header("Content-Type", "application/json")
        call.end_headers()
        with suppress(OSError):
            while sent < 2**28:
                sent += call.wfile.write(b" " * 2**16)

    with serving(answer) as url:
        verifier = Verifier(url, URL, f"{url}/keys" if has_keys_at_once else "")
        with pytest.raises(IssuerUnavailable), Issuer() as issuer:
            await verifier.verify_token(issuer.token(URL))
    assert sent < 2**25  # What the sockets hold, besides.


async def test_keys_are_found_by_either_document_or_at_an_address_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """RFC 8414, 3.1 has the path at the end, OpenID Connect Discovery in front."""
    with Issuer("/realms/desk") as issuer:
        assert await Verifier(issuer.url, URL).verify_token(issuer.token(URL))
        page = ("text/html", "<p>Hello!</p>")
        issuer.documents[f"{DISCOVERY}/realms/desk"] = page
        openid = "/realms/desk/.well-known/openid-configuration"
        issuer.documents[openid] = ("application/json", json.dumps(issuer.metadata))
        assert await Verifier(issuer.url, URL).verify_token(issuer.token(URL))
        other = issuer.metadata | {"issuer": "https://other.example"}
        issuer.documents[openid] = ("application/json", json.dumps(other))
        with pytest.raises(IssuerUnavailable):
            await Verifier(issuer.url, URL).verify_token(issuer.token(URL))
        by_hand = Verifier(issuer.url, URL, f"{issuer.origin}/keys")
        assert await by_hand.verify_token(issuer.token(URL))


# Scopes.


async def test_a_header_for_another_tool_grants_no_access(issuer: Issuer) -> None:
    """What the server calls decides, not what somebody before it has read."""
    weak = issuer.token(URL, scope=READ)
    async with asked(oauth_of(issuer)) as client:
        answer = await call(client, weak, "read_note", name="write_note")
    assert answer.status_code in (400, 403)


async def test_each_request_of_a_session_is_authorized_on_its_own(issuer: Issuer) -> None:
    weak, strong = issuer.token(URL, scope=READ), issuer.token(URL, scope=ALL)
    async with asked(oauth_of(issuer)) as client:
        for opener in (weak, strong):
            opened = await session(client, opener)
            refused = await call_in(client, opened, weak, calling("write_note"))
            assert refused.status_code == 403
            served = await call_in(client, opened, strong, calling("write_note"))
            assert served.status_code == 200
            assert WRITE in served.text
            other = await call_in(client, opened, issuer.token(URL, sub="ben", scope=ALL), b"{}")
            assert other.status_code == 404
            served = await call_in(client, opened, weak, calling("read_note"))
            assert served.status_code == 200
            assert WRITE not in served.text


@pytest.mark.parametrize("tool", ["read_note", "write_note"])
async def test_handlers_know_the_client(tool: str, issuer: Issuer) -> None:
    async with asked(oauth_of(issuer)) as client:
        answer = await call(client, issuer.token(URL, scope=ALL), tool)
        text = answer.json()["result"]["content"][0]["text"]
    assert text == f"Client(id='editor', subject='ann', scopes=({READ!r}, {WRITE!r}))"


async def test_handlers_know_what_the_token_claims_and_cannot_change_it(issuer: Issuer) -> None:
    def load(_: Any) -> Server[Any]:
        return server_of(read_claim, context=ClientContext)

    async with asked(oauth_of(issuer), load=load) as client:
        token = issuer.token(URL, scope=READ, groups=["desk"])
        answer = await call(client, token, "read_claim")
    assert answer.json()["result"]["content"][0]["text"] == "['desk']"


async def test_without_http_there_is_no_client_and_no_scope() -> None:
    async with Client(load(None)) as client:
        assert text_of(await client.call_tool("write_note", {})) == "None"


async def ask(arguments: Any, context: Any) -> str:
    return repr(await context.elicit("When?", Day))


async def test_a_user_cannot_answer_the_question_of_another(issuer: Issuer) -> None:
    """MCP 2026-07-28: `requestState` is bound to the user, and to the client."""
    oauth = OAuth(issuer.url, "PUBLIC_URL")
    answers = {"Day": {"action": "accept", "content": {"day": "Monday"}}}
    async with asked(oauth, load=lambda _: asking(ask)) as client:
        asks = (await call(client, issuer.token(URL), "ask")).json()["result"]
        given = {"requestState": asks["requestState"], "inputResponses": answers}
        for other in ({"sub": "ben"}, {"client_id": "another"}):
            answer = await call(client, issuer.token(URL, **other), "ask", **given)
            assert "error" in answer.json()
        answer = await call(client, issuer.token(URL, jti="a newer one"), "ask", **given)
        assert "Monday" in str(answer.json()["result"])


async def test_limits_count_per_user_and_not_per_client(issuer: Issuer) -> None:
    http = Http(load, guard=oauth_of(issuer).guard, limit=Shares().before)
    app = http.app(options(client_calls=9, client_calls_per_minute=2), oauth_of(issuer).verifier())
    async with reached(app) as client:
        answers = [
            (await call(client, issuer.token(URL, scope=READ, **about), "read_note")).status_code
            for about in ({}, {"client_id": "another"}, {"client_id": "third"}, {"sub": "ben"})
        ]
    assert answers == [200, 200, 429, 200]


# How it is started, and reached.


class Introspecting(TokenVerifier):
    """A verifier of somebody's own, for opaque tokens."""

    async def verify_token(self, token: str) -> AccessToken | None:
        scopes, _, expires = token.partition("/")
        if not scopes:
            return None
        at = int(time.time()) + int(expires or 60)
        return AccessToken(token=token, client_id="own", scopes=scopes.split("+"), expires_at=at)


async def test_a_custom_verifier_can_replace_the_issuer(issuer: Issuer) -> None:
    async with asked(oauth_of(issuer), Introspecting()) as client:
        assert (await call(client, f"{READ}+{WRITE}", "write_note")).status_code == 200
        assert (await call(client, READ, "write_note")).status_code == 403
        assert (await call(client, READ, "read_note")).status_code == 200
        assert (await call(client, f"{READ}/-1", "read_note")).status_code == 401
        assert (await call(client, issuer.token(URL, scope=ALL), "read_note")).status_code == 403
    assert issuer.fetches == 0


class Memory(TokenStorage):
    """The tokens of a client."""

    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


def logging_in(url: str) -> OAuthClientProvider:
    """Return what logs the official client in, with a browser that follows one redirect."""
    came: list[AuthorizationCodeResult] = []

    async def visit(address: str) -> None:
        async with httpx2.AsyncClient() as browser:
            location = (await browser.get(address)).headers["Location"]
        parameters = {key: value[0] for key, value in parse_qs(urlsplit(location).query).items()}
        came.append(AuthorizationCodeResult(**parameters))

    async def come_back() -> AuthorizationCodeResult:
        return came.pop()

    about = OAuthClientMetadata(redirect_uris=[AnyUrl("http://localhost/callback")])
    return OAuthClientProvider(url, about, Memory(), visit, come_back)


@pytest.mark.parametrize("mode", ERAS)
async def test_the_official_client_logs_in_and_later_asks_for_more(
    mode: str, issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    oauth = oauth_of(issuer)
    with uvicorn.Config(load, "127.0.0.1", 0).bind_socket() as listening:
        port = listening.getsockname()[1]
        url = f"http://127.0.0.1:{port}/mcp"
        monkeypatch.setenv("PUBLIC_URL", url)
        app = Http(load, guard=oauth.guard).app(options(), oauth.verifier())
        server = uvicorn.Server(uvicorn.Config(app, lifespan="off", log_config=None))
        async with app.lifespan_context(app), anyio.create_task_group() as tasks:
            tasks.start_soon(server.serve, [listening])
            async with (
                httpx2.AsyncClient(auth=logging_in(url), timeout=30) as http,
                Client(streamable_http_client(url, http_client=http), mode=mode) as client,
            ):
                assert READ in text_of(await client.call_tool("read_note", {}))
                assert issuer.logins == [READ]
                assert WRITE in text_of(await client.call_tool("write_note", {}))
                assert READ in text_of(await client.call_tool("read_note", {}))
            server.should_exit = True
    assert [set(scopes.split()) for scopes in issuer.logins] == [{READ}, {READ, WRITE}]
