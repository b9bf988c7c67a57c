"""One bearer token, which all clients share (RFC 6750)."""

import hmac
import logging
import os

from mcp.server.auth.provider import AccessToken

from .command import SettingsError
from .settings import EnvironmentSettings

logger = logging.getLogger(__name__)


class OneToken:
    """A `TokenVerifier` of the SDK that knows one token; any other can take its place."""

    def __init__(self, token: str) -> None:
        self.token = token.encode("ascii")

    @classmethod
    def from_environment(
        cls, variable: str, required_in: type[EnvironmentSettings] | None = None
    ) -> "OneToken | None":
        """Return None if the variable is empty. Raises SettingsError for a wrong one.

        With `required_in`, an empty one is wrong too, as others that are missing there.
        """
        if required_in:
            required_in.from_environment(token=variable)
        token = os.environ.get(variable, "").strip()  # Files end with a line break.
        if not (token.isascii() and token.isprintable()):  # No header could carry it.
            raise SettingsError(f"{variable} must be printable ASCII text on one line")
        if token:
            return cls(token)
        logger.warning("%s is not set: whoever reaches the server may call", variable)
        return None

    async def verify_token(self, token: str) -> AccessToken | None:
        # Headers come as Latin-1: whatever a client sends can be compared.
        if not hmac.compare_digest(token.encode("latin-1"), self.token):
            return None
        return AccessToken(token=token, client_id="client", scopes=[])
