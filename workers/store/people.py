"""Owners, their bots, versions, API keys and token generations; names are unique to a reader; idempotency keys."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from workers.codec import from_json, to_json
from workers.ids import new_id
from workers.model import Bot, Owner, VersionNote
from workers.names import clean_name, name_key
from workers.store import keys, scripts, scripts_people
from workers.store.connection import Connection, StoreError, text

DAY: Final = 24 * 3600
NO_LIMIT: Final = -1


class People:
    """See the module."""

    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def create_owner(self, owner: Owner) -> Owner:
        """Store a new owner. Raises StoreError("name_taken") and InvalidName; the same id again is harmless."""
        owner = replace(owner, name=clean_name(owner.name, "owner name"), owner_id=owner.owner_id or new_id())
        names = [keys.OWNERS, keys.OWNER_NAMES, keys.OWNER_ORDER, keys.OWNER_ORDER]
        self._create(names, owner.owner_id, owner.name, to_json(owner))
        return owner

    def owner(self, owner_id: str) -> Owner | None:
        """By id."""
        found = self._db.client.hget(keys.OWNERS, owner_id)
        return None if found is None else from_json(Owner, found)

    def owners(self, start: int = 0, stop: int = -1) -> list[Owner]:
        """By name; `stop` inclusive as in Redis."""
        return [from_json(Owner, raw) for raw in self._by_name(keys.OWNERS, keys.OWNER_ORDER, start, stop)]

    def set_api_key(self, owner_id: str, hashed: str, *, first: bool = False) -> bool:
        """The one key of this owner from now on, given as its hash; the old one stops working at once.

        `first`: only if the owner has none; False if there is one.
        """
        names = [keys.API_KEYS, keys.OWNER_KEYS]
        return bool(self._db.run(scripts_people.SET_API_KEY, names, owner_id, hashed, int(first)))

    def owner_of_key(self, hashed: str) -> Owner | None:
        """Whose key this is."""
        owner_id = self._db.client.hget(keys.API_KEYS, hashed)
        return None if owner_id is None else self.owner(text(owner_id))

    def create_bot(
        self, owner_id: str, name: str, note: str = "", *, bot_id: str = "", created_ms: int = 0, most: int = NO_LIMIT
    ) -> Bot:
        """A new bot with version 1. The same id again is harmless.

        Raises InvalidName, StoreError("name_taken"), and StoreError("quota") if the owner has `most` bots already.
        """
        versions = (VersionNote(1, note, created_ms),)
        bot = Bot(bot_id or new_id(), owner_id, clean_name(name, "bot name"), versions, created_ms=created_ms)
        names = [keys.BOTS, keys.BOT_NAMES, keys.BOT_ORDER, keys.bots_of(owner_id)]
        self._create(names, bot.bot_id, bot.name, to_json(bot), most)
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

    def bots(self, owner_id: str = "", start: int = 0, stop: int = -1) -> list[Bot]:
        """All, or one owner's, by name; `stop` inclusive as in Redis."""
        order = keys.bots_of(owner_id) if owner_id else keys.BOT_ORDER
        return [from_json(Bot, raw) for raw in self._by_name(keys.BOTS, order, start, stop)]

    def bot_count(self, owner_id: str) -> int:
        """How many bots an owner has."""
        return int(self._db.client.zcard(keys.bots_of(owner_id)))

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

    def next_generation(self, bot_id: str, *, made_by: str = "") -> int:
        """Refuse all tokens so far; the generation that holds from now on. The same `made_by` again is harmless."""
        if not made_by:
            return int(self._db.client.hincrby(keys.GENERATIONS, bot_id, 1))
        return int(self._db.run(scripts_people.ROTATE, [keys.GENERATIONS, keys.rotation(bot_id, made_by)], bot_id, DAY))

    def spend(self, owner_id: str, quota: str, what: str, most: int, now_ms: int, *, period: str = "") -> bool:
        """Count `what` against an owner's quota; False if `most` are spent. The same `what` again is harmless.

        `period`: that of the quota, e.g. a day; forgotten two days later.
        """
        name = keys.spent(owner_id, quota, period)
        return bool(self._db.run(scripts_people.SPEND, [name], what, most, now_ms, 2 * DAY * 1000 if period else 0))

    def spent(self, owner_id: str, quota: str, *, period: str = "") -> dict[str, int]:
        """What a quota was spent on, and when."""
        found = self._db.client.zrange(keys.spent(owner_id, quota, period), 0, -1, withscores=True)
        return {text(what): int(when) for what, when in found}

    def give_back(self, owner_id: str, quota: str, what: Sequence[str], *, period: str = "") -> None:
        """No longer count these."""
        if what:
            self._db.client.zrem(keys.spent(owner_id, quota, period), *what)

    def once(self, caller: str, key: str, make: Callable[[str], str], fresh: Callable[[], str] = new_id) -> str:
        """`make(id)` once per caller and idempotency key (field case B38): every call answers the same id.

        `make` must accept the same id twice: whoever comes second may finish what the first began. `fresh` makes ids.
        """
        if not key:
            return make(fresh())
        name = keys.idempotency(caller, hashlib.sha256(key.encode()).hexdigest())
        self._db.client.set(name, fresh(), nx=True, ex=DAY)
        return make(text(self._db.client.get(name)))

    def known(self, caller: str, key: str) -> str:
        """The id that the first call with this key was given, "" if there was none."""
        if not key:
            return ""
        return text(self._db.client.get(keys.idempotency(caller, hashlib.sha256(key.encode()).hexdigest())))

    def index(self) -> None:
        """Make the orders by name of a store that was written before there were any."""
        for objects, order in ((keys.OWNERS, keys.OWNER_ORDER), (keys.BOTS, keys.BOT_ORDER)):
            if self._db.client.hlen(objects) == self._db.client.zcard(order):
                continue
            for raw in self._db.client.hvals(objects):
                if objects == keys.OWNERS:
                    owner = from_json(Owner, raw)
                    self._db.client.zadd(order, {_place(owner.name, owner.owner_id): 0})
                else:
                    bot = from_json(Bot, raw)
                    for name in (order, keys.bots_of(bot.owner_id)):
                        self._db.client.zadd(name, {_place(bot.name, bot.bot_id): 0})

    def _by_name(self, objects: str, order: str, start: int, stop: int) -> list[bytes]:
        places = self._db.client.zrange(order, start, stop)
        ids = [place.rpartition(b"\0")[2] for place in places]
        return [raw for raw in self._db.client.hmget(objects, ids) if raw is not None] if ids else []

    def _create(self, names: list[str], object_id: str, name: str, value: bytes, most: int = NO_LIMIT) -> None:
        arguments = (object_id, name_key(name), value, _place(name, object_id), most)
        holder = text(self._db.run(scripts_people.CREATE_NAMED, names, *arguments))
        if not holder:
            raise StoreError("quota", f"this owner has {most} already")
        if holder != object_id:
            raise StoreError("name_taken", f"the name {name!r} is taken, or looks like one that is: choose another")

    def _change(self, bot_id: str, change: Callable[[Bot], Bot]) -> Bot:
        while True:
            old = self._db.client.hget(keys.BOTS, bot_id)
            if old is None:
                raise StoreError("no_bot", f"there is no bot {bot_id!r}")
            new = change(from_json(Bot, old))
            if self._db.run(scripts.SWAP, [keys.BOTS, keys.CHANGES], bot_id, old, to_json(new)):
                return new


def _place(name: str, object_id: str) -> str:
    """A member of an order by name: UTF-8 sorts by code point, and no name holds a zero."""
    return f"{name.casefold()}\0{object_id}"
