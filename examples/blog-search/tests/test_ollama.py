"""Search by meaning, against a local server that speaks Ollama's interface."""

import json
from collections.abc import Iterator

import pytest
from mcp import Client
from mcp_types import CallToolResult
from ollama_server import Ollama, ollama_server

from blog_search._generated.server import create_server

pytestmark = pytest.mark.anyio


@pytest.fixture
def ollama(monkeypatch: pytest.MonkeyPatch) -> Iterator[Ollama]:
    with ollama_server() as server:
        monkeypatch.setenv("OLLAMA_URL", server.url + "/")
        yield server


def best(result: CallToolResult) -> str:
    return str(result.structured_content["hits"][0]["source"])


def reason(result: CallToolResult) -> str:
    assert result.is_error
    [content] = result.content
    return str(getattr(content, "text", ""))


async def test_a_chunk_is_found_by_its_meaning_without_sharing_a_word(
    ollama: Ollama,
) -> None:
    async with Client(create_server()) as client:
        result = await client.call_tool("search_blog", {"query": "pulse"})
    assert best(result) == "operations/health-checks.md"
    assert result.structured_content["hits"][0]["score"] <= 1.000001
    assert len(result.structured_content["hits"]) == 5


async def test_the_chunks_are_embedded_once_and_in_batches(ollama: Ollama) -> None:
    async with Client(create_server()) as client:
        assert ollama.inputs == []
        await client.call_tool("search_blog", {"query": "pulse"})
        await client.call_tool("search_blog", {"query": "bytes"})
    *batches, first, second = ollama.inputs
    assert (first, second) == (["pulse"], ["bytes"])
    assert all(len(batch) <= 32 for batch in batches)
    assert any(
        "Draw each pause at random" in text for batch in batches for text in batch
    )


async def test_the_next_search_goes_on_where_a_failed_one_stopped(
    ollama: Ollama,
) -> None:
    async with Client(create_server()) as client:
        ollama.fault = 503, b'{"error": "server busy, please try again"}'
        result = await client.call_tool("search_blog", {"query": "pulse"})
        assert "server busy, please try again" in reason(result)
        ollama.fault = None
        assert best(await client.call_tool("search_blog", {"query": "pulse"}))


async def test_a_model_that_is_not_there_is_named(
    ollama: Ollama, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_MODEL", "no-such-model")
    async with Client(create_server()) as client:
        result = await client.call_tool("search_blog", {"query": "pulse"})
    assert 'model "no-such-model" not found' in reason(result)


@pytest.mark.parametrize(
    "fault",
    [
        (200, b"not JSON"),
        (200, b"[]"),
        (200, b"{}"),
        (200, b'{"embeddings": null}'),
        (200, b'{"embeddings": []}'),
        (200, b'{"embeddings": [["a"]]}'),
        (502, b"<html>Bad gateway</html>"),
        (404, json.dumps({"message": "no such route"}).encode()),
    ],
    ids=str,
)
async def test_what_is_no_embedding_is_an_error_that_says_so(
    ollama: Ollama, fault: tuple[int, bytes]
) -> None:
    ollama.fault = fault
    async with Client(create_server()) as client:
        result = await client.call_tool("search_blog", {"query": "pulse"})
    assert reason(result).startswith("The embedding server cannot be used: ")


async def test_a_server_that_is_not_there_is_an_error_that_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with ollama_server() as gone:
        monkeypatch.setenv("OLLAMA_URL", gone.url)
    async with Client(create_server()) as client:
        result = await client.call_tool("search_blog", {"query": "pulse"})
        assert "Connection refused" in reason(result)
        read = await client.call_tool(
            "read_chunk", {"source": "errors.md", "chunk_index": 0}
        )
    assert not read.is_error
