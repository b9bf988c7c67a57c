"""The format of tools, resources, resource templates and prompts.

`format.py` has the format of the whole spec.
"""

from functools import cache, cached_property
from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field
from pydantic_core import core_schema

from scaffold.files import RelPath
from scaffold.jsonschema.index import Index
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
from scaffold.spec.objects import Item, Model
from scaffold.spec.settings import UniqueTexts
from scaffold.spec.texts import IconAddress, MediaType, Name, ToolName, Uri, UriTemplate

Priority = Annotated[float, Core(core_schema.float_schema(strict=True, ge=0, le=1))]
Seconds = Annotated[float, Core(core_schema.float_schema(strict=True, gt=0, le=86_400))]
TextOrBlock = Annotated[str | JsonObject, Raw((str, dict), {"type": ["string", "object"]})]
Schema = Annotated[Index, Indexed()]
ArgumentsSchema = Annotated[Index, Indexed(of_object=True)]


class Icon(Model):
    """An image that stands for the server or an entry (MCP 2025-11-25, basic/index#icons)."""

    src: IconAddress = Field(description="Where the image is.")
    mime_type: Maybe[MediaType] = Field(
        None, alias="mimeType", description="Its media type, where the address does not say it."
    )
    sizes: Many[str] = Field((), description="Sizes it can be shown in: `48x48`, or `any`.")
    theme: Maybe[Literal["light", "dark"]] = Field(None, description="The theme it is made for.")


class Annotations(Model):
    """Whom a resource is for."""

    model_config = ConfigDict(extra="allow")

    audience: Many[Literal["user", "assistant"]] = Field((), description="Who is to see it.")
    priority: Maybe[Priority] = Field(None, description="From 0, can be left out, to 1, is needed.")
    last_modified: Maybe[str] = Field(
        None, alias="lastModified", description="When it was last changed (ISO 8601)."
    )


class ToolAnnotations(Model):
    """Hints about what a tool does."""

    model_config = ConfigDict(extra="allow")

    title: Maybe[str] = Field(None, description="Its name for people.")
    read_only_hint: Maybe[Flag] = Field(
        None, alias="readOnlyHint", description="It changes nothing. Absent: false."
    )
    destructive_hint: Maybe[Flag] = Field(
        None,
        alias="destructiveHint",
        description="It may destroy something, not only add. Absent: true.",
    )
    idempotent_hint: Maybe[Flag] = Field(
        None,
        alias="idempotentHint",
        description="A second call with the same arguments does nothing more. Absent: false.",
    )
    open_world_hint: Maybe[Flag] = Field(
        None,
        alias="openWorldHint",
        description="It meets the world outside, such as the web. Absent: true.",
    )


class Execution(Model):
    """How a tool is run (MCP 2025-11-25)."""

    task_support: Maybe[Literal["forbidden", "optional", "required"]] = Field(
        None, alias="taskSupport", description="Whether a call may be made as a task."
    )


class Example(Model):
    """A call of a tool that the client script makes and the docs show."""

    name: Name = Field(description="What it shows, in a few words.")
    arguments: AnyObject = Field(default={}, description="The arguments of the call.")
    is_error: Flag = Field(False, alias="isError", description="Whether the call is to fail.")


class Entry(Item):
    """A tool, a resource, a resource template or a prompt: what the server lists."""

    identifier: ClassVar[str] = "name"
    """The key that must be unique in a list."""

    name: Name = Field(description="Its name for programs.")
    title: Maybe[str] = Field(None, description="Its name for people.")
    description: Maybe[str] = Field(None, description="What it is for.")
    icons: Many[Icon] = Field((), description="Images that clients may show beside it.")
    meta: Maybe[AnyObject] = Field(
        None,
        alias="_meta",
        description="Anything else, for clients that know it (MCP 2025-11-25, basic/index#_meta).",
    )
    renamed_from: Unsent[Maybe[Name]] = Field(
        None,
        alias="renamedFrom",
        description="Its name before: its handler is moved with its text. Not sent.",
    )

    @cached_property
    def wire(self) -> JsonObject:
        """The object in the response to a list request, exactly as it was written."""
        left_out = unsent(type(self))
        return {key: value for key, value in self.written.items() if key not in left_out}


