"""The keys that seal the state of questions, the same for all replicas."""

import os

from mcp.server.request_state import RequestStateSecurity

from .command import SettingsError


def security_from(variable: str) -> RequestStateSecurity:
    """Return the keys in a variable, separated by commas: the first seals, all open.

    If it is not set, the key is one of this process. Raises SettingsError for a wrong one.
    """
    text = os.environ.get(variable, "")
    keys = [key for part in text.split(",") if (key := part.strip())]
    if not keys:
        return RequestStateSecurity.ephemeral()
    try:
        return RequestStateSecurity(keys=keys)
    except ValueError as error:
        # A key is too short, or there twice; the text does not show it.
        raise SettingsError(f"{variable}: {error}") from None
