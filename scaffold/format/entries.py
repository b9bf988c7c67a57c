"""The format of tools, resources, resource templates and prompts.

`spec.py` has the format of the whole spec.
"""

from collections.abc import Iterator
from functools import cache, cached_property
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from scaffold.base.files import RelPath
from scaffold.format.examples import CallExample, Example, FilledExample
from scaffold.format.fields import (
    UNIQUE,
    AnyObject,
    Indexed,
    Item,
    JsonObject,
    Limits,
    Model,
    NotSent,
    Raw,
    Unsent,
)
from scaffold.format.handler import Handler, PromptHandler, ToolHandler
from scaffold.format.parts import (
    Annotations,
    Execution,
    Icon,
    Page,
    Task,
    TaskSupport,
    ToolAnnotations,
)
from scaffold.format.texts import (
    EXPRESSION,
    MediaType,
    Name,
    Scope,
    ToolName,
    Uri,
    UriTemplate,
)
from scaffold.schema.index import Index

Seconds = Annotated[float, Limits({"maximum": 86_400, "exclusiveMinimum": 0})]
TextOrBlock = Annotated[str | JsonObject, Raw({"anyOf": [{"type": "string"}, {"type": "object"}]})]
Schema = Annotated[Index, Indexed()]
ArgumentsSchema = Annotated[Index, Indexed(of_object=True)]

_RENAMED_FROM = Field(
    None,
    alias="renamedFrom",
    description="Previous name. `regenerate` moves the handler with your code. Not sent.",
)
_HANDLER = "What the generated handler does, until you edit it. Not sent."


class Entry(Item):
    """A tool, a resource, a resource template or a prompt: what the server lists."""

    kind: ClassVar[str]
    """The kind of the entry's handler: `tool`, `resource` or `prompt`."""
    identifier: ClassVar[str] = "name"
    """The key that must be unique in a list."""

    name: Name = Field(description="Name for programs.")
    title: str | None = Field(None, description="Display name.")
    description: str | None = Field(None, description="What it is for.")
    icons: tuple[Icon, ...] = Field((), description="Icons that clients may show.")
    meta: AnyObject | None = Field(
        None,
        alias="_meta",
        description="Custom data for clients (MCP 2025-11-25, basic/index#_meta).",
    )
    handler: Unsent[Handler | None] = Field(None, description=_HANDLER)
    renamed_from: Unsent[Name | None] = _RENAMED_FROM

    examples: Unsent[tuple[Example, ...]] = Field((), description="Examples of it. Not sent.")

    @property
    def about(self) -> str:
        """The identifier for clients: the name, the URI or the URI template."""
        return self.name

    @property
    def arguments_schema(self) -> Index | None:
        """The schema of its handler's arguments; None if there are none."""
        return None

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

    kind: ClassVar[str] = "tool"

    name: ToolName = Field(description="Name for models.")
    description: str | None = Field(
        None, description="What it does and when to use it, for models."
    )
    arguments: ArgumentsSchema = Field(
        alias="inputSchema", description="JSON Schema of the arguments."
    )
    result: Schema | None = Field(
        None, alias="outputSchema", description="JSON Schema of the structured result."
    )
    annotations: ToolAnnotations | None = Field(None, description="Hints about what the tool does.")
    execution: Execution | None = Field(None, description="How the tool runs (MCP 2025-11-25).")
    ui: Unsent[Page | None] = Field(
        None, description="Page that shows the results, to which `_meta.ui` leads. Not sent."
    )
    errors: Unsent[Annotated[tuple[str, ...], UNIQUE]] = Field(
        (), description="Names of the `errors` that the handler may raise. Not sent."
    )
    scopes: Unsent[Annotated[tuple[Scope, ...], UNIQUE]] = Field(
        (), description="Scopes that a call needs, besides those of `auth.oauth`. Not sent."
    )
    timeout: Unsent[Seconds | None] = Field(
        None, description="Seconds after which a call ends with an error. Not sent."
    )
    task: Unsent[TaskSupport | Task | None] = Field(
        None,
        description="Calls can be tasks, whose results clients fetch later: `optional`, or "
        "`required` of clients. Not sent.",
    )
    examples: Unsent[tuple[CallExample, ...]] = Field((), description="Example calls. Not sent.")
    handler: Unsent[ToolHandler | None] = Field(None, description=_HANDLER)
    renamed_from: Unsent[ToolName | None] = _RENAMED_FROM

    @property
    def is_answer(self) -> bool:
        """Whether its result is what an HTTP API answers, which may be other than documented."""
        request = self.handler and self.handler.http
        return bool(request and not (request.response and request.response.strict))

    @property
    def excerpt(self) -> frozenset[str]:
        """How its result is made a part of what an HTTP API answers: by `select`, by `limit`."""
        request = self.handler and self.handler.http
        return request.response.excerpt if request and request.response else frozenset()

    @property
    def arguments_schema(self) -> Index:
        """The schema of its arguments."""
        return self.arguments

    @property
    def schemas(self) -> Iterator[tuple[str, Index]]:
        """The schemas of the arguments and of the result, each with its JSON Pointer."""
        yield f"{self.pointer}/inputSchema", self.arguments
        if self.result is not None:
            yield f"{self.pointer}/outputSchema", self.result

    @property
    def as_task(self) -> Task | None:
        """How calls become tasks, if they can."""
        if isinstance(self.task, str):
            return Task.model_construct(support=self.task)
        return self.task

    @property
    def seconds(self) -> float | None:
        """The time limit of calls. That of a task is by default the time that it is kept."""
        return self.timeout or (self.as_task.ttl if self.as_task else None)


