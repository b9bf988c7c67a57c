# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Handlers: how they are run, and which failure becomes what."""

import ast
import inspect
import logging
import math
import secrets
import textwrap
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import anyio
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel, ValidationError
from pydantic_core import to_json

from everything._generated.client import Unanswered
from everything._generated.errors import ToolError
from everything._generated.threads import NoThread, run_in_thread

logger = logging.getLogger(__name__)

AnyModel = TypeVar("AnyModel", bound=BaseModel)


class NotWritten(Exception):
    """The handler is still a stub."""


class InternalError(ToolError):
    """A failure that no other arguments would mend."""


def converted(arguments: Mapping[str, Any], model: type[AnyModel]) -> AnyModel:
    """The model of arguments that fit their schema; some, Python cannot hold."""
    try:
        return model.model_validate_json(to_json(arguments), strict=True, by_name=False)
    except ValidationError as error:
        faults = [
            f"/{'/'.join(map(str, fault['loc']))}: {fault['msg']}"
            for fault in error.errors(include_url=False, include_context=False)
        ]
        words = ["These arguments are valid, but Python cannot hold them:", *faults]
        raise ToolError("\n- ".join(words)) from None


async def run(handler: Callable[..., Any], *arguments: Any) -> Any:
    """Await an `async def` handler; give a plain one a thread, so that it blocks no other."""
    try:
        if inspect.iscoroutinefunction(handler):
            return await handler(*arguments)
        value = await run_in_thread(handler, *arguments)
        # A decorator can hide an `async def`.
        return await value if inspect.isawaitable(value) else value
    except MCPError as error:
        sendable(error.error)
        raise
    except NotImplementedError:
        if is_stub(handler):
            raise NotWritten from None
        raise
    except BaseExceptionGroup as errors:
        # Questions that were asked together, each in a task of its own.
        for kind in (Unanswered, MCPError):
            if questions := errors.subgroup(kind):
                raise first(questions) from errors
        raise


def first(error: BaseException) -> BaseException:
    """The first error in groups of groups."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def text_of(error: ToolError) -> str:
    """Its text, with escapes for what UTF-8 cannot hold, such as odd names of files."""
    return str(error).encode(errors="backslashreplace").decode()


def is_stub(handler: Callable[..., Any]) -> bool:
    """Return whether a handler still begins with the `raise` that it was generated with."""
    with suppress(OSError, SyntaxError, TypeError):  # Its source is not there.
        source = inspect.getsource(inspect.unwrap(handler))
        [function] = ast.parse(textwrap.dedent(source)).body
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            first = function.body[1 if ast.get_docstring(function) else 0]
            return ast.unparse(first).startswith("raise NotImplementedError(")
    return False


def sendable(answer: AnyModel) -> AnyModel:
    """Fail here over what JSON cannot hold, not in the transport, for every client."""
    answer.model_dump_json()
    return answer


@contextmanager
def masking(name: str) -> Iterator[None]:
    """Log a failure; of an unforeseen one, only a reference may reach the client."""
    try:
        yield
    except (MCPError, Unanswered):
        raise
    except ToolError as error:
        cause = error.__cause__ if logger.isEnabledFor(logging.DEBUG) else None
        logger.info("%s: %s", name, error, exc_info=cause)
        raise
    except NoThread as error:
        logger.warning("%s: %s", name, error)
        raise InternalError("The server is busy, try again later") from None
    except NotWritten:
        raise InternalError(f"{name} is not implemented yet") from None
    except BaseException as error:
        if is_cancellation(error):
            raise
        reference = secrets.token_hex(4)
        logger.exception("%s failed, reference %s", name, reference)
        raise InternalError(f"Internal error, reference {reference}") from None


def is_cancellation(error: BaseException) -> bool:
    """Whether the call is being cancelled, unlike a task that its handler waited for."""
    is_over = anyio.current_effective_deadline() == -math.inf
    return is_over and isinstance(error, anyio.get_cancelled_exc_class())
