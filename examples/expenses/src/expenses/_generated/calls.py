# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""Handlers: how they are run, and which failure becomes what."""

import ast
import asyncio
import inspect
import logging
import math
import secrets
import textwrap
from collections.abc import Awaitable, Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, TypeAlias, TypeVar

import anyio
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel, ValidationError
from pydantic_core import to_json

from expenses._generated.client import Unanswered
from expenses._generated.errors import ToolError
from expenses._generated.threads import NoThread, run_in_thread

logger = logging.getLogger(__name__)

AnyModel = TypeVar("AnyModel", bound=BaseModel)
# What a handler may return, or is given: JSON, and models in it.
Value: TypeAlias = (
    "BaseModel | dict[str, Value] | list[Value] | tuple[Value, ...] | Scalar"
)
Scalar: TypeAlias = str | float | None


class NotWritten(Exception):
    """The handler is still a stub."""


def converted(arguments: Mapping[str, Any], model: type[AnyModel]) -> AnyModel:
    """Return valid arguments as a model. Raises ToolError if Python cannot hold one."""
    try:
        return model.model_validate_json(to_json(arguments), strict=True, by_name=False)
    except ValidationError as error:
        faults = [
            f"/{'/'.join(map(str, fault['loc']))}: {fault['msg']}"
            for fault in error.errors(include_url=False, include_context=False)
        ]
        words = ["These arguments are valid, but Python cannot hold them:", *faults]
        raise ToolError("\n- ".join(words)) from None


def whole(value: Value) -> Any:
    """Return a copy in which 5.0 is an integer, as it is to JSON Schema."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: whole(item) for key, item in value.items()}
    return [whole(item) for item in value] if isinstance(value, list) else value


async def run(handler: Callable[..., Any], *arguments: Any) -> Any:
    """Await an `async def` handler; run a plain one in a thread, so that it blocks no other."""
    try:
        if inspect.iscoroutinefunction(handler):
            return await run_in_task(handler, *arguments)
        value = await run_in_thread(handler, *arguments)
        # A decorator can hide an `async def`.
        return await run_in_task(lambda: value) if inspect.isawaitable(value) else value
    except NotImplementedError:
        if is_stub(handler):
            raise NotWritten from None
        raise
    except BaseExceptionGroup as errors:
        error = meaning(errors)
    raise error


async def run_in_task(handler: Callable[..., Awaitable[Any]], *arguments: Any) -> Any:
    """Await a handler in a task of its own, and raise here what it raises there.

    A GeneratorExit from what it awaits would close each coroutine of its task, those
    that serve the client included.
    """
    raised = Raised()

    async def work() -> Any:
        with raised:
            return await handler(*arguments)

    value = await asyncio.create_task(work())
    if raised.error:
        raise raised.error
    return value


class Raised:
    """Catches and keeps what is raised inside it."""

    error: BaseException | None = None

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, __: object) -> bool:
        self.error = error
        return True


def meaning(errors: BaseExceptionGroup) -> BaseException:
    """Return what tasks of a handler raised for the client together, else the group."""
    raised = list(leaves(errors))
    for kind in (Unanswered, MCPError):
        for error in raised:
            if isinstance(error, kind):
                return error
    failures = [error for error in raised if isinstance(error, ToolError)]
    cancelled = [error for error in raised if isinstance(error, asyncio.CancelledError)]
    if not failures or len(failures) + len(cancelled) < len(raised):
        return errors
    texts = dict.fromkeys(map(text_of, failures))
    return failures[0] if len(texts) == 1 else ToolError("\n".join(texts))


def leaves(error: BaseException) -> Iterator[BaseException]:
    """Yield the errors in groups of groups."""
    match error:
        case BaseExceptionGroup(exceptions=parts):
            for part in parts:
                yield from leaves(part)
        case _:
            yield error


def text_of(error: ToolError) -> str:
    """Return its text, with escapes for what UTF-8 cannot encode, such as odd file names."""
    try:
        return str(error).encode(errors="backslashreplace").decode()
    except BaseException as failure:
        raise TypeError(f"{type(error).__name__} has no text") from failure


def is_stub(handler: Callable[..., Any]) -> bool:
    """Return whether a handler still begins with its generated `raise`."""
    with suppress(OSError, SyntaxError, TypeError):  # Its source is not there.
        source = inspect.getsource(inspect.unwrap(handler))
        [function] = ast.parse(textwrap.dedent(source)).body
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            body = function.body[1 if ast.get_docstring(function) else 0 :]
            code = ast.unparse(body[0]) if body else ""
            return code.startswith("raise NotImplementedError(")
    return False


def sendable(answer: AnyModel) -> AnyModel:
    """Return an answer; raise an error if JSON cannot hold it, before the transport does."""
    answer.model_dump_json()
    return answer


@contextmanager
def telling() -> Generator[None]:
    """Raise errors for the client in a form that can be sent, or else as unforeseen."""
    try:
        yield
    except MCPError as error:
        sendable(error.error)
        raise
    except ToolError as error:
        raise ToolError(text_of(error)) from error.__cause__


@contextmanager
def masking(name: str) -> Generator[None]:
    """Log failures; of an unforeseen one, the client gets only a reference."""
    try:
        with telling():
            yield
    except (MCPError, Unanswered):
        raise
    except ToolError as error:
        cause = error.__cause__ if logger.isEnabledFor(logging.DEBUG) else None
        logger.info("%s: %s", name, error, exc_info=cause)
        raise
    except NoThread as error:
        logger.warning("%s: %s", name, error)
        raise ToolError("The server is busy, try again later") from None
    except NotWritten:
        raise ToolError(f"{name} is not implemented yet") from None
    except BaseException as error:
        if is_cancellation(error):
            raise
        reference = secrets.token_hex(4)
        logger.exception("%s failed, reference %s", name, reference)
        raise ToolError(f"Internal error, reference {reference}") from None


def is_cancellation(error: BaseException) -> bool:
    """Return whether the call itself is cancelled, not a task that its handler awaits."""
    is_over = anyio.current_effective_deadline() == -math.inf
    return is_over and isinstance(error, anyio.get_cancelled_exc_class())
