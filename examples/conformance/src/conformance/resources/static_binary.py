"""A picture of one pixel."""

from base64 import b64decode

from conformance._generated.contract import Context, ResourceResult
from conformance.samples import PNG


async def static_binary(context: Context) -> ResourceResult:
    return b64decode(PNG)
