"""Each fixture of the suite through the official client: every transport, either protocol era."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError
from mcp.server.subscriptions import (
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ToolsListChanged,
)
from mcp_types import (
    AudioContent,
    CallToolResult,
    CreateMessageRequestParams,
    CreateMessageResult,
    ElicitRequestFormParams,
    ElicitRequestParams,
    ElicitResult,
    EmbeddedResource,
    EmptyResult,
    ImageContent,
    ListRootsResult,
    LoggingMessageNotificationParams,
    PromptReference,
    ResourceLink,
    ResourceTemplateReference,
    Root,
    SetLevelRequest,
    SetLevelRequestParams,
    SubscribeRequest,
    SubscribeRequestParams,
    TextContent,
    UnsubscribeRequest,
    UnsubscribeRequestParams,
)
from pydantic import FileUrl

from tests.generated import Generated, WebServer
from tests.raw_client import LEGACY, MODERN, WireCheck
from tests.waiting import WITHIN
from tests.wire import Wire

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.parametrize(
        ("transport", "mode"),
        [
            ("stdio", "legacy"),
            ("stdio", MODERN),
            ("streamable-http", "legacy"),
            ("streamable-http", MODERN),
            ("sse", "legacy"),  # which has gone since
        ],
    ),
]

EVERY_ANSWER = {
    "username": "ada",
    "email": "ada@example.org",
    "name": "Ada",
    "color": "teal",
    "context": "tests",
    "ok": True,
}


class Person:
    """The one at the client: answers every question, and notes what comes unasked."""

    def __init__(self) -> None:
        self.questions: list[str] = []
        self.log: list[Any] = []
        self.notifications: list[str] = []
        self.action: Any = "accept"

    async def fill_in(self, context: Any, params: ElicitRequestParams) -> ElicitResult:
        assert isinstance(params, ElicitRequestFormParams)
        self.questions.append(params.message)
        fields = params.requested_schema["properties"]
        content: dict[str, Any] = {k: v for k, v in EVERY_ANSWER.items() if k in fields}
        return ElicitResult(action=self.action, content=content or None)

    async def sample(self, context: Any, params: CreateMessageRequestParams) -> CreateMessageResult:
        content = params.messages[0].content
        assert isinstance(content, TextContent)
        self.questions.append(content.text)
        answer = TextContent(text=f"On {content.text}")
        return CreateMessageResult(role="assistant", content=answer, model="test")

    async def list_roots(self, context: Any) -> ListRootsResult:
        self.questions.append("roots")
        return ListRootsResult(roots=[Root(uri=FileUrl("file:///work"), name="work")])

    async def hear(self, params: LoggingMessageNotificationParams) -> None:
        self.log.append(params.data)

    async def notice(self, message: Any) -> None:
        self.notifications.append(getattr(message, "method", repr(message)))


Session = tuple[Client, Person]


@pytest.fixture
def connected(
    fixtures: Generated,
    web: Callable[[str], WebServer],
    check: WireCheck,
    transport: str,
    mode: str,
) -> Callable[..., Any]:
    """Connect a client whose person can do everything, unless told otherwise."""

    @asynccontextmanager
    async def connect(**options: Any) -> AsyncIterator[Session]:
        wire = Wire.to(fixtures, web, transport)
        person = Person()
        abilities: dict[str, Any] = {
            "elicitation_callback": person.fill_in,
            "sampling_callback": person.sample,
            "list_roots_callback": person.list_roots,
            "logging_callback": person.hear,
            "message_handler": person.notice,
        }
        async with Client(wire(), mode=mode, **{**abilities, **options}) as client:
            yield client, person
        version = LEGACY[-1] if mode == "legacy" else MODERN
        assert wire.passed
        assert wire.faults(check, version) == []

    return connect


def text_of(result: CallToolResult) -> str:
    assert not result.is_error, result.content
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


async def old(client: Client, request: Any) -> None:
    """Make a request that 2026-07-28 no longer has."""
    await client.session.send_request(request, EmptyResult)


async def test_every_kind_of_content_arrives(connected: Callable[..., Any]) -> None:
    async with connected() as (client, _):
        kinds = {
            "test_simple_text": [TextContent],
            "test_image_content": [ImageContent],
            "test_audio_content": [AudioContent],
            "test_embedded_resource": [EmbeddedResource],
            "test_resource_link": [ResourceLink],
            "test_multiple_content_types": [TextContent, ImageContent, EmbeddedResource],
        }
        for tool, blocks in kinds.items():
            result = await client.call_tool(tool)
            assert list(map(type, result.content)) == blocks
        failed = await client.call_tool("test_error_handling")
        assert failed.is_error
        text = await client.read_resource("test://static-text")
        assert text.contents[0].mime_type == "text/plain"
        picture = await client.read_resource("test://static-binary")
        assert getattr(picture.contents[0], "blob", "").startswith("iVBOR")
        data = await client.read_resource("test://template/7/data")
        assert '"7"' in getattr(data.contents[0], "text", "")
        prompt = await client.get_prompt("test_prompt_with_image")
        assert isinstance(prompt.messages[0].content, ImageContent)
        prompt = await client.get_prompt(
            "test_prompt_with_embedded_resource", {"resourceUri": "test://example"}
        )
        assert isinstance(prompt.messages[0].content, EmbeddedResource)


async def test_progress_and_log_messages_come_before_the_result(
    connected: Callable[..., Any], mode: str
) -> None:
    steps: list[float] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        assert total == 100
        steps.append(progress)

    async with connected(**({} if mode == "legacy" else {"log_level": "info"})) as (client, person):
        await client.call_tool("test_tool_with_progress", progress_callback=note)
        assert steps == [0, 50, 100]
        await client.call_tool("test_tool_with_logging")
        assert len(person.log) == 3
        assert "three steps" in text_of(await client.call_tool("test_tool_with_progress"))


async def test_a_client_hears_only_the_levels_that_it_asked_for(
    connected: Callable[..., Any], mode: str
) -> None:
    async with connected() as (client, person):
        if mode == "legacy":
            await old(client, SetLevelRequest(params=SetLevelRequestParams(level="error")))
        await client.call_tool("test_tool_with_logging")
        assert person.log == []
        if mode == "legacy":
            await old(client, SetLevelRequest(params=SetLevelRequestParams(level="debug")))
            await client.call_tool("test_logging_tool")
            assert len(person.log) == 1


async def test_questions_are_answered_as_the_protocol_version_requires(
    connected: Callable[..., Any],
) -> None:
    async with connected() as (client, person):
        call = client.call_tool
        assert "Hello, Ada!" in text_of(await call("test_input_required_result_elicitation"))
        assert "On What is the" in text_of(await call("test_input_required_result_sampling"))
        assert "file:///work" in text_of(await call("test_input_required_result_list_roots"))
        assert "state-ok" in text_of(await call("test_input_required_result_request_state"))
        assert "1 folders" in text_of(await call("test_input_required_result_multiple_inputs"))
        answer = text_of(await call("test_input_required_result_multi_round"))
        assert "Ada" in answer
        assert "teal" in answer
        assert "2 answers" in text_of(await call("test_input_required_result_capabilities"))
        asked = {"message": "Who are you?"}
        assert "ada@example.org" in text_of(await call("test_elicitation", asked))
        assert "LLM response" in text_of(await call("test_sampling", {"prompt": "hello"}))
        assert "accept" in text_of(await call("test_elicitation_sep1034_defaults"))
        assert "accept" in text_of(await call("test_elicitation_sep1330_enums"))
        assert "accept" in text_of(await call("test_streaming_elicitation"))
        prompt = await client.get_prompt("test_input_required_result_prompt")
        assert "tests" in str(prompt.messages[0].content)
        assert len(person.questions) == 17  # None of them twice.

        person.action = "decline"
        declined = await call("test_streaming_elicitation")
        assert "decline" in text_of(declined)


async def test_a_client_that_cannot_answer_gets_an_error(
    connected: Callable[..., Any], mode: str
) -> None:
    nothing: dict[str, Any] = dict.fromkeys(
        ("elicitation_callback", "sampling_callback", "list_roots_callback")
    )
    async with connected(**nothing) as (client, _):
        if mode == "legacy":
            refused = await client.call_tool("test_missing_capability")
            assert refused.is_error
            assert "capability sampling" in str(refused.content)
        else:
            with pytest.raises(MCPError, match="capability sampling") as raised:
                await client.call_tool("test_missing_capability")
            assert raised.value.error.code == -32021
            assert raised.value.error.data == {"requiredCapabilities": {"sampling": {}}}
        result = await client.call_tool("test_input_required_result_capabilities")
        assert "0 answers" in text_of(result)


async def test_changes_reach_the_clients_that_asked_for_them(
    connected: Callable[..., Any], mode: str
) -> None:
    uri = "test://watched-resource"
    triggers = ["tool_change", "prompt_change", "resource_change", "resource_update"]
    async with connected() as (client, person):
        announced = client.server_capabilities
        if mode == "legacy":
            assert announced.resources.subscribe
            assert announced.tools.list_changed
            await old(client, SubscribeRequest(params=SubscribeRequestParams(uri=uri)))
            for trigger in triggers:
                await client.call_tool(f"test_trigger_{trigger}")
            with anyio.fail_after(WITHIN):
                while len(person.notifications) < 7:
                    await anyio.sleep(0.01)
            await old(client, UnsubscribeRequest(params=UnsubscribeRequestParams(uri=uri)))
            await client.call_tool("test_trigger_resource_update")
            await client.call_tool("test_simple_text")
            kinds = [name.removeprefix("notifications/") for name in person.notifications]
            assert sorted(kinds) == [
                *["prompts/list_changed"] * 2,
                *["resources/list_changed"] * 2,
                "resources/updated",
                *["tools/list_changed"] * 2,
            ]
        else:
            seen = []
            async with client.listen(
                tools_list_changed=True,
                prompts_list_changed=True,
                resources_list_changed=True,
                resource_subscriptions=[uri],
            ) as events:
                for trigger in triggers:
                    await client.call_tool(f"test_trigger_{trigger}")
                with anyio.fail_after(WITHIN):
                    async for event in events:
                        seen.append(event)
                        if isinstance(event, ResourceUpdated):
                            break
            assert {type(event) for event in seen} == {
                *(ToolsListChanged, PromptsListChanged, ResourcesListChanged, ResourceUpdated)
            }
        read = await client.read_resource(uri)
        assert getattr(read.contents[0], "text", "").startswith("Version ")


async def test_arguments_are_completed(connected: Callable[..., Any]) -> None:
    async with connected() as (client, _):
        prompt = PromptReference(name="test_prompt_with_arguments")
        result = await client.complete(prompt, {"name": "arg1", "value": "par"})
        assert result.completion.values == ["paris", "park", "party"]
        template = ResourceTemplateReference(uri="test://template/{id}/data")
        result = await client.complete(template, {"name": "id", "value": "page"})
        assert len(result.completion.values) == 100
        assert (result.completion.total, result.completion.has_more) == (120, True)
        with pytest.raises(MCPError) as raised:
            await client.complete(prompt, {"name": "arg3", "value": ""})
        assert raised.value.error.code == -32602


async def test_a_header_of_an_argument_is_sent_and_checked(connected: Callable[..., Any]) -> None:
    async with connected() as (client, _):
        await client.list_tools()
        result = await client.call_tool("test_x_mcp_header", {"region": "Zürich"})
        assert text_of(result) == "The region is Zürich."


async def test_lists_say_how_long_they_may_be_kept(
    connected: Callable[..., Any], mode: str
) -> None:
    async with connected() as (client, _):
        tools = await client.list_tools()
        prompts = await client.list_prompts()
        if mode != "legacy":
            assert (tools.ttl_ms, tools.cache_scope) == (60000, "public")
            assert (prompts.ttl_ms, prompts.cache_scope) == (0, "private")
        with pytest.raises(MCPError) as raised:
            await client.list_tools(cursor="no-such-page")
        assert raised.value.error.code == -32602
