"""Returns a moment of silence."""

from conformance._generated.contract import (
    AudioContent,
    Context,
    TestAudioContentArguments,
    TestAudioContentResult,
)
from conformance.samples import WAV


async def test_audio_content(
    arguments: TestAudioContentArguments,
    context: Context,
) -> TestAudioContentResult:
    return AudioContent(data=WAV, mime_type="audio/wav")
