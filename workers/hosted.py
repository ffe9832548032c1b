"""One call to a referee for all matches of a block: what it tells is sorted by match.

Law: what ends one match ends no other; what ends the call ends all that is still played on it.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import grpc

from thousand.v1 import match_pb2 as api

if TYPE_CHECKING:
    from thousand.v1.match_pb2_grpc import MatchServiceAsyncStub as Stub

_STATUS: Final = {status.value[0]: status for status in grpc.StatusCode}
_Told = api.HostMatchResponse | grpc.aio.AioRpcError


class Hosted:
    """Made within the event loop. A call that has ended is followed by a new one when the next match is asked for."""

    def __init__(self, stub: "Stub", metadata: Sequence[tuple[str, str]]) -> None:
        self._stub = stub
        self._metadata = metadata
        self._told: dict[str, asyncio.Queue[_Told]] = {}
        self._call: grpc.aio.StreamStreamCall[api.HostMatchesRequest, api.HostMatchesResponse] | None = None
        self._reader: asyncio.Task[None] | None = None
        self._writing = asyncio.Lock()  # one message after another, as gRPC wants it

    async def play(self, request: api.HostMatchRequest) -> AsyncIterator[api.HostMatchResponse]:
        """What HostMatch says of this match. Raises AioRpcError with its refusal, or with how the call ended."""
        told = self._told[request.match_id] = asyncio.Queue()
        try:
            await self._ask(request)
            while True:
                said = await told.get()
                if isinstance(said, grpc.aio.AioRpcError):
                    raise said
                yield said
                if said.HasField("record"):
                    return
        finally:
            self._told.pop(request.match_id, None)

    async def close(self) -> None:
        """Drop what is still played."""
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)

    async def _ask(self, request: api.HostMatchRequest) -> None:
        async with self._writing:
            if self._call is None:
                self._call = self._stub.HostMatches(metadata=self._metadata)
                self._reader = asyncio.create_task(self._read(self._call))
            with suppress(grpc.aio.AioRpcError, grpc.aio.UsageError, asyncio.InvalidStateError):
                await self._call.write(api.HostMatchesRequest(match=request))  # a call that is over: its reader tells

    async def _read(self, call: "grpc.aio.StreamStreamCall[api.HostMatchesRequest, api.HostMatchesResponse]") -> None:
        over = grpc.aio.AioRpcError(grpc.StatusCode.UNAVAILABLE, grpc.aio.Metadata(), grpc.aio.Metadata(), "it ended")
        try:
            async for message in call:
                for item in message.items:
                    told = self._told.get(item.match_id)
                    if told is not None:
                        told.put_nowait(item.said if item.HasField("said") else _error(item.refused))
        except grpc.aio.AioRpcError as error:
            over = error
        finally:
            call.cancel()
            self._call = None
            for told in self._told.values():
                told.put_nowait(over)


def _error(refused: api.HostingRefusal) -> grpc.aio.AioRpcError:
    status = _STATUS.get(refused.status, grpc.StatusCode.UNKNOWN)
    return grpc.aio.AioRpcError(status, grpc.aio.Metadata(), grpc.aio.Metadata(), refused.message)
