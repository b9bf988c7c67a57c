"""Credentials of a caller, which are passed on to the API as they came."""

from dataclasses import replace
from typing import Any

from .api import Api, Credential
from .handlers import BaseContext


def forwarding(api: Api, context: BaseContext[Any], *headers: str) -> Api:
    """Return the API for one call, with these headers of the request that made it.

    They are credentials like others: only the API gets them, and they are never logged.
    """
    given = getattr(context.request.request, "headers", {})
    forwarded = [Credential(name, given.get(name), "header", name) for name in headers]
    return replace(api, credentials=(*api.credentials, *forwarded))