class Tool(Entry):
    """A function that models call."""

    name: ToolName = Field(description="Its name for models.")
    description: Maybe[str] = Field(
        None, description="What it does and when to use it, for models."
    )
    arguments: ArgumentsSchema = Field(
        alias="inputSchema", description="JSON Schema of the arguments."
    )
    result: Maybe[Schema] = Field(
        None, alias="outputSchema", description="JSON Schema of the structured result."
    )
    annotations: Maybe[ToolAnnotations] = Field(None, description="Hints about what it does.")
    execution: Maybe[Execution] = Field(None, description="How it is run (MCP 2025-11-25).")
    errors: Unsent[UniqueTexts] = Field(
        (), description="Names of the `errors` that its handler may raise. Not sent."
    )
    timeout: Unsent[Maybe[Seconds]] = Field(
        None, description="Seconds after which a call ends with an error. Not sent."
    )
    examples: Unsent[Many[Example]] = Field(
        (), description="Calls that show what it does. Not sent."
    )
    renamed_from: Unsent[Maybe[ToolName]] = Field(
        None,
        alias="renamedFrom",
        description="Its name before: its handler is moved with its text. Not sent.",
    )


class Resource(Entry):
    """A document with a URI: static if `text` or `file` is given, else there is a handler."""

    identifier: ClassVar[str] = "uri"

    uri: Uri = Field(description="Its address.")
    description: Maybe[str] = Field(None, description="What it holds.")
    mime_type: Maybe[MediaType] = Field(
        None, alias="mimeType", description="Media type of the content."
    )
    size: Maybe[Annotated[int, whole(0)]] = Field(
        None, description="Bytes of the content, where known."
    )
    annotations: Maybe[Annotations] = Field(None, description="Whom it is for.")
    text: Unsent[Maybe[str]] = Field(
        None,
        description="The content itself; without it or `file` there is a handler. "
        "Not sent in lists.",
    )
    file: Unsent[Maybe[str]] = Field(
        None, description="The file that holds the content, relative to the spec. Not sent."
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
    """A family of documents whose addresses follow a URI template (RFC 6570)."""

    identifier: ClassVar[str] = "uriTemplate"

    uri_template: UriTemplate = Field(
        alias="uriTemplate", description="Their address, with variables in braces."
    )
    description: Maybe[str] = Field(None, description="What they hold.")
    mime_type: Maybe[MediaType] = Field(
        None, alias="mimeType", description="Media type of every one of them, if it is the same."
    )
    annotations: Maybe[Annotations] = Field(None, description="Whom they are for.")
    unsafe: Unsent[Flag] = Field(
        False,
        description="Whether the handler also gets variables that lead out of a folder: with `..` "
        "as a part, absolute, or with NUL. Not sent.",
    )


class PromptArgument(Model):
    """A text that a prompt is filled with."""

    name: Name = Field(description="Its name for programs.")
    title: Maybe[str] = Field(None, description="Its name for people.")
    description: Maybe[str] = Field(None, description="What to give.")
    required: Flag = Field(False, description="Whether it must be given.")


class PromptMessage(Model):
    """A message of a static prompt."""

    role: Literal["user", "assistant"] = Field(description="Who speaks.")
    content: TextOrBlock = Field(
        description="Text, or a content block as MCP has it; `{argument}` in text stands for an "
        "argument's value."
    )

    @property
    def block(self) -> JsonObject:
        """The content block to send, before `{argument}` placeholders are filled in."""
        text = self.content
        return {"type": "text", "text": text} if isinstance(text, str) else text


class Prompt(Entry):
    """A message template that people choose: static if `messages` is given."""

    description: Maybe[str] = Field(None, description="What it asks for.")
    arguments: Many[PromptArgument] = Field((), description="Texts that it is filled with.")
    messages: Unsent[Maybe[Many[PromptMessage]]] = Field(
        None, description="The messages; without them there is a handler. Not sent in lists."
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
