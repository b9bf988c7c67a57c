"""Texts into embeddings, by asking an Ollama server."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any, TypeGuard
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from blog_search._generated.contract import EmbeddingFailed

TIMEOUT = 30
"""Seconds that the server may stay silent."""


@dataclass(frozen=True)
class Ollama:
    url: str
    """Its address: `http://127.0.0.1:11434`."""
    model: str

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector for each text. Raises EmbeddingFailed.

        POST /api/embed (https://docs.ollama.com/api/embed).
        """
        request = Request(
            self.url.rstrip("/") + "/api/embed",
            json.dumps({"model": self.model, "input": texts}).encode(),
            {"Content-Type": "application/json"},
        )
        try:
            with urlopen(request, timeout=TIMEOUT) as response:
                vectors: list[list[float]] = json.load(response)["embeddings"]
        except HTTPError as error:
            raise EmbeddingFailed(reason=what_it_says(error)) from error
        except (OSError, HTTPException) as error:
            raise EmbeddingFailed(reason=getattr(error, "reason", error)) from error
        except (ValueError, KeyError, TypeError) as error:
            raise EmbeddingFailed(reason="it does not answer as Ollama does") from error
        if not are_vectors(vectors) or len(vectors) != len(texts):
            raise EmbeddingFailed(reason="it does not answer with vectors, one a text")
        return vectors


def are_vectors(found: Any) -> bool:
    """Whether this is a list of lists of numbers, none of them empty."""
    return is_list(found) and all(
        is_list(vector) and vector and all(type(n) in (int, float) for n in vector)
        for vector in found
    )


def is_list(found: Any) -> TypeGuard[list[Any]]:
    return isinstance(found, list)


def what_it_says(error: HTTPError) -> str:
    """Ollama's own words, such as `model "x" not found, try pulling it first`."""
    try:
        return str(json.load(error)["error"])
    except (OSError, HTTPException, ValueError, KeyError, TypeError):
        return f"HTTP status {error.code}"
