"""What the arena answers when it refuses: one gRPC status each, and a message that says what to do."""

import functools
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final, NoReturn, TypeVar

import grpc

log = logging.getLogger("arena")
S = TypeVar("S")
Context = grpc.aio.ServicerContext


class Refusal(Exception):
    """Base of every refusal. The subclass is the status; the text is for the caller."""

    status: grpc.StatusCode = grpc.StatusCode.INTERNAL


class BadRequest(Refusal):
    """A field makes no sense; the message names it."""

    status = grpc.StatusCode.INVALID_ARGUMENT


class NoSuchThing(Refusal):
    """Nothing has this id or name."""

    status = grpc.StatusCode.NOT_FOUND


class UnknownKey(Refusal):
    """The API key is unknown or revoked."""

    status = grpc.StatusCode.UNAUTHENTICATED


class NotAllowed(Refusal):
    """The caller's role or ownership does not suffice."""

    status = grpc.StatusCode.PERMISSION_DENIED


class Taken(Refusal):
    """The name belongs to another."""

    status = grpc.StatusCode.ALREADY_EXISTS


class NotNow(Refusal):
    """It cannot be done as things stand; the message says what must change first."""

    status = grpc.StatusCode.FAILED_PRECONDITION


class Stopping(Refusal):
    """The arena is stopping."""

    status = grpc.StatusCode.UNAVAILABLE


_STORE_LOST: Final = "the arena has lost its store: retry in a moment, with the same idempotency key"
_BROKEN: Final = "something in the arena broke; it has been logged. Do not retry at once"
Translate = Callable[[Exception], Refusal | None]


def unary(method: Callable[[S, Any, Context], Awaitable[Any]]) -> Callable[[S, Any, Context], Awaitable[Any]]:
    """A handler whose exceptions become statuses."""

    @functools.wraps(method)
    async def answered(service: S, request: Any, context: Context) -> Any:
        try:
            return await method(service, request, context)
        except Exception as error:
            await _abort(context, method.__name__, error)

    return answered


def streaming(
    method: Callable[[S, Any, Context], AsyncIterator[Any]],
) -> Callable[[S, Any, Context], AsyncIterator[Any]]:
    """The same for a handler that streams."""

    @functools.wraps(method)
    async def answered(service: S, request: Any, context: Context) -> AsyncIterator[Any]:
        try:
            async for answer in method(service, request, context):
                yield answer
        except Exception as error:
            await _abort(context, method.__name__, error)

    return answered


async def _abort(context: Context, method: str, error: Exception) -> NoReturn:
    if isinstance(error, grpc.aio.AbortError):
        raise error
    refusal = error if isinstance(error, Refusal) else _as_refusal(error)
    if refusal is not None:
        await context.abort(refusal.status, str(refusal))
    log.error("%s failed", method, exc_info=error)
    await context.abort(grpc.StatusCode.INTERNAL, _BROKEN)


def _as_refusal(error: Exception) -> Refusal | None:
    return None
