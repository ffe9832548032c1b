"""Light bots, many in one process: they read each decision's ids and answer without a thought."""

import asyncio
import sys
from functools import lru_cache
from typing import Any

import grpc
import uvloop

from referee.chunks import field, tagged, varint
from thousand.v1 import action_pb2
from thousand.v1 import play_pb2 as pb

_WRITE_OFF = action_pb2.ACTION_KIND_WRITE_OFF


def choice(decision: pb.Decision) -> int:
    """Any action, but no deal is given up."""
    actions = decision.actions
    index = decision.decision_id * 7919 % len(actions)
    if actions[index].kind == _WRITE_OFF:
        index = (index + 1) % len(actions)
    return index


@lru_cache(1 << 10)
def named(match_id: str) -> bytes:
    """Answer.match_id."""
    return field(b"\x0a", match_id.encode())


def answer(decision: pb.Decision) -> bytes:
    """A PlayRequest with one Answer."""
    body = named(decision.match_id) + tagged(b"\x10", decision.decision_id) + b"\x20" + varint(choice(decision))
    return field(b"\x0a", field(b"\x1a", body))


def answers(message: pb.PlayResponse) -> bytes:
    """What is to be said to a message: nothing, or a PlayRequest."""
    said = []
    for item in message.items:
        if item.HasField("decision"):
            said.append(answer(item.decision))
        elif item.HasField("match_started"):
            ready = pb.PlayRequestItem(ready=pb.Ready(match_id=item.match_started.match_id))
            said.append(pb.PlayRequest(items=[ready]).SerializeToString())
    return b"".join(said)


async def play(channel: Any, token: str, max_matches: int, connected: asyncio.Event) -> None:
    """One bot, until the stream ends."""
    call = channel.stream_stream("/thousand.v1.BotService/Play")
    stream = call(metadata=[("authorization", f"Bearer {token}")])
    hello = pb.Hello(protocol_min=1, protocol_max=1, instance_id="bench", max_matches=max_matches)
    await stream.write(pb.PlayRequest(items=[pb.PlayRequestItem(hello=hello)]).SerializeToString())
    while (data := await stream.read()) is not grpc.aio.EOF:
        connected.set()
        said = answers(pb.PlayResponse.FromString(data))
        if said:
            await stream.write(said)


async def main(address: str, tokens: list[str]) -> None:
    """Play until killed."""
    tasks = []
    for token in tokens:
        channel = grpc.aio.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)])
        connected = asyncio.Event()
        tasks.append(asyncio.create_task(play(channel, token, 16, connected)))
        await connected.wait()
    print("ready", flush=True)
    await asyncio.gather(*tasks)


if __name__ == "__main__":
    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    asyncio.run(main(sys.argv[1], sys.argv[2:]))
