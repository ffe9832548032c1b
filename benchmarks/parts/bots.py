"""Light bots, many in one process: they read each decision's ids and answer without a thought."""

import asyncio
import sys
from typing import Any

import grpc
import uvloop

from thousand.v1 import action_pb2
from thousand.v1 import play_pb2 as pb


def choice(decision: pb.Decision) -> int:
    """Any action, but no deal is given up."""
    index = decision.decision_id * 7919 % len(decision.actions)
    if decision.actions[index].kind == action_pb2.ACTION_KIND_WRITE_OFF:
        index = (index + 1) % len(decision.actions)
    return index


def answers(message: pb.PlayResponse) -> list[pb.PlayRequestItem]:
    """What is to be said to a message."""
    items = []
    for item in message.items:
        kind = item.WhichOneof("item")
        if kind == "decision":
            decision = item.decision
            answer = pb.Answer(match_id=decision.match_id, decision_id=decision.decision_id, index=choice(decision))
            items.append(pb.PlayRequestItem(answer=answer))
        elif kind == "match_started":
            items.append(pb.PlayRequestItem(ready=pb.Ready(match_id=item.match_started.match_id)))
    return items


async def play(channel: Any, token: str, max_matches: int, connected: asyncio.Event) -> None:
    """One bot, until the stream ends."""
    call = channel.stream_stream("/thousand.v1.BotService/Play")
    stream = call(metadata=[("authorization", f"Bearer {token}")])
    hello = pb.Hello(protocol_min=1, protocol_max=1, instance_id="bench", max_matches=max_matches)
    await stream.write(pb.PlayRequest(items=[pb.PlayRequestItem(hello=hello)]).SerializeToString())
    while (data := await stream.read()) is not grpc.aio.EOF:
        connected.set()
        items = answers(pb.PlayResponse.FromString(data))
        if items:
            await stream.write(pb.PlayRequest(items=items).SerializeToString())


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
