"""Commit and reveal: which cards a tournament plays, fixed beforehand, known to nobody, checkable afterwards.

Before the start the SHA-256 of a secret is published, at the end the secret. Every match seed is an HMAC under the
secret over the block's place, the seat order's place and a hash of the entrants and their nonces, so that neither the
arena alone nor an entrant alone chooses cards; nothing derives from the published hash itself.
"""

import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence
from typing import Final

from workers.model import Entrant

SECRET_BYTES: Final = 32


def new_secret() -> bytes:
    """A tournament's secret."""
    return secrets.token_bytes(SECRET_BYTES)


def public_secret(seed: int, number: int = 0) -> bytes:
    """The secret of an unverifiable tournament, or of its round `number`: anybody can know it."""
    place = f"/{number}" if number else ""
    return hashlib.sha256(f"thousand/public-seed/{seed}{place}".encode()).digest()


def draw(secret: bytes) -> bytes:
    """What a format draws lots from."""
    return _derive(secret, b"draw")


def commitment(secret: bytes) -> str:
    """What is published before the start, hex."""
    return hashlib.sha256(secret).hexdigest()


def entrants_hash(entrants: Sequence[Entrant]) -> bytes:
    """Mixes in who takes part and what their owners chose."""
    listed = [[e.player.key, e.nonce] for e in entrants]
    return hashlib.sha256(json.dumps(listed, separators=(",", ":")).encode()).digest()


def match_seed(secret: bytes, block: int, permutation: int | None, mixed: bytes) -> bytes:
    """The 32 bytes that a match's decks, first dealer and bot seeds derive from; None: at every table of a board."""
    place = f"board/{block}" if permutation is None else f"match/{block}/{permutation}"
    return _derive(secret, place.encode() + b"\0" + mixed)


def match_id(secret: bytes, tournament_id: str, block: int, permutation: int) -> str:
    """An id of 22 characters that tells neither block nor seat order nor seed."""
    digest = _derive(secret, f"match-id/{tournament_id}/{block}/{permutation}".encode())
    made = base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")
    return f"m{made[1:]}" if made[0] in "-_" else made  # a shell would take a dash for an option


def _derive(secret: bytes, message: bytes) -> bytes:
    return hmac.new(secret, message, hashlib.sha256).digest()
