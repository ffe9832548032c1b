"""workers.arena.keys: what referees can check, and what is kept."""

from pathlib import Path

import jwt
import pytest

from workers.arena.keys import BOT_AUDIENCE, SERVICE_AUDIENCE, hash_api_key, load_keys, make_keys, new_api_key


def test_tokens_hold_what_a_referee_needs(tmp_path: Path) -> None:
    keys = make_keys(tmp_path)
    token = keys.bot_token("b-1", 2, 3)
    claims = jwt.decode(token, keys.public_file.read_bytes(), algorithms=["EdDSA"], audience=BOT_AUDIENCE)
    assert (claims["bot"], claims["version"], claims["generation"], claims["kid"]) == ("b-1", 2, 3, keys.kid)
    with pytest.raises(jwt.InvalidAudienceError):
        jwt.decode(token, keys.public_file.read_bytes(), algorithms=["EdDSA"], audience=SERVICE_AUDIENCE)


def test_the_same_key_is_loaded_again_and_is_private(tmp_path: Path) -> None:
    first, second = make_keys(tmp_path), load_keys(tmp_path)
    assert first.kid == second.kid
    assert (tmp_path / "signing_key.pem").stat().st_mode & 0o077 == 0
    assert (tmp_path / "service.token").stat().st_mode & 0o077 == 0


def test_api_keys_differ_and_hash_alike() -> None:
    key = new_api_key()
    assert key != new_api_key()
    assert hash_api_key(key) == hash_api_key(key) != key
