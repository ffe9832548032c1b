"""Opens gRPC channels. Law: plaintext to this machine only, TLS to any other.

A certificate that no public authority has signed is trusted by naming it in GRPC_DEFAULT_SSL_ROOTS_FILE_PATH.
"""

from collections.abc import Sequence

import grpc

from thousand.address import is_local


def open_channel(address: str) -> grpc.Channel:
    """A channel for blocking calls."""
    if is_local(address):
        return grpc.insecure_channel(address)
    return grpc.secure_channel(address, grpc.ssl_channel_credentials())


def open_aio_channel(address: str, options: Sequence[tuple[str, int]]) -> grpc.aio.Channel:
    """A channel for asyncio."""
    if is_local(address):
        return grpc.aio.insecure_channel(address, options=options)
    return grpc.aio.secure_channel(address, grpc.ssl_channel_credentials(), options=options)
