"""What the tools do, called as a client calls them."""

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp_types import CallToolResult, TextContent

from blog_search._generated.runtime.trial import trial
from blog_search._generated.server import create_server

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def made_up(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    with trial() as tried:
        for name, text in tried.variables.items():
            monkeypatch.setenv(name, text)
        yield


async def call(tool: str, **arguments: Any) -> CallToolResult:
    async with Client(create_server()) as client:
        return await client.call_tool(tool, arguments)


async def hits(query: str, **arguments: Any) -> list[dict[str, Any]]:
    result = await call("search_blog", query=query, **arguments)
    found: list[dict[str, Any]] = result.structured_content["hits"]
    return found


@pytest.mark.parametrize(
    ("query", "source", "heading"),
    [
        (
            "How do I stop a server without losing requests?",
            "operations/shutdown.md",
            None,
        ),
        ("jitter", "retries.md", "Add jitter"),
        ("logging secrets", "operations/logs.md", "Never log secrets"),
        ("length prefix allocate memory", "protocols/framing.md", "A length in front"),
    ],
)
async def test_the_best_hit_is_the_chunk_that_answers(
    query: str, source: str, heading: str | None
) -> None:
    best = (await hits(query))[0]
    assert best["source"] == source
    assert heading in (None, best["heading"])


async def test_each_hit_can_be_read_in_full() -> None:
    found = await hits("server client message time work", top_k=20)
    assert len(found) == 20
    for hit in found:
        chunk = await call(
            "read_chunk", source=hit["source"], chunk_index=hit["chunk_index"]
        )
        text = " ".join(chunk.structured_content["text"].split())
        assert hit["snippet"].strip("…") in text


async def test_hits_come_best_first_and_five_unless_told_otherwise() -> None:
    scores = [hit["score"] for hit in await hits("server")]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) == 5
    assert len(await hits("server", top_k=1)) == 1


async def test_the_chunks_of_a_post_end_where_the_next_index_is_not_found() -> None:
    first = await call("read_chunk", source="errors.md", chunk_index=0)
    count = first.structured_content["chunk_count"]
    last = await call("read_chunk", source="errors.md", chunk_index=count - 1)
    assert not last.is_error
    beyond = await call("read_chunk", source="errors.md", chunk_index=count)
    assert beyond.is_error
    assert beyond.content == [TextContent(text=f"Not found: errors.md#chunk{count}")]


async def test_no_source_leads_out_of_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = tmp_path / "content"
    content.mkdir()
    outside = tmp_path / "outside.md"
    outside.write_text("# Private\n\nNot for readers.")
    (content / "link.md").symlink_to(outside)
    (content / "open.md").write_text("# Public\n\nFor readers.")
    monkeypatch.setenv("BLOG_CONTENT", str(content))
    for source in ["../outside.md", str(outside), "link.md", "open.md/../link.md"]:
        result = await call("read_chunk", source=source, chunk_index=0)
        assert result.is_error, source
    assert [hit["source"] for hit in await hits("readers")] == ["open.md"]
