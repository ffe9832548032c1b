"""Who is calling: Ed25519-signed tokens, checked with public keys only (the private one never comes here)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import grpc
import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

BOT_AUDIENCE: Final = "thousand-bot"
SERVICE_AUDIENCE: Final = "thousand-service"
_END: Final = b"-----END PUBLIC KEY-----"
_MAX_TOKEN: Final = 4096


@dataclass(frozen=True, slots=True)
class Refused(Exception):
    """A caller that is not let in: the status to end its call with, and a text that tells nothing it must not know."""

    status: grpc.StatusCode
    reason: str


@dataclass(frozen=True, slots=True)
class BotToken:
    """What a bot's token says."""

    bot: str
    version: int
    generation: int
    key_id: str


class Keys:
    """The public keys that tokens may be signed with."""

    def __init__(self, keys: Iterable[Ed25519PublicKey]) -> None:
        self._keys = tuple(keys)
        if not self._keys:
            raise ValueError("no public key: give at least one Ed25519 key in PEM")

    @classmethod
    def from_pem(cls, pem: bytes) -> "Keys":
        """All keys of a PEM file. Raises ValueError for anything but Ed25519 public keys."""
        keys = []
        for block in pem.split(_END)[:-1]:
            key = load_pem_public_key(block[block.index(b"-----BEGIN") :] + _END + b"\n")
            if not isinstance(key, Ed25519PublicKey):
                raise ValueError("a public key that is not Ed25519")
            keys.append(key)
        return cls(keys)

    def bot(self, metadata: Iterable[tuple[str, str | bytes]] | None) -> BotToken:
        """The bot that calls. Raises Refused."""
        claims = self._claims(metadata, BOT_AUDIENCE)
        bot, version, generation = claims.get("bot"), claims.get("version"), claims.get("generation", 0)
        if not (isinstance(bot, str) and bot and isinstance(version, int) and isinstance(generation, int)):
            raise Refused(grpc.StatusCode.UNAUTHENTICATED, "the token names no bot, version and generation")
        return BotToken(bot, version, generation, str(claims.get("kid", "")))

    def service(self, metadata: Iterable[tuple[str, str | bytes]] | None) -> None:
        """Checks that a service calls. Raises Refused."""
        self._claims(metadata, SERVICE_AUDIENCE)

    def _claims(self, metadata: Iterable[tuple[str, str | bytes]] | None, audience: str) -> dict[str, Any]:
        token = _bearer(metadata)
        for key in self._keys:
            try:
                return jwt.decode(token, key, algorithms=["EdDSA"], audience=audience)
            except jwt.InvalidSignatureError:
                continue
            except jwt.InvalidAudienceError:
                raise Refused(grpc.StatusCode.PERMISSION_DENIED, f"this needs a {audience} token") from None
            except jwt.ExpiredSignatureError:
                raise Refused(grpc.StatusCode.UNAUTHENTICATED, "the token has expired") from None
            except jwt.InvalidTokenError:
                break
        raise Refused(grpc.StatusCode.UNAUTHENTICATED, "the token is not valid here")


def _bearer(metadata: Iterable[tuple[str, str | bytes]] | None) -> str:
    for name, value in metadata or ():
        if name == "authorization":
            text = value.decode("ascii", "replace") if isinstance(value, bytes) else value
            scheme, _, token = text.partition(" ")
            if scheme.lower() == "bearer" and token and len(token) <= _MAX_TOKEN:
                return token.strip()
    raise Refused(grpc.StatusCode.UNAUTHENTICATED, "no token: send the metadata `authorization: Bearer <token>`")
