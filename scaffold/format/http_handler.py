"""The format of handlers that call an HTTP API: where it is, and the request of each tool."""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from scaffold.format.fields import Limits, Model, Texts
from scaffold.format.texts import (
    FromVariable,
    HttpMethod,
    HttpPath,
    MediaType,
    Name,
    VariableName,
)

FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"


Style: TypeAlias = Literal["form", "deepObject", "json", "simple"]

STYLES: Mapping[str, tuple[str, ...]] = {
    "query": ("form", "deepObject", "json"),
    "cookie": ("form", "json"),
    "header": ("simple", "json"),
    "path": ("simple", "json"),
}
"""The styles in each place."""


HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""The name of a header or a cookie (RFC 9110, 5.6.2)."""


class Credential(Model):
    """A credential that requests carry if its variable is set."""

    type: Literal["bearer", "basic", "header", "query", "cookie", "forward", "oauth2"] = Field(
        description="How it is sent: a bearer token, `user:password` for basic authentication, or "
        "unchanged in a header, a query parameter or a cookie. `forward` passes on a header of the "
        "caller's request; `oauth2` gets tokens with OAuth's client credentials."
    )
    name: Name | None = Field(
        None, description="Name of the header, the query parameter or the cookie."
    )
    env: VariableName | None = Field(
        None, description="Variable in `env` that holds the credential."
    )
    header: Name | None = Field(None, description="Header of the caller that is passed on.")
    token_url: FromVariable | None = Field(
        None, alias="tokenUrl", description="Address that gives tokens (RFC 6749, 3.2)."
    )
    client_id: FromVariable | None = Field(
        None, alias="clientId", description="Identifier of this server there."
    )
    client_secret: FromVariable | None = Field(
        None, alias="clientSecret", description="Secret of this server there."
    )
    scope: str | None = Field(None, description="Scopes of the tokens, with spaces between them.")

    @property
    def label(self) -> str:
        """What the `credentials` of a handler call it: its variable, or the caller's header."""
        return self.env or self.header or (self.client_secret.env if self.client_secret else "")

    @property
    def place(self) -> tuple[str, str]:
        """Where it is sent, and under which name, in lower case."""
        if self.type in ("header", "query", "cookie"):
            return self.type, (self.name or "").lower()
        return "header", (self.header or "authorization").lower()

    @property
    def variables(self) -> Iterator[tuple[str, str]]:
        """The variables that it needs, each with its path in the credential."""
        if self.env is not None:
            yield "env", self.env
        grant = {
            "tokenUrl": self.token_url,
            "clientId": self.client_id,
            "clientSecret": self.client_secret,
        }
        yield from ((f"{key}/env", given.env) for key, given in grant.items() if given)


class Api(Model):
    """The HTTP API that the tools with an `http` handler call."""

    url: FromVariable = Field(description="Address of the API.")
    credentials: tuple[Credential, ...] = Field((), description="Credentials for the requests.")

    @property
    def credential_types(self) -> frozenset[str]:
        """The types of the credentials."""
        return frozenset(credential.type for credential in self.credentials)


class HttpParameter(Model):
    """An argument that is sent outside the body (OpenAPI 3.1, Parameter Object)."""

    name: Name = Field(description="Name of the query parameter, the header or the cookie.")
    place: Literal["query", "header", "cookie", "path"] = Field(
        alias="in",
        description="Where it is sent. Arguments in the `path` need no parameter, except for lists "
        "and objects that need a style.",
    )
    argument: str | None = Field(None, description="Name of the argument. Default: `name`.")
    style: Style | None = Field(
        None,
        description="How a list or an object is serialized; `json` is JSON text. Default: `form` in "
        "queries and cookies, `simple` in headers and paths.",
    )
    explode: bool | None = Field(
        None,
        description="Whether each item is a separate parameter. Default: true for `form`.",
    )

    @property
    def source(self) -> str:
        """The name of the argument."""
        return self.name if self.argument is None else self.argument

    @property
    def exploded(self) -> bool:
        """Whether each item has a parameter of its own."""
        if self.explode is not None:
            return self.explode
        return self.place in ("query", "cookie") and self.style in (None, "form")


