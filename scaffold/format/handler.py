"""The format of `handler` and of `upstream`: handlers that need not be written by hand."""

import re
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from scaffold.format.fields import Model, Pattern, Texts
from scaffold.format.http_handler import HttpHandler

FunctionPath = Annotated[
    str,
    Pattern(
        "function",
        r"^\.?[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*"
        r":[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$",
        "write `module:function`, or `.module:function` for a module in the server's package",
    ),
]


def _or_write(handlers: str) -> ConfigDict:
    """Return the configuration of handlers, with a hint for a value that is none."""
    hint = f"remove it to write the handler yourself, or write {handlers}"
    return ConfigDict(json_schema_extra={"errorMessage": hint})


class Proxy(Model):
    """The `upstream` server answers."""


class NamedProxy(Proxy):
    """The `upstream` server answers."""

    name: str | None = Field(None, description="Name on the `upstream` server. Default: the same.")


class Handler(Model):
    """What the handler does: one of the keys."""

    model_config = _or_write("`{python: 'module:function'}` or `{proxy: {}}`")

    proxy: Proxy | None = Field(None, description="Pass the request on to `upstream`.")
    python: FunctionPath | None = Field(
        None, description="Call an existing function: `module:function`."
    )


class PromptHandler(Handler):
    """What the handler of a prompt does: one of the keys."""

    proxy: NamedProxy | None = Field(None, description="Pass the request on to `upstream`.")


class ToolHandler(PromptHandler):
    """What the handler of a tool does: one of the keys."""

    model_config = _or_write("`{http: {…}}`, `{python: 'module:function'}` or `{proxy: {}}`")

    http: HttpHandler | None = Field(None, description="Call the HTTP API of `api`.")


class Upstream(Model):
    """The MCP server behind the entries with a `proxy` handler.

    In each text, `${VARIABLE}` stands for a variable in `env`.
    """

    command: str | None = Field(None, description="Command that starts the server, over stdio.")
    args: tuple[str, ...] = Field((), description="Arguments of the command.")
    env: Texts = Field(
        {},
        description="Environment variables of the command, in addition to basic ones such as `PATH` and `HOME`.",
    )
    url: str | None = Field(None, description="Address of the server, over HTTP.")
    transport: Literal["streamable-http", "sse"] = Field(
        "streamable-http", description="Transport of the server at `url`."
    )
    headers: Texts = Field({}, description="Headers of requests to `url`.")

    @property
    def texts(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """The texts that may name variables, each with its path."""
        for key in ("command", "url"):
            if (text := getattr(self, key)) is not None:
                yield (key,), text
        for number, text in enumerate(self.args):
            yield ("args", str(number)), text
        for key in ("env", "headers"):
            for name, text in getattr(self, key).items():
                yield (key, name), text


def variables(text: str) -> list[str]:
    """Return the names of the variables in a text: `${NAME}`."""
    return re.findall(r"\$\{(\w+)\}", text)
