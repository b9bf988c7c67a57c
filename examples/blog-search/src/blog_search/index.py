"""Two ways to find chunks: by the words in them, and by what they mean."""

import re
import sqlite3
from array import array
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from heapq import nlargest
from math import sqrt
from textwrap import shorten
from threading import Lock
from typing import Protocol

from blog_search.posts import Chunk

Vector = Sequence[float]

NOISE = re.compile(
    "an?|and|are|as|at|be|by|can|do|does|for|from|has|have|how|i|if|in|is|its?|of|on|or"
    "|should|that|the|their|there|they|this|to|was|what|when|where|which|who|why|will"
    "|with|you"
)
"""English words of a question that say nothing about its subject."""

BATCH = 32
"""Chunks that the embedding server is asked for at once."""


@dataclass(frozen=True)
class Hit:
    """A chunk that fits a query, the part of it that shows why, and how well it fits."""

    chunk: Chunk
    snippet: str
    score: float


class Index(Protocol):
    """Finds chunks. Any number of threads may search at once."""

    def search(self, query: str, top_k: int) -> list[Hit]:
        """At most `top_k` hits, the best first."""
        ...


class WordIndex:
    """Search by words, with SQLite's full-text index (FTS5) in memory."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self.chunks = chunks
        self.lock = Lock()
        self.database = sqlite3.connect(":memory:", check_same_thread=False)
        self.database.execute(
            "CREATE VIRTUAL TABLE chunks"
            " USING fts5(title, heading, text, tokenize='porter unicode61')"
        )
        self.database.executemany(
            "INSERT INTO chunks (rowid, title, heading, text) VALUES (?, ?, ?, ?)",
            ((n, c.title, c.heading, c.text) for n, c in enumerate(chunks)),
        )

    def close(self) -> None:
        self.database.close()

    def search(self, query: str, top_k: int) -> list[Hit]:
        """Chunks with any word of the query, by BM25; words in headings count more."""
        expression = match_expression(query)
        if not expression:
            return []
        with self.lock, closing(self.database.cursor()) as cursor:
            rows: list[tuple[int, str, float]] = cursor.execute(
                "SELECT rowid, snippet(chunks, 2, '', '', '…', 40),"
                " bm25(chunks, 4, 2, 1) AS distance"
                " FROM chunks WHERE chunks MATCH ? ORDER BY distance, rowid LIMIT ?",
                (expression, top_k),
            ).fetchall()
        return [
            Hit(self.chunks[row], " ".join(snippet.split()), -distance)
            for row, snippet, distance in rows
        ]


def match_expression(query: str) -> str:
    """The query as an expression of FTS5: any of its words, each quoted, so none is an operator."""
    words = dict.fromkeys(re.findall(r"[^\W_]+", query.casefold()))
    telling = [word for word in words if not NOISE.fullmatch(word)] or words
    return " OR ".join(f'"{word}"' for word in telling)


class MeaningIndex:
    """Search by meaning: chunks whose embeddings point where the query's does.

    The chunks are embedded at the first search. Should that fail, the next goes on from there.
    """

    def __init__(
        self,
        chunks: Sequence[Chunk],
        embed: Callable[[Sequence[str]], Iterable[Vector]],
    ) -> None:
        """`embed` turns each text into a vector."""
        self.chunks = chunks
        self.embed = embed
        self.lock = Lock()
        self.vectors: list[Vector] = []

    def search(self, query: str, top_k: int) -> list[Hit]:
        """The chunks with the greatest cosine similarity, from -1 to 1."""
        with self.lock:
            while rest := self.chunks[len(self.vectors) :]:
                texts = [f"{c.title}\n{c.heading}\n\n{c.text}" for c in rest[:BATCH]]
                self.vectors += map(unit, self.embed(texts))
        [wanted] = map(unit, self.embed([query]))
        scores = (dot(wanted, vector) for vector in self.vectors)
        best = nlargest(top_k, zip(scores, self.chunks), key=lambda pair: pair[0])
        return [
            Hit(c, shorten(c.text, 250, placeholder="…"), score) for score, c in best
        ]


def unit(vector: Vector) -> Vector:
    """The vector of the same direction and length 1, in single precision."""
    length = sqrt(dot(vector, vector)) or 1.0
    return array("f", (x / length for x in vector))


def dot(a: Vector, b: Vector) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))
