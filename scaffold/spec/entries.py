"""The format of tools, resources, resource templates and prompts.

`format.py` has the format of the whole spec.
"""

from functools import cache, cached_property
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field
from pydantic_core import core_schema

from scaffold.base.files import RelPath
from scaffold.schema.index import Index
from scaffold.spec.fields import (
    AnyObject,
    Core,
    Flag,
    Indexed,
    JsonObject,
    Many,
    Maybe,
    NotSent,
    Raw,
    Unsent,
    whole,
)
from scaffold.spec.handler import Handler, PromptHandler, ToolHandler
from scaffold.spec.objects import Item, Model
from scaffold.spec.settings import UniqueTexts
from scaffold.spec.texts import IconAddress, MediaType, Name, ToolName, Uri, UriTemplate

Priority = Annotated[float, Core(core_schema.float_schema(strict=True, ge=0, le=1))]
Seconds = Annotated[float, Core(core_schema.float_schema(strict=True, gt=0, le=86_400))]
TextOrBlock = Annotated[str | JsonObject, Raw((str, dict), {"type": ["string", "object"]})]
FilledIn = Annotated[
    str | JsonObject,
    Raw((str, dict), {"anyOf": [{"enum": ["decline", "cancel"]}, {"type": "object"}]}),
]
Expected = Annotated[
    Any,
    Raw(
        (str, dict, list, bool, int, float),
        {"type": ["string", "object", "array", "boolean", "number"]},
    ),
]
Failure = Annotated[
    str | JsonObject,
    Core(
        core_schema.union_schema(
            [
                core_schema.str_schema(strict=True),
                core_schema.dict_schema(
                    core_schema.str_schema(), core_schema.dict_schema(), min_length=1, max_length=1
                ),
            ]
        )
    ),
]
Schema = Annotated[Index, Indexed()]
ArgumentsSchema = Annotated[Index, Indexed(of_object=True)]

_HANDLER = "What the generated handler does, until you edit it. Not sent."


class Icon(Model):
    """An icon of the server or an entry (MCP 2025-11-25, basic/index#icons)."""

    src: IconAddress = Field(description="Address of the image.")
    mime_type: Maybe[MediaType] = Field(
        None, alias="mimeType", description="Media type, if the address does not show it."
    )
    sizes: Many[str] = Field((), description="Available sizes: `48x48`, or `any`.")
    theme: Maybe[Literal["light", "dark"]] = Field(
        None, description="Theme that the icon is made for."
    )


class Annotations(Model):
    """Hints about how to use a resource."""

    model_config = ConfigDict(extra="allow")

    audience: Many[Literal["user", "assistant"]] = Field((), description="Intended readers.")
    priority: Maybe[Priority] = Field(
        None, description="Importance, from 0 (optional) to 1 (required)."
    )
    last_modified: Maybe[str] = Field(
        None, alias="lastModified", description="Time of the last change (ISO 8601)."
    )


class ToolAnnotations(Model):
    """Hints about what a tool does."""

    model_config = ConfigDict(extra="allow")

    title: Maybe[str] = Field(None, description="Display name.")
    read_only_hint: Maybe[Flag] = Field(
        None, alias="readOnlyHint", description="The tool changes nothing. Default: false."
    )
    destructive_hint: Maybe[Flag] = Field(
        None,
        alias="destructiveHint",
        description="The tool may delete or overwrite data. Default: true.",
    )
    idempotent_hint: Maybe[Flag] = Field(
        None,
        alias="idempotentHint",
        description="Repeating a call has no further effect. Default: false.",
    )
    open_world_hint: Maybe[Flag] = Field(
        None,
        alias="openWorldHint",
        description="The tool uses external systems, such as the web. Default: true.",
    )


class Execution(Model):
    """How a tool runs (MCP 2025-11-25)."""

    task_support: Maybe[Literal["forbidden", "optional", "required"]] = Field(
        None, alias="taskSupport", description="Whether clients may call the tool as a task."
    )


class Answers(Model):
    """What the client answers to the questions of a tool, each kind in the order they are asked."""

    elicitation: Many[FilledIn] = Field((), description="Values of forms, `decline` or `cancel`.")
    sampling: Many[str] = Field((), description="Texts from the client's model.")


