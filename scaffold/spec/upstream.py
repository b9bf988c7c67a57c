"""The format of `upstream`: the MCP server to which handlers pass calls on."""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from pydantic import Field
from pydantic_core import core_schema

from scaffold.spec.fields import Core, Many, Maybe
from scaffold.spec.objects import Model

Texts = Annotated[
    Mapping[str, str],
    Core(core_schema.dict_schema(core_schema.str_schema(), core_schema.str_schema())),
]


class Upstream(Model):
    """The MCP server behind the entries with a `proxy` handler.

    In each text, `${VARIABLE}` stands for a variable in `env`.
    """

    command: Maybe[str] = Field(None, description="Command that starts the server, over stdio.")
    args: Many[str] = Field((), description="Arguments of the command.")
    env: Texts = Field(
        {},
        description="Environment variables of the command, in addition to basic ones such as `PATH` and `HOME`.",
    )
    url: Maybe[str] = Field(None, description="Address of the server, over HTTP.")
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
