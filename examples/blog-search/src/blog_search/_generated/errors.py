# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Errors for handlers to raise, whose text the client gets."""


class ToolError(Exception):
    """A call failed for a reason that the model should read."""


class ChunkNotFound(ToolError):
    def __init__(self, *, source: object, chunk_index: object) -> None:
        super().__init__(f"Not found: {source}#chunk{chunk_index}")


class EmbeddingFailed(ToolError):
    def __init__(self, *, reason: object) -> None:
        super().__init__(
            f"The embedding server cannot be used: {reason}. Try again later."
        )
