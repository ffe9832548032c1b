"""A call of HostMatches: opens the matches its caller asks for, and tells of all of them in one message.

Law: a match that is refused, fails or ends touches no other of the call.
"""

import asyncio
from collections.abc import AsyncIterable, Callable
from functools import lru_cache
from typing import Final

import grpc
from google.protobuf.message import DecodeError

from referee import chunks, logs
from referee.auth import Refused
from referee.hosts import Host, Hosts
from referee.limits import Limits
from thousand.v1 import match_pb2 as pb

_ITEMS: Final = b"\x0a"  # HostMatchesResponse.items
_MATCH_ID, _SAID, _REFUSED = b"\x0a", b"\x12", b"\x1a"  # of a HostedItem


class Caller:
    """One call. `wake` is set when something is ready for it, or it is over."""

    def __init__(
        self, open_host: Callable[[pb.HostMatchRequest, asyncio.Event], Host], hosts: Hosts, limits: Limits
    ) -> None:
        self.wake = asyncio.Event()
        self.fault: Refused | None = None  # how the whole call ends, if not well
        self._open = open_host
        self._hosts = hosts
        self._limits = limits
        self._open_hosts: list[Host] = []
        self._refusals: list[bytes] = []
        self._more = True  # the caller may ask for more

    @property
    def over(self) -> bool:
        """Nothing more will be told."""
        return self.fault is not None or not (self._more or self._open_hosts or self._refusals)

    async def read(self, requests: AsyncIterable[bytes]) -> None:
        """Open what is asked for, until the caller's side ends."""
        try:
            async for data in requests:
                self._ask(data)
                if self.fault is not None:
                    break
        except (grpc.RpcError, grpc.aio.BaseError):
            pass
        except Exception:
            logs.failure("caller failed")
            self.fault = Refused(grpc.StatusCode.INTERNAL, "the referee failed in this call; it has been logged")
        self._more = False
        self.wake.set()

    def _ask(self, data: bytes) -> None:
        try:
            request = pb.HostMatchesRequest.FromString(data).match
        except DecodeError:
            self.fault = Refused(grpc.StatusCode.INVALID_ARGUMENT, "the message is no HostMatchesRequest")
            return
        if len(self._refusals) >= self._limits.refusals:
            self.fault = Refused(grpc.StatusCode.RESOURCE_EXHAUSTED, f"{len(self._refusals)} refusals are unread")
            return
        try:
            self._open_hosts.append(self._open(request, self.wake))
        except Refused as refused:
            self._refuse(request.match_id, refused)
        except Exception:
            logs.failure("match failed to open", match=request.match_id)
            fault = Refused(grpc.StatusCode.INTERNAL, "the referee failed to open this match; it has been logged")
            self._refuse(request.match_id, fault)

    def _refuse(self, match_id: str, refused: Refused) -> None:
        self._refusals.append(_refusal(match_id, refused))
        self.wake.set()

    def take(self) -> bytes:
        """All that is ready, as one HostMatchesResponse; empty for nothing."""
        self.wake.clear()
        items, self._refusals = self._refusals, []
        hosts, self._open_hosts = self._open_hosts, []
        for host in hosts:
            items += [_item(host.match_id, _SAID, message) for message in host.take()]
            if not host.ended:
                self._open_hosts.append(host)
                continue
            if host.refusal is not None:
                items.append(_refusal(host.match_id, host.refusal))
            self._hosts.remove(host)
        return b"".join(items)

    def drop_all(self) -> None:
        """The call is over: what is still played is dropped."""
        for host in self._open_hosts:
            host.stop(grpc.StatusCode.ABORTED, "its caller went away")
            self._hosts.remove(host)
        self._open_hosts = []


@lru_cache(1 << 10)
def _named(match_id: str) -> bytes:
    return chunks.field(_MATCH_ID, match_id.encode())


def _item(match_id: str, kind: bytes, body: bytes) -> bytes:
    return chunks.field(_ITEMS, _named(match_id) + chunks.field(kind, body))


def _refusal(match_id: str, refused: Refused) -> bytes:
    said = pb.HostingRefusal(status=refused.status.value[0], message=refused.reason)
    return _item(match_id, _REFUSED, said.SerializeToString())