class Resource(Entry):
    """A document with a URI: static if `text` or `file` is given, else there is a handler."""

    kind: ClassVar[str] = "resource"
    identifier: ClassVar[str] = "uri"

    uri: Uri = Field(description="URI of the resource.")
    description: str | None = Field(None, description="What the resource contains.")
    mime_type: MediaType | None = Field(
        None, alias="mimeType", description="Media type of the content."
    )
    size: Annotated[int, Raw({"type": "integer", "minimum": 0})] | None = Field(
        None, description="Size in bytes, if known."
    )
    annotations: Annotations | None = Field(None, description="Hints for clients.")
    text: Unsent[str | None] = Field(
        None,
        description="The content. Without `text` or `file`, there is a handler. Not sent in lists.",
    )
    file: Unsent[str | None] = Field(
        None, description="File with the content, relative to the spec. Not sent."
    )

    @property
    def about(self) -> str:
        """The URI."""
        return self.uri

    @property
    def path(self) -> RelPath | None:
        """The path of `file`, relative to the folder of the spec."""
        return None if self.file is None else RelPath.beside(self.file)

    @property
    def is_static(self) -> bool:
        """Whether the content is in the spec or in a file."""
        return self.text is not None or self.file is not None


class ResourceTemplate(Entry):
    """Documents whose URIs match a URI template (RFC 6570)."""

    kind: ClassVar[str] = "resource"
    identifier: ClassVar[str] = "uriTemplate"

    uri_template: UriTemplate = Field(
        alias="uriTemplate", description="URI, with variables in braces."
    )
    description: str | None = Field(None, description="What the resources contain.")
    mime_type: MediaType | None = Field(
        None, alias="mimeType", description="Media type, if all have the same."
    )
    annotations: Annotations | None = Field(None, description="Hints for clients.")
    unsafe: Unsent[bool] = Field(
        False,
        description="Also pass unsafe variables to the handler: absolute paths, and those with `..` "
        "or NUL. Not sent.",
    )
    examples: Unsent[tuple[FilledExample, ...]] = Field(
        (), description="Examples of reading one. Not sent."
    )

    @property
    def about(self) -> str:
        """The URI template."""
        return self.uri_template

    @cached_property
    def arguments_schema(self) -> Index:
        """The schema of the variables (RFC 6570).

        Variables are strings or lists of strings. Query variables are optional.
        """
        properties: dict[str, JsonObject] = {}
        required: list[str] = []
        for operator, variables in EXPRESSION.findall(self.uri_template):
            for variable in variables.split(","):
                name = variable.removesuffix("*")
                text = {"type": "string"}
                is_list = variable.endswith("*")
                properties[name] = {"type": "array", "items": text} if is_list else text
                if operator not in ("?", "&"):
                    required.append(name)
        return Index({"type": "object", "properties": properties, "required": required})


class PromptArgument(Model):
    """An argument of a prompt."""

    name: Name = Field(description="Name for programs.")
    title: str | None = Field(None, description="Display name.")
    description: str | None = Field(None, description="What to fill in.")
    required: bool = Field(False, description="Whether the argument is required.")


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

    kind: ClassVar[str] = "prompt"

    description: str | None = Field(None, description="What the prompt is for.")
    arguments: tuple[PromptArgument, ...] = Field((), description="Arguments that people fill in.")
    handler: Unsent[PromptHandler | None] = Field(None, description=_HANDLER)
    messages: Unsent[tuple[PromptMessage, ...] | None] = Field(
        None, description="The messages. Without them, there is a handler. Not sent in lists."
    )
    examples: Unsent[tuple[FilledExample, ...]] = Field(
        (), description="Examples of filling it in. Not sent."
    )

    @cached_property
    def arguments_schema(self) -> Index:
        """The schema of the arguments, which are strings."""
        properties = {
            a.name: {"type": "string", **({"description": a.description} if a.description else {})}
            for a in self.arguments
        }
        required = [argument.name for argument in self.arguments if argument.required]
        return Index({"type": "object", "properties": properties, "required": required})

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
