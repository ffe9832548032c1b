"""Addresses: which are of this machine, and what is told of those that are none."""

import pytest

from thousand.address import fault, is_local


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("127.0.0.1:1", True),
        ("127.9.9.9:1", True),
        ("localhost:1", True),
        ("[::1]:1", True),
        ("unix:/tmp/x", True),
        ("0.0.0.0:1", False),
        ("[::]:1", False),
        ("10.0.0.1:1", False),
        ("arena.example:443", False),
        ("localhost.example:443", False),
    ],
)
def test_plaintext_stays_on_this_machine(address: str, local: bool) -> None:
    assert is_local(address) is local
    assert fault(address) is None


@pytest.mark.parametrize(
    "address", ["", "arena", "arena:", ":4800", "arena:http", "127.0.0.1:99999", "https://arena:443", "a b:1", "unix:"]
)
def test_what_is_no_address_is_told(address: str) -> None:
    told = fault(address)
    assert told is not None
    assert repr(address) in told
