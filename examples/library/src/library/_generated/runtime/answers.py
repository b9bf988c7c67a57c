"""What an HTTP API answers: responses, their bodies as results, and errors about them."""

from typing import Any, NamedTuple, TypeVar

from . import bodies
from .handlers import ToolError

Result = TypeVar("Result")


class Response(NamedTuple):
    """A whole response; `location` is the address of a redirect, or empty."""

    status: int
    body: bytes
    location: str
    content_type: str


class ApiError(ToolError):
    """The API could not be reached, or its answer is of no use."""


class UndocumentedAnswer(ApiError):
    """The API did what it was asked, and its answer is not as documented.

    The model gets the answer as text. Clients refuse a result without the structured
    content that `outputSchema` promises, unless it is an error.
    """

    def __init__(self, fault: str, body: bytes) -> None:
        warn("The API's answer is not as documented: %s", fault)
        self.fault = fault
        super().__init__(
            "The API has done what it was asked, so do not repeat the call. Its answer is"
            f" not as documented ({fault}): {body.decode(errors='replace')}"
        )

    def __repr__(self) -> str:
        """Return what is wrong, for the log: the answer may be large and is private."""
        return f"UndocumentedAnswer({self.fault!r})"


def warn(text: str, *values: object) -> None:
    """Log a warning."""
    import logging  # Where only this needs it, a start is faster without.

    logging.getLogger(__name__).warning(text, *values)


def read(
    kind: type[Result], body: bytes, key: str | None = None, *, strict: bool = False
) -> Result:
    """Return a body as a result, or as the property `key` of one.

    Raises UndocumentedAnswer if it is not what the spec says, or ApiError if `strict`.
    """
    try:
        if key is None:
            value = parsed(body)
        else:
            value = {key: parsed(body)} if body else {}
        return bodies.typed(kind, value)
    except (ValueError, RecursionError) as error:
        if strict:
            message = "The API's response is not what it should be"
            raise ApiError(message) from error
        raise UndocumentedAnswer(str(error), body) from error


def parsed(body: bytes) -> Any:
    """Return the JSON in a body. Raises ValueError."""
    try:
        return bodies.decoded(body)
    except (ValueError, RecursionError) as error:
        raise ValueError("it is not JSON") from error