class Example(Model):
    """A part of the story that the client script, the tests and TOOLS.md tell."""

    name: Name = Field(description="Short name of the example.")
    after: Maybe[Name] = Field(
        None, description="Name of an example that must come first, if it is further down."
    )
    result: Maybe[Expected] = Field(
        None,
        description="What is expected: a part of the structured result, or a text of the content. "
        "`…` stands for anything, and `{$pattern: ^…$}` for a text that matches.",
    )
    is_error: Flag = Field(False, alias="isError", description="Whether it should fail.")


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
    answers: Maybe[Answers] = Field(
        None, description="The client's answers to the questions of the tool."
    )
    error: Maybe[Failure] = Field(
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


class Entry(Item):
    """A tool, a resource, a resource template or a prompt: what the server lists."""

    identifier: ClassVar[str] = "name"
    """The key that must be unique in a list."""

    name: Name = Field(description="Name for programs.")
    title: Maybe[str] = Field(None, description="Display name.")
    description: Maybe[str] = Field(None, description="What it is for.")
    icons: Many[Icon] = Field((), description="Icons that clients may show.")
    meta: Maybe[AnyObject] = Field(
        None,
        alias="_meta",
        description="Custom data for clients (MCP 2025-11-25, basic/index#_meta).",
    )
    handler: Unsent[Maybe[Handler]] = Field(None, description=_HANDLER)
    renamed_from: Unsent[Maybe[Name]] = Field(
        None,
        alias="renamedFrom",
        description="Previous name. `regenerate` moves the handler with your code. Not sent.",
    )

    examples: Unsent[Many[Example]] = Field((), description="What is told of it. Not sent.")

    @property
    def is_static(self) -> bool:
        """Whether the content is in the spec, so that there is no handler."""
        return False

    @cached_property
    def wire(self) -> JsonObject:
        """The object in the response to a list request, exactly as it was written."""
        left_out = unsent(type(self))
        return {key: value for key, value in self.written.items() if key not in left_out}


class Tool(Entry):
    """A function that models call."""

    name: ToolName = Field(description="Name for models.")
    description: Maybe[str] = Field(
        None, description="What it does and when to use it, for models."
    )
    arguments: ArgumentsSchema = Field(
        alias="inputSchema", description="JSON Schema of the arguments."
    )
    result: Maybe[Schema] = Field(
        None, alias="outputSchema", description="JSON Schema of the structured result."
    )
    annotations: Maybe[ToolAnnotations] = Field(None, description="Hints about what the tool does.")
    execution: Maybe[Execution] = Field(None, description="How the tool runs (MCP 2025-11-25).")
    errors: Unsent[UniqueTexts] = Field(
        (), description="Names of the `errors` that the handler may raise. Not sent."
    )
    timeout: Unsent[Maybe[Seconds]] = Field(
        None, description="Seconds after which a call ends with an error. Not sent."
    )
    examples: Unsent[Many[CallExample]] = Field((), description="Example calls. Not sent.")
    handler: Unsent[Maybe[ToolHandler]] = Field(None, description=_HANDLER)
    renamed_from: Unsent[Maybe[ToolName]] = Field(
        None,
        alias="renamedFrom",
        description="Previous name. `regenerate` moves the handler with your code. Not sent.",
    )


class Resource(Entry):
    """A document with a URI: static if `text` or `file` is given, else there is a handler."""

    identifier: ClassVar[str] = "uri"

    uri: Uri = Field(description="URI of the resource.")
    description: Maybe[str] = Field(None, description="What the resource contains.")
    mime_type: Maybe[MediaType] = Field(
        None, alias="mimeType", description="Media type of the content."
    )
    size: Maybe[Annotated[int, whole(0)]] = Field(None, description="Size in bytes, if known.")
    annotations: Maybe[Annotations] = Field(None, description="Hints for clients.")
    text: Unsent[Maybe[str]] = Field(
        None,
        description="The content. Without `text` or `file`, there is a handler. Not sent in lists.",
    )
    file: Unsent[Maybe[str]] = Field(
        None, description="File with the content, relative to the spec. Not sent."
    )

    @property
    def path(self) -> RelPath | None:
        """The path of `file`, relative to the folder of the spec."""
        return None if self.file is None else RelPath(self.file)

    @property
    def is_static(self) -> bool:
        """Whether the content is in the spec or in a file."""
        return self.text is not None or self.file is not None


class ResourceTemplate(Entry):
    """Documents whose URIs match a URI template (RFC 6570)."""

    identifier: ClassVar[str] = "uriTemplate"

    uri_template: UriTemplate = Field(
        alias="uriTemplate", description="URI, with variables in braces."
    )
    description: Maybe[str] = Field(None, description="What the resources contain.")
    mime_type: Maybe[MediaType] = Field(
        None, alias="mimeType", description="Media type, if all have the same."
    )
    annotations: Maybe[Annotations] = Field(None, description="Hints for clients.")
    unsafe: Unsent[Flag] = Field(
        False,
        description="Also pass unsafe variables to the handler: absolute paths, and those with `..` "
        "or NUL. Not sent.",
    )
    examples: Unsent[Many[FilledExample]] = Field(
        (), description="Examples of reading one. Not sent."
    )


class PromptArgument(Model):
    """An argument of a prompt."""

    name: Name = Field(description="Name for programs.")
    title: Maybe[str] = Field(None, description="Display name.")
    description: Maybe[str] = Field(None, description="What to fill in.")
    required: Flag = Field(False, description="Whether the argument is required.")


class PromptMessage(Model):
    """A message of a static prompt."""

    role: Literal["user", "assistant"] = Field(description="Author of the message.")
    content: TextOrBlock = Field(
        description="Text or an MCP content block. `{argument}` in a text inserts an argument."
    )

    @property
    def block(self) -> JsonObject:
        """The content block to send, before `{argument}` placeholders are filled in."""
        text = self.content
        return {"type": "text", "text": text} if isinstance(text, str) else text


class Prompt(Entry):
    """A message template that people choose: static if `messages` is given."""

    description: Maybe[str] = Field(None, description="What the prompt is for.")
    arguments: Many[PromptArgument] = Field((), description="Arguments that people fill in.")
    handler: Unsent[Maybe[PromptHandler]] = Field(None, description=_HANDLER)
    messages: Unsent[Maybe[Many[PromptMessage]]] = Field(
        None, description="The messages. Without them, there is a handler. Not sent in lists."
    )
    examples: Unsent[Many[FilledExample]] = Field(
        (), description="Examples of filling it in. Not sent."
    )

    @property
    def is_static(self) -> bool:
        """Whether the messages are in the spec."""
        return self.messages is not None


@cache
def unsent(model: type[Entry]) -> frozenset[str]:
    """Return the keys of a model that are not sent to clients."""
    fields = model.model_fields.items()
    return frozenset(
        field.alias or name
        for name, field in fields
        if any(isinstance(mark, NotSent) for mark in field.metadata)
    )
