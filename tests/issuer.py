"""An issuer of access tokens on loopback, with keys that rotate and a login that always says yes."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any, Self
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

from tests.web import Call, serving

PRIVATE: Mapping[str, Any] = {
    "RS256": rsa.generate_private_key(65537, 2048),
    "PS256": rsa.generate_private_key(65537, 2048),
    "ES256": ec.generate_private_key(ec.SECP256R1()),
    "ES384": ec.generate_private_key(ec.SECP384R1()),
    "EdDSA": ed25519.Ed25519PrivateKey.generate(),
}
DISCOVERY = "/.well-known/oauth-authorization-server"


class Issuer:
    """A running issuer: a change of an attribute changes what it does.

    `keys` are the algorithms of its keys by name, `documents` what it has at a path, besides the
    usual. While it `hangs`, it answers nobody. `fetches` counts the times its keys were read, and
    `logins` has the scopes of each.
    """

    def __init__(self, path: str = "") -> None:
        self.keys = {"one": "RS256"}
        self.path = path
        self.documents: dict[str, tuple[str, str]] = {}
        self.hangs = threading.Event()
        self.fetches = 0
        self.logins: list[str] = []
        self._codes: dict[str, dict[str, str]] = {}
        self._let_go = threading.Event()
        self._serving = ExitStack()

    def __enter__(self) -> Self:
        self.origin = self._serving.enter_context(serving(self._answer))
        self.url = self.origin + self.path
        return self

    def __exit__(self, *_: object) -> None:
        self._let_go.set()
        self._serving.close()

    def token(self, audience: Any, key: str = "one", typ: str = "JWT", **claims: Any) -> str:
        """Return a token of a key and a type; a claim that is None is left out."""
        now = int(time.time())
        usual = {"iss": self.url, "aud": audience, "iat": now, "exp": now + 600, "sub": "ann"}
        whole = {**usual, "client_id": "editor", **claims}
        algorithm = self.keys[key]
        return jwt.encode(
            {name: value for name, value in whole.items() if value is not None},
            PRIVATE[algorithm],
            algorithm,
            {"kid": key, "typ": typ},
        )

    def _answer(self, call: Call) -> None:
        if self.hangs.is_set():
            self._let_go.wait(30)
            call.close_connection = True
            return
        parts, body = urlsplit(call.path), call.read().decode()
        answer = self._found(
            parts.path, {k: v[0] for k, v in parse_qs(parts.query or body).items()}
        )
        if isinstance(answer, str):
            call.reply(302, Location=answer)
        else:
            status, kind, text = answer
            call.reply(status, text.encode(), kind)

    def _found(self, path: str, given: Mapping[str, str]) -> str | tuple[int, str, str]:
        """Return the status, the type and the text of an answer, or where it redirects to."""
        if path in self.documents:
            return 200, *self.documents[path]
        if path == "/authorize":
            self.logins.append(given.get("scope", ""))
            code = f"code-{len(self.logins)}"
            self._codes[code] = dict(given)
            answer = {"code": code, "state": given["state"], "iss": self.url}
            return f"{given['redirect_uri']}?{urlencode(answer)}"
        document: dict[str, Any] | None = None
        if path == DISCOVERY + self.path:
            document = self.metadata
        elif path == "/keys":
            self.fetches += 1
            document = {"keys": [self._public(name) for name in self.keys]}
        elif path == "/register":
            document = {"client_id": "editor", "redirect_uris": ["http://localhost/callback"]}
        elif path == "/token":
            document = self._exchanged(given)
        if document is None:
            return 404, "text/plain", "no such document"
        return 201 if path == "/register" else 200, "application/json", json.dumps(document)

    @property
    def metadata(self) -> dict[str, Any]:
        """What its discovery documents say (RFC 8414)."""
        return {
            "issuer": self.url,
            "jwks_uri": f"{self.origin}/keys",
            "authorization_endpoint": f"{self.origin}/authorize",
            "token_endpoint": f"{self.origin}/token",
            "registration_endpoint": f"{self.origin}/register",
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"],
        }

    def _public(self, name: str) -> dict[str, Any]:
        algorithm = self.keys[name]
        public = PRIVATE[algorithm].public_key()
        key: dict[str, Any] = json.loads(jwt.get_algorithm_by_name(algorithm).to_jwk(public))
        return (
            key | {"kid": name, "use": "sig"} | ({"alg": algorithm} if algorithm == "PS256" else {})
        )

    def _exchanged(self, given: Mapping[str, str]) -> dict[str, Any] | None:
        """Return the token for a code, if the verifier is that of its login (RFC 7636)."""
        login = self._codes.pop(given["code"])
        digest = hashlib.sha256(given["code_verifier"].encode()).digest()
        if base64.urlsafe_b64encode(digest).decode().rstrip("=") != login["code_challenge"]:
            return None
        scope = login.get("scope", "")
        token = self.token(login["resource"], scope=scope)
        return {"access_token": token, "token_type": "Bearer", "expires_in": 600, "scope": scope}
