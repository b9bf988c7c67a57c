"""Returns a moment of silence."""

from mcp_types import AudioContent

from conformance._generated.contract import Context, ToolResult
from conformance._generated.models import TestAudioContentArguments
from conformance.samples import WAV


async def test_audio_content(
    arguments: TestAudioContentArguments,
    context: Context,
) -> ToolResult:
    return AudioContent(data=WAV, mime_type="audio/wav")
