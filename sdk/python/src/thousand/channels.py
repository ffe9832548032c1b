"""Opens gRPC channels. Law: plaintext to this machine only, TLS to any other."""

import ipaddress
from collections.abc import Sequence

import grpc


def is_local(address: str) -> bool:
    """Whether HOST:PORT (or unix:PATH) never leaves this machine."""
    if address.startswith(("unix:", "unix-abstract:")):
        return True
    host = address.rpartition(":")[0].strip("[]")
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


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
