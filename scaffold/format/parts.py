"""The format of what tools, resources and prompts contain: icons, annotations, tasks and pages."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from scaffold.base.files import RelPath
from scaffold.format.fields import UNIQUE, Limits, Model
from scaffold.format.texts import IconAddress, MediaType, WebOrigin

Hosts = Annotated[tuple[WebOrigin, ...], UNIQUE]
Priority = Annotated[float, Limits({"maximum": 1, "minimum": 0})]
TaskSeconds = Annotated[float, Limits({"maximum": 604_800, "minimum": 0.1})]
TaskSupport = Annotated[Literal["optional", "required"], Limits({"type": "string"})]


class Icon(Model):
    """An icon of the server or an entry (MCP 2025-11-25, basic/index#icons)."""

    src: IconAddress = Field(description="Address of the image.")
    mime_type: MediaType | None = Field(
        None, alias="mimeType", description="Media type, if the address does not show it."
    )
    sizes: tuple[str, ...] = Field((), description="Available sizes: `48x48`, or `any`.")
    theme: Literal["light", "dark"] | None = Field(
        None, description="Theme that the icon is made for."
    )


class Annotations(Model):
    """Hints about how to use a resource."""

    model_config = ConfigDict(extra="allow")

    audience: tuple[Literal["user", "assistant"], ...] = Field((), description="Intended readers.")
    priority: Priority | None = Field(
        None, description="Importance, from 0 (optional) to 1 (required)."
    )
    last_modified: str | None = Field(
        None, alias="lastModified", description="Time of the last change (ISO 8601)."
    )


class ToolAnnotations(Model):
    """Hints about what a tool does."""

    model_config = ConfigDict(extra="allow")

    title: str | None = Field(None, description="Display name.")
    read_only_hint: bool | None = Field(
        None, alias="readOnlyHint", description="The tool changes nothing. Default: false."
    )
    destructive_hint: bool | None = Field(
        None,
        alias="destructiveHint",
        description="The tool may delete or overwrite data. Default: true.",
    )
    idempotent_hint: bool | None = Field(
        None,
        alias="idempotentHint",
        description="Repeating a call has no further effect. Default: false.",
    )
    open_world_hint: bool | None = Field(
        None,
        alias="openWorldHint",
        description="The tool uses external systems, such as the web. Default: true.",
    )


class Execution(Model):
    """How a tool runs (MCP 2025-11-25)."""

    task_support: Literal["forbidden", "optional", "required"] | None = Field(
        None, alias="taskSupport", description="Whether clients may call the tool as a task."
    )


class Task(Model):
    """How calls of a tool become tasks (extension `io.modelcontextprotocol/tasks`)."""

    support: TaskSupport = Field(
        "optional", description="Whether clients that do not support tasks may call the tool."
    )
    ttl: TaskSeconds = Field(
        3600, description="Seconds until a task is forgotten, even if it is running."
    )
    poll: TaskSeconds = Field(
        1, description="Seconds that clients should wait before they ask again."
    )
    start: Literal["call", "handler"] = Field(
        "call",
        description="What makes a call a task: each `call`, or its `handler` by "
        "`context.start_task()`.",
    )


class Policy(Model):
    """The hosts that a page may use; none by default (SEP-1865, content security policy)."""

    connect_domains: Hosts = Field(
        (), alias="connectDomains", description="Where the page sends requests."
    )
    resource_domains: Hosts = Field(
        (), alias="resourceDomains", description="Where its scripts, styles and images come from."
    )
    frame_domains: Hosts = Field(
        (), alias="frameDomains", description="Which pages it shows in frames."
    )
    base_uri_domains: Hosts = Field(
        (), alias="baseUriDomains", description="Which base URIs it may set."
    )


class Page(Model):
    """A page that shows the results of a tool in hosts with MCP Apps (SEP-1865)."""

    file: str = Field(
        description="HTML file, relative to the spec. A first one is written for you."
    )
    csp: Policy | None = Field(None, description="Hosts that the page may use.")
    prefers_border: bool | None = Field(
        None, alias="prefersBorder", description="Whether the host draws a border around it."
    )
    visibility: Annotated[tuple[Literal["model", "app"], ...], Limits({"minItems": 1}), UNIQUE] = (
        Field(("model", "app"), description="Who may call the tool: models, and the page itself.")
    )

    @property
    def path(self) -> RelPath:
        """The path of `file`, relative to the directory of the spec."""
        return RelPath.beside(self.file)
