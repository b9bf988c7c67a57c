"""Cross-origin requests (CORS): whose pages may call the server."""

import argparse
import re
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass

from mcp.server.transport_security import TransportSecuritySettings
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware

from .http import Http, names_in

# As browsers send it (WHATWG HTML, serialization of an origin).
ORIGIN = re.compile(
    r"(?!http://[^/]*:80$|https://[^/]*:443$)[a-z][a-z0-9+.-]*"
    r"://([a-z0-9_.-]+|\[[0-9a-f:.]+\])(:[1-9][0-9]{0,4})?"
)
ANY_ORIGIN = re.compile(rf"\*|{ORIGIN.pattern}")
# What pages may read of an answer, besides what all may.
EXPOSED = ("Mcp-Session-Id", "WWW-Authenticate", "Retry-After")
# Seconds that browsers remember what they may send: the longest that Chromium does.
MAX_AGE = 7200


@dataclass(eq=False)
class CrossOriginHttp(Http):
    """The transport, also for pages of the sites in `--allowed-origins`.

    `origins` are the default of that option; `any_site` is whether it can be `*`.
    """

    _: KW_ONLY
    origins: Sequence[str] = ()
    any_site: bool = True

    def add_options(self, add: Callable[..., None]) -> None:
        super().add_options(add)
        add(
            "--allowed-origins",
            default=",".join(self.origins),
            help="sites whose pages may call: https://a.example,https://b.example",
        )

    def security(self, options: argparse.Namespace) -> TransportSecuritySettings:
        security = super().security(options)
        origins = self.origins_in(options.allowed_origins)
        # To the SDK, `:*` is any rest.
        every = ["http:*", "https:*"] if "*" in origins else origins
        security.allowed_origins.extend(every)
        return security

    def middleware(self, options: argparse.Namespace) -> list[Middleware]:
        cross_origin = Middleware(
            CORSMiddleware,
            allow_origins=self.origins_in(options.allowed_origins),
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["*"],  # Tools can have a header for each argument.
            expose_headers=EXPOSED,
            max_age=MAX_AGE,
        )
        return [cross_origin]

    def origins_in(self, text: str) -> list[str]:
        """Return the origins in an option. Raises SettingsError for what no page can have."""
        form = ANY_ORIGIN if self.any_site else ORIGIN
        hint = (
            "each as browsers send it, such as https://app.example.org"
            " or http://localhost:5173"
        )
        return names_in("--allowed-origins", text, form, hint)