class HttpBody(Model):
    """The body of a request: a single argument, or all that are sent nowhere else."""

    media_type: MediaType = Field(
        "application/json", alias="mediaType", description="Media type of the body."
    )
    argument: str | None = Field(
        None,
        description="Argument that is the whole body. Default: the body is an object of all "
        "arguments that are neither in the path nor in `parameters`.",
    )
    rename: Texts = Field(
        {}, description="Names of properties in the body, by argument, if they are different."
    )
    files: tuple[str, ...] = Field(
        (),
        description="Arguments, or properties of `argument`, that hold files in base64; they are "
        "sent as bytes.",
    )
    filenames: Texts = Field(
        {},
        description="Arguments, or properties of `argument`, that hold the names of `files`, by file. "
        "The media type of a file follows from its name, unless `types` has one.",
    )
    deep: tuple[str, ...] = Field(
        (),
        description="Arguments, or properties of `argument`, that a form sends as "
        "`name[key]=value` (style `deepObject`).",
    )
    joined: tuple[str, ...] = Field(
        (),
        description="Arguments, or properties of `argument`, that a form sends as one field, with "
        "commas between the items (`explode: false`).",
    )
    types: Texts = Field(
        {},
        description="Media types of arguments, or properties of `argument`, in a form: of files, and "
        "`application/json` for values sent as JSON text. Of several with commas between them, it is "
        "the one that the name of the file has, or else the first.",
    )
    required: bool = Field(False, description="Whether an empty body is sent too.")


class HttpResponse(Model):
    """The body of a successful response."""

    media_type: MediaType = Field(
        "application/json", alias="mediaType", description="Media type of the body."
    )
    key: str | None = Field(
        None,
        alias="property",
        description="Property of the structured result that holds the body. Default: it is the "
        "result.",
    )
    strict: bool = Field(
        False,
        description="Whether models get nothing of a body that does not fit the `outputSchema`. "
        "Default: they get it as text.",
    )
    select: Annotated[tuple[str, ...], Limits({"minItems": 1})] = Field(
        (),
        description="What of the body is the result, as JMESPath: `id`, `items[].name` or "
        "`{total: length(items)}`. Of a list, it is selected from each item. Default: all.",
    )
    limit: Annotated[int, Limits({"minimum": 1})] | None = Field(
        None,
        description="How many items each list in the result may have. The text of the result says "
        "what is cut off.",
    )
    redirect: bool = Field(
        False, description="Whether a redirect is a success: its address is the result."
    )

    @property
    def excerpt(self) -> frozenset[str]:
        """How the result is made a part of the body: by `select`, by `limit`."""
        return frozenset(key for key in ("select", "limit") if getattr(self, key))


class HttpHandler(Model):
    """The request that a handler makes, and the handling of the response."""

    method: HttpMethod = Field(description="Method of the request.")
    path: HttpPath = Field(
        description="Path below the URL of the API. `{argument}` inserts an argument."
    )
    url: FromVariable | None = Field(
        None,
        description="Address to use instead of that of `api`. Credentials are sent there only if "
        "it is on the same server.",
    )
    credentials: tuple[Name, ...] | None = Field(
        None,
        description="The `credentials` to send: their variables, that of the secret for `oauth2`, or "
        "the header of the caller. Default: all.",
    )
    parameters: tuple[HttpParameter, ...] = Field(
        (), description="Arguments that are sent in the query, in headers or in cookies."
    )
    body: HttpBody | None = Field(None, description="The body of the request.")
    response: HttpResponse | None = Field(None, description="How to read the body of the response.")
    errors: Texts = Field(
        {},
        description="Names of the tool's `errors`, by status: `404`, `4XX` or `default`. In their "
        "messages, `{body}` is the beginning of the API's response.",
    )


def kind_of(media_type: str) -> str:
    """Return a media type without its parameters, in lower case."""
    return media_type.partition(";")[0].strip().lower()


def is_text(media_type: str) -> bool:
    """Return whether bodies of a media type are text: JSON, NDJSON, XML, YAML and the like."""
    kind = kind_of(media_type)
    return kind.startswith("text/") or kind.endswith(("json", "jsonl", "xml", "yaml", "csv"))


def is_json(media_type: str) -> bool:
    """Return whether bodies of a media type are JSON."""
    kind = kind_of(media_type)
    return kind in ("application/json", "text/json") or kind.endswith("+json")
