"""The format of examples of tools, resource templates and prompts."""

from typing import Annotated, Any

from pydantic import Field

from scaffold.format.fields import AnyObject, JsonObject, Model, Raw
from scaffold.format.texts import Name

FilledIn = Annotated[
    str | JsonObject, Raw({"anyOf": [{"enum": ["decline", "cancel"]}, {"type": "object"}]})
]
Expected = Annotated[
    Any,
    Raw({"anyOf": [{"type": t} for t in ("string", "object", "array", "boolean", "number")]}),
]
Failure = Annotated[
    str | JsonObject,
    Raw(
        {
            "anyOf": [
                {"type": "string"},
                {
                    "type": "object",
                    "additionalProperties": {"type": "object", "additionalProperties": True},
                    "minProperties": 1,
                    "maxProperties": 1,
                },
            ]
        }
    ),
]


class Answers(Model):
    """What the client answers to the questions of a tool, each kind in the order they are asked."""

    elicitation: tuple[FilledIn, ...] = Field(
        (), description="Values of forms, `decline` or `cancel`."
    )
    sampling: tuple[str, ...] = Field((), description="Texts from the client's model.")


class Example(Model):
    """One step of the sequence that the client script and the tests run and TOOLS.md shows."""

    name: Name = Field(description="Short name of the example.")
    after: Name | None = Field(
        None, description="Name of an example to run before this one, even if it is defined later."
    )
    result: Expected | None = Field(
        None,
        description="What is expected: a part of the structured result, or a text of the content. "
        "`…` stands for anything, and `{$pattern: ^…$}` for a text that matches.",
    )
    is_error: bool = Field(False, alias="isError", description="Whether the call should fail.")


class FilledExample(Example):
    """An example of a resource template or a prompt."""

    arguments: AnyObject = Field(
        default={}, description="Values to fill in. `${add.id}` inserts a part of a result."
    )


class CallExample(Example):
    """An example call of a tool."""

    arguments: AnyObject = Field(
        default={},
        description="Arguments of the call. `${search.hits.0.source}` inserts a part of the "
        "structured result of another example, or of a tool's first example.",
    )
    answers: Answers | None = Field(
        None, description="The client's answers to the questions of the tool."
    )
    error: Failure | None = Field(
        None, description="The domain error that is expected: its name, or its name and fields."
    )

    @property
    def domain_error(self) -> tuple[str, JsonObject] | None:
        """The name of the expected domain error, and the fields that are known."""
        if isinstance(self.error, str):
            return self.error, {}
        return next(iter(self.error.items())) if self.error else None

    @property
    def fails(self) -> bool:
        """Whether the call should fail, in any way."""
        return self.is_error or self.error is not None
