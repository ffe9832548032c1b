"""The calls about owners, bots, versions and tokens."""

import re
import time
from collections.abc import Sequence
from functools import partial
from typing import Final

from thousand.v1 import arena_pb2 as api
from thousand.v1 import bot_pb2
from workers.arena import encode
from workers.arena.calls import Caller, idempotency_key, page, stored_page, the_bot
from workers.arena.errors import BadRequest, NoSuchThing, NotAllowed, TooMuch
from workers.arena.keys import KeyRing, hash_api_key, new_api_key, new_stamp
from workers.arena.quotas import OwnerQuotas
from workers.model import Bot, Owner
from workers.store import Store, StoreError

VERSIONS_PER_BOT: Final = 1000
NOTE_MAX: Final = 500
TAGS_MAX: Final = 20
TAG: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,29}")
TAG_WORDS: Final = "write 1 to 30 lower-case letters, digits, - and _, a letter or digit first"


class PeopleCalls:
    """Owners and bots. Blocking: called in a thread."""

    def __init__(self, store: Store, keys: KeyRing, quotas: OwnerQuotas) -> None:
        self._store, self._keys, self._quotas = store, keys, quotas

    def who_am_i(self, caller: Caller, request: api.WhoAmIRequest) -> api.WhoAmIResponse:
        """The role and owner behind the key."""
        if caller.owner is None:
            return api.WhoAmIResponse(role=bot_pb2.ROLE_ANYONE)
        quotas = [] if caller.is_organiser() else self._quotas.told(caller.owner.owner_id)
        role = encode.ROLES[caller.owner.role]
        return api.WhoAmIResponse(role=role, owner=encode.owner(caller.owner), quotas=quotas)

    def create_owner(self, caller: Caller, request: api.CreateOwnerRequest) -> api.CreateOwnerResponse:
        """A new owner; the API key is told to the first call only."""
        caller.must_be_organiser()
        key = idempotency_key(request)
        made = self._store.people.once(
            caller.id, f"owner/{key}" if key else "", lambda owner_id: self._owner(owner_id, request.name)
        )
        owner = self._owner_of(made)
        api_key = new_api_key()
        is_first = self._store.people.set_api_key(made, hash_api_key(api_key), first=True)
        return api.CreateOwnerResponse(owner=encode.owner(owner), api_key=api_key if is_first else "")

    def list_owners(self, caller: Caller, request: api.ListOwnersRequest) -> api.ListOwnersResponse:
        """All owners by name."""
        owners, following = stored_page(self._store.people.owners, request.page_size, request.page_token)
        return api.ListOwnersResponse(owners=map(encode.owner, owners), next_page_token=following)

    def rotate_owner_key(self, caller: Caller, request: api.RotateOwnerKeyRequest) -> api.RotateOwnerKeyResponse:
        """A new API key; the old one stops working at once."""
        me = caller.must_be_owner()
        owner = self._owner_of(request.owner_id or me.owner_id)
        if owner.owner_id != me.owner_id and not caller.is_organiser():
            raise NotAllowed("this is someone else's key: only that owner and organisers may rotate it")
        key = new_api_key()
        self._store.people.set_api_key(owner.owner_id, hash_api_key(key))
        return api.RotateOwnerKeyResponse(api_key=key)

    def create_bot(self, caller: Caller, request: api.CreateBotRequest) -> api.CreateBotResponse:
        """A new bot of the caller with version 1 and a token."""
        owner = caller.must_be_owner()
        note = _note(request.note)
        key = idempotency_key(request)

        def make(bot_id: str) -> str:
            most = self._quotas.bots(caller.is_organiser())
            try:
                made = self._store.people.create_bot(
                    owner.owner_id, request.name, note, bot_id=bot_id, created_ms=_now_ms(), most=most
                )
            except StoreError as error:
                raise self._quotas.too_many_bots(owner) if error.code == "quota" else error from None
            return made.bot_id

        bot = the_bot(self._store, self._store.people.once(caller.id, f"bot/{key}" if key else "", make))
        return api.CreateBotResponse(bot=self.encoded(bot), token=self._token(bot, 1))

    def get_bot(self, caller: Caller, request: api.GetBotRequest) -> api.GetBotResponse:
        """One bot."""
        return api.GetBotResponse(bot=self.encoded(the_bot(self._store, request.bot)))

    def list_bots(self, caller: Caller, request: api.ListBotsRequest) -> api.ListBotsResponse:
        """All bots by name."""
        bots, following = self._listed(request)
        here = encode.presence_by_bot(self._store.presence.everywhere())
        lowest = self._store.people.generations()
        listed = [encode.bot(bot, lowest.get(bot.bot_id, 0), here.get(bot.bot_id)) for bot in bots]
        return api.ListBotsResponse(bots=listed, next_page_token=following)

    def create_version(self, caller: Caller, request: api.CreateBotVersionRequest) -> api.CreateBotVersionResponse:
        """A new version of the bot, and its token."""
        bot = self._own(caller, request.bot)
        note, key = _note(request.note), idempotency_key(request)

        def make(made_by: str) -> str:
            if any(version.made_by == made_by for version in bot.versions):
                return made_by
            if bot.version >= VERSIONS_PER_BOT:
                raise TooMuch(
                    f"bot {bot.name!r} has {VERSIONS_PER_BOT} versions: make a new bot", "versions", bot.bot_id
                )
            if not caller.is_organiser():
                self._quotas.spend_version(bot.owner_id, made_by)
            self._store.people.add_version(bot.bot_id, note, _now_ms(), made_by=made_by)
            return made_by

        made_by = self._store.people.once(caller.id, f"version/{bot.bot_id}/{key}" if key else "", make)
        changed = the_bot(self._store, bot.bot_id)
        token = self._token(changed, next(v.version for v in changed.versions if v.made_by == made_by))
        return api.CreateBotVersionResponse(bot=self.encoded(changed), token=token)

    def set_tags(self, caller: Caller, request: api.SetBotTagsRequest) -> api.SetBotTagsResponse:
        """The tags of a bot from now on."""
        bot = self._own(caller, request.bot)
        tags = tuple(dict.fromkeys(request.tags))
        if len(tags) > TAGS_MAX:
            raise BadRequest(f"tags: at most {TAGS_MAX}")
        for tag in tags:
            if not TAG.fullmatch(tag):
                raise BadRequest(f"tags: {tag[:40]!r} is none: {TAG_WORDS}")
        return api.SetBotTagsResponse(bot=self.encoded(self._store.people.tag(bot.bot_id, tags)))

    def retire_bot(self, caller: Caller, request: api.RetireBotRequest) -> api.RetireBotResponse:
        """Takes part in nothing new, or does so again."""
        bot = self._own(caller, request.bot)
        return api.RetireBotResponse(bot=self.encoded(self._store.people.retire(bot.bot_id, request.retired)))

    def create_token(self, caller: Caller, request: api.CreateBotTokenRequest) -> api.CreateBotTokenResponse:
        """One more token of the current generation."""
        bot = self._own(caller, request.bot)
        version, key = _version(bot, request.version), idempotency_key(request)
        name = f"token/{bot.bot_id}/{version}/{key}" if key else ""
        stamp = self._store.people.once(caller.id, name, lambda made: made, new_stamp)
        return api.CreateBotTokenResponse(token=self._token(bot, version, stamp))

    def rotate_token(self, caller: Caller, request: api.RotateBotTokenRequest) -> api.RotateBotTokenResponse:
        """A token of a new generation."""
        bot = self._own(caller, request.bot)
        version, key = _version(bot, request.version), idempotency_key(request)

        def rotate(stamp: str) -> str:
            self._store.people.next_generation(bot.bot_id, made_by=stamp)
            return stamp

        name = f"rotation/{bot.bot_id}/{version}/{key}" if key else ""
        stamp = self._store.people.once(caller.id, name, rotate, new_stamp)
        return api.RotateBotTokenResponse(token=self._token(bot, version, stamp))

    def revoke_tokens(self, caller: Caller, request: api.RevokeBotTokensRequest) -> api.RevokeBotTokensResponse:
        """All tokens are refused from now on."""
        bot = self._own(caller, request.bot)
        return api.RevokeBotTokensResponse(lowest_generation=self._store.people.next_generation(bot.bot_id))

    def encoded(self, bot: Bot) -> bot_pb2.Bot:
        """A bot with its presence."""
        here = encode.presence_by_bot(self._store.presence.everywhere())
        return encode.bot(bot, self._store.people.generation(bot.bot_id), here.get(bot.bot_id))

    def _listed(self, request: api.ListBotsRequest) -> tuple[Sequence[Bot], str]:
        size, token = request.page_size, request.page_token
        if request.owner_id:
            self._owner_of(request.owner_id)
        if request.tag:
            tagged = [bot for bot in self._store.people.bots(request.owner_id) if request.tag in bot.tags]
            return page(tagged, size, token)
        return stored_page(partial(self._store.people.bots, request.owner_id), size, token)

    def _owner(self, owner_id: str, name: str) -> str:
        return self._store.people.create_owner(Owner(owner_id, name, created_ms=_now_ms())).owner_id

    def _owner_of(self, owner_id: str) -> Owner:
        owner = self._store.people.owner(owner_id)
        if owner is None:
            raise NoSuchThing(f"there is no owner {owner_id!r}: `thousand owner list` shows all")
        return owner

    def _own(self, caller: Caller, id_or_name: str) -> Bot:
        caller.must_be_owner()
        bot = the_bot(self._store, id_or_name)
        caller.must_own(bot)
        return bot

    def _token(self, bot: Bot, version: int, stamp: str = "") -> bot_pb2.BotToken:
        generation = self._store.people.generation(bot.bot_id)
        token = self._keys.bot_token(bot.bot_id, version, generation, stamp)
        return bot_pb2.BotToken(bot_id=bot.bot_id, version=version, generation=generation, token=token)


def _version(bot: Bot, asked: int) -> int:
    if asked > bot.version:
        raise NoSuchThing(f"bot {bot.name!r} has no version {asked}: it has 1 to {bot.version}")
    return asked or bot.version


def _note(text: str) -> str:
    if len(text) > NOTE_MAX:
        raise BadRequest(f"note: at most {NOTE_MAX} characters")
    return text


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
