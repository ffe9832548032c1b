"""The arena's keys: signs tokens for bots and for the workers, and makes API keys for people.

Law: the signing key never leaves the data directory; of API keys and tokens nothing is kept but hashes and generations.
"""

import hashlib
import os
import secrets
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

BOT_AUDIENCE: Final = "thousand-bot"
SERVICE_AUDIENCE: Final = "thousand-service"
API_KEY_PREFIX: Final = "tk_"
PRIVATE_FILE: Final = "signing_key.pem"
PUBLIC_FILE: Final = "public_key.pem"
SERVICE_FILE: Final = "service.token"


@dataclass(frozen=True, slots=True)
class KeyRing:
    """The signing key pair of one arena. `kid` names it in every token; `public_file` is what referees are given."""

    private: Ed25519PrivateKey
    kid: str
    public_file: Path

    def bot_token(self, bot_id: str, version: int, generation: int, stamp: str = "") -> str:
        """A token that seats this bot; it holds until the bot's lowest generation passes `generation`.

        `stamp`, as `new_stamp` makes them: the same gives the same token.
        """
        claims = {"aud": BOT_AUDIENCE, "bot": bot_id, "version": version, "generation": generation}
        return self._sign(claims, stamp or new_stamp())

    def service_token(self) -> str:
        """The credential of workers and arena on a referee's MatchService."""
        return self._sign({"aud": SERVICE_AUDIENCE}, new_stamp())

    def _sign(self, claims: dict[str, object], stamp: str) -> str:
        issued, _, identity = stamp.partition("-")
        body = {**claims, "kid": self.kid, "iat": int(issued), "jti": identity}
        return jwt.encode(body, self.private, algorithm="EdDSA", headers={"kid": self.kid})


def make_keys(folder: Path) -> KeyRing:
    """The keys of this data directory, made on first use, with the public key and a service token beside them."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / PRIVATE_FILE
    if not path.exists():
        private = Ed25519PrivateKey.generate()
        pem = private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        _write_private(path, pem)
    ring = load_keys(folder)
    _write_private(ring.public_file, _public_pem(ring.private))
    _write_private(folder / SERVICE_FILE, ring.service_token().encode())
    return ring


def load_keys(folder: Path) -> KeyRing:
    """The keys that the arena made in this data directory. Raises FileNotFoundError if it has not."""
    path = folder / PRIVATE_FILE
    if not path.exists():
        raise FileNotFoundError(f"{path} is missing: `arena up --data {folder}` makes it")
    loaded = serialization.load_pem_private_key(path.read_bytes(), password=None)
    if not isinstance(loaded, Ed25519PrivateKey):
        raise ValueError(f"{path} holds no Ed25519 key: move it away, and a new one is made (all tokens then end)")
    return KeyRing(loaded, hashlib.sha256(_public_pem(loaded)).hexdigest()[:16], folder / PUBLIC_FILE)


def _public_pem(private: Ed25519PrivateKey) -> bytes:
    return private.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def new_stamp() -> str:
    """When a token is made, and which it is: a fresh one."""
    return f"{int(time.time())}-{secrets.token_hex(8)}"


def new_api_key() -> str:
    """A fresh API key: 256 random bits, so a plain hash of it is as good as a slow one."""
    return API_KEY_PREFIX + secrets.token_urlsafe(32)


def hash_api_key(key: str) -> str:
    """What is stored of an API key."""
    return hashlib.sha256(key.encode()).hexdigest()


def _write_private(path: Path, content: bytes) -> None:
    new = path.with_suffix(".new")
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
    new.replace(path)
