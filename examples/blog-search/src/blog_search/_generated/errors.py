# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Failures that a model can act on: a handler raises one, the client reads its text."""


class ToolError(Exception):
    """A call that failed for a reason the model should read."""


class ChunkNotFound(ToolError):
    def __init__(self, *, source: object, chunk_index: object) -> None:
        super().__init__(f"Not found: {source}#chunk{chunk_index}")


class EmbeddingFailed(ToolError):
    def __init__(self, *, reason: object) -> None:
        super().__init__(
            f"The embedding server cannot be used: {reason}. Try again later."
        )
