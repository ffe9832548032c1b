"""Addresses, HOST:PORT or unix:PATH: what is wrong with one, and which never leave this machine.

Law: plaintext on this machine only; every other address speaks TLS. Both ends decide by `is_local`.
"""

import ipaddress
from contextlib import suppress

MAX_PORT = 65535


def is_local(address: str) -> bool:
    """Whether an address can be reached from this machine alone: loopback, or a unix socket."""
    if address.startswith(("unix:", "unix-abstract:")):
        return True
    host = host_of(address)
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def host_of(address: str) -> str:
    """The host of HOST:PORT, an IPv6 one without its brackets."""
    return address.rpartition(":")[0].strip("[]")


def fault(address: str) -> str | None:
    """Why this is no address, for the person who wrote it; None if it is one."""
    if address.startswith(("unix:", "unix-abstract:")):
        return None if address.partition(":")[2] else f"{address!r} names no socket: write unix:PATH"
    host, colon, port = address.rpartition(":")
    if not colon or not port.isascii() or not port.isdigit():
        return f"{address!r} has no port: write HOST:PORT, e.g. 127.0.0.1:4800"
    if not host or any(letter.isspace() or letter == "/" for letter in host):
        return f"{address!r} names no host: write HOST:PORT, e.g. 127.0.0.1:4800"
    if int(port) > MAX_PORT:
        return f"{address!r}: a port is at most {MAX_PORT}"
    return None
