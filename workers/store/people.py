"""Owners, their bots, versions, API keys and token generations; names are unique to a reader; idempotency keys."""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from workers.codec import from_json, to_json
from workers.ids import new_id
from workers.model import Bot, Owner, VersionNote
from workers.names import clean_name, name_key
from workers.store import keys, scripts
from workers.store.connection import Connection, StoreError, text

DAY: Final = 24 * 3600


class People:
    """See the module."""

    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def create_owner(self, owner: Owner) -> Owner:
        """Store a new owner. Raises StoreError("name_taken") and InvalidName; the same id again is harmless."""
        owner = replace(owner, name=clean_name(owner.name, "owner name"), owner_id=owner.owner_id or new_id())
        self._create(keys.OWNERS, keys.OWNER_NAMES, owner.owner_id, owner.name, to_json(owner))
        return owner

    def owner(self, owner_id: str) -> Owner | None:
        """By id."""
        found = self._db.client.hget(keys.OWNERS, owner_id)
        return None if found is None else from_json(Owner, found)

    def owners(self) -> list[Owner]:
        """All, by name."""
        found = [from_json(Owner, raw) for raw in self._db.client.hvals(keys.OWNERS)]
        return sorted(found, key=lambda o: (o.name.casefold(), o.owner_id))

    def set_api_key(self, owner_id: str, hashed: str, *, first: bool = False) -> bool:
        """The one key of this owner from now on, given as its hash; the old one stops working at once.

        `first`: only if the owner has none; False if there is one.
        """
        names = [keys.API_KEYS, keys.OWNER_KEYS]
        return bool(self._db.run(scripts.SET_API_KEY, names, owner_id, hashed, int(first)))

    def owner_of_key(self, hashed: str) -> Owner | None:
        """Whose key this is."""
        owner_id = self._db.client.hget(keys.API_KEYS, hashed)
        return None if owner_id is None else self.owner(text(owner_id))

    def create_bot(self, owner_id: str, name: str, note: str = "", *, bot_id: str = "", created_ms: int = 0) -> Bot:
        """A new bot with version 1. Raises StoreError("name_taken") and InvalidName; the same id again is harmless."""
        versions = (VersionNote(1, note, created_ms),)
        bot = Bot(bot_id or new_id(), owner_id, clean_name(name, "bot name"), versions, created_ms=created_ms)
        self._create(keys.BOTS, keys.BOT_NAMES, bot.bot_id, bot.name, to_json(bot))
        return self.bot(bot.bot_id) or bot

    def bot(self, bot_id: str) -> Bot | None:
        """By id."""
        found = self._db.client.hget(keys.BOTS, bot_id)
        return None if found is None else from_json(Bot, found)

    def find_bot(self, id_or_name: str) -> Bot | None:
        """By id, else by name."""
        by_id = self.bot(id_or_name)
        if by_id is not None:
            return by_id
        bot_id = self._db.client.hget(keys.BOT_NAMES, name_key(id_or_name))
        return None if bot_id is None else self.bot(text(bot_id))

    def bots(self, owner_id: str = "") -> list[Bot]:
        """All, or one owner's, by name."""
        found = [from_json(Bot, raw) for raw in self._db.client.hvals(keys.BOTS)]
        chosen = (bot for bot in found if not owner_id or bot.owner_id == owner_id)
        return sorted(chosen, key=lambda b: (b.name.casefold(), b.bot_id))

    def add_version(self, bot_id: str, note: str = "", created_ms: int = 0, *, made_by: str = "") -> Bot:
        """One more version; the same `made_by` again is harmless. Raises StoreError("no_bot")."""

        def add(bot: Bot) -> Bot:
            if made_by and any(version.made_by == made_by for version in bot.versions):
                return bot
            return replace(bot, versions=(*bot.versions, VersionNote(bot.version + 1, note, created_ms, made_by)))

        return self._change(bot_id, add)

    def retire(self, bot_id: str, retired: bool = True) -> Bot:
        """Takes part in nothing new, or does so again. Raises StoreError("no_bot")."""
        return self._change(bot_id, lambda bot: replace(bot, retired=retired))

    def tag(self, bot_id: str, tags: tuple[str, ...]) -> Bot:
        """Tags from now on. Raises StoreError("no_bot")."""
        return self._change(bot_id, lambda bot: replace(bot, tags=tags))

    def generation(self, bot_id: str) -> int:
        """The lowest valid token generation."""
        return int(self._db.client.hget(keys.GENERATIONS, bot_id) or 0)

    def generations(self) -> dict[str, int]:
        """Those above 0, by bot id."""
        return {text(bot): int(lowest) for bot, lowest in self._db.client.hgetall(keys.GENERATIONS).items()}

    def next_generation(self, bot_id: str) -> int:
        """Refuse all tokens so far; the generation that holds from now on."""
        return int(self._db.client.hincrby(keys.GENERATIONS, bot_id, 1))

    def once(self, caller: str, key: str, make: Callable[[str], str]) -> str:
        """`make(id)` once per caller and idempotency key (field case B38): every call answers the same id.

        `make` must accept the same id twice: whoever comes second may finish what the first began.
        """
        if not key:
            return make(new_id())
        name = keys.idempotency(caller, hashlib.sha256(key.encode()).hexdigest())
        self._db.client.set(name, new_id(), nx=True, ex=DAY)
        return make(text(self._db.client.get(name)))

    def known(self, caller: str, key: str) -> str:
        """The id that the first call with this key was given, "" if there was none."""
        if not key:
            return ""
        return text(self._db.client.get(keys.idempotency(caller, hashlib.sha256(key.encode()).hexdigest())))

    def _create(self, objects: str, names: str, object_id: str, name: str, value: bytes) -> None:
        holder = text(self._db.run(scripts.CREATE_NAMED, [objects, names], object_id, name_key(name), value))
        if holder != object_id:
            raise StoreError("name_taken", f"the name {name!r} is taken, or looks like one that is: choose another")

    def _change(self, bot_id: str, change: Callable[[Bot], Bot]) -> Bot:
        while True:
            old = self._db.client.hget(keys.BOTS, bot_id)
            if old is None:
                raise StoreError("no_bot", f"there is no bot {bot_id!r}")
            new = change(from_json(Bot, old))
            if self._db.run(scripts.SWAP, [keys.BOTS], bot_id, old, to_json(new)):
                return new
