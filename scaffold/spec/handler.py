"""The format of `handler`: what answers, so that the handler can be written."""

from typing import Annotated

from pydantic import ConfigDict, Field

from scaffold.spec.api import HttpHandler
from scaffold.spec.fields import Maybe, Pattern
from scaffold.spec.objects import Model

FunctionPath = Annotated[
    str,
    Pattern(
        "function",
        r"^\.?[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*"
        r":[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$",
        "write `module:function`, or `.module:function` for a module in the server's package",
    ),
]


class Proxy(Model):
    """The `upstream` server answers."""


class NamedProxy(Proxy):
    """The `upstream` server answers."""

    name: Maybe[str] = Field(None, description="Name on the `upstream` server. Default: the same.")


class Handler(Model):
    """What the handler does: one of the keys."""

    model_config = ConfigDict(
        json_schema_extra={
            "errorMessage": "remove it to write the handler yourself, or write "
            "`{python: 'module:function'}` or `{proxy: {}}`"
        }
    )

    proxy: Maybe[Proxy] = Field(None, description="Pass the request on to `upstream`.")
    python: Maybe[FunctionPath] = Field(
        None, description="Call an existing function: `module:function`."
    )


class PromptHandler(Handler):
    """What the handler of a prompt does: one of the keys."""

    proxy: Maybe[NamedProxy] = Field(None, description="Pass the request on to `upstream`.")


class ToolHandler(PromptHandler):
    """What the handler of a tool does: one of the keys."""

    model_config = ConfigDict(
        json_schema_extra={
            "errorMessage": "remove it to write the handler yourself, or write "
            "`{http: {…}}`, `{python: 'module:function'}` or `{proxy: {}}`"
        }
    )

    http: Maybe[HttpHandler] = Field(None, description="Call the HTTP API of `api`.")
