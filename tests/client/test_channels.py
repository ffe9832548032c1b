"""thousand.channels: which addresses are this machine's."""

import pytest

from thousand.channels import is_local


@pytest.mark.parametrize(
    "address", ["127.0.0.1:1", "127.9.9.9:1", "[::1]:1", "localhost:1", "unix:/tmp/x", "unix-abstract:x"]
)
def test_this_machines_addresses(address: str) -> None:
    assert is_local(address)


@pytest.mark.parametrize(
    "address", ["0.0.0.0:1", "[::]:1", "10.0.0.1:1", "arena.example:443", "localhost.example:1", ":1"]
)
def test_any_other_address_gets_tls(address: str) -> None:
    assert not is_local(address)
