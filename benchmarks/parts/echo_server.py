"""The peer of the referee: a bare grpc.aio stream that answers each message with one of a given size."""

import asyncio
import sys
from collections.abc import AsyncIterator
from typing import Any

import grpc
import uvloop


async def main(size: int) -> None:
    """Serve until killed."""
    answer = bytes(size)

    async def echo(requests: Any, _context: Any) -> AsyncIterator[bytes]:
        async for _ in requests:
            yield answer

    handler: Any = grpc.stream_stream_rpc_method_handler(echo)
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("Echo", {"Play": handler}),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(port, flush=True)
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    asyncio.run(main(int(sys.argv[1])))
