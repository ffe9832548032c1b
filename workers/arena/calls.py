"""What every call of the arena shares: who calls, pages, and how errors of the parts below become refusals."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from thousand.rules.errors import RulesError
from workers.arena.errors import (
    BadRequest,
    NoSuchThing,
    NotAllowed,
    NotNow,
    Refusal,
    Stopping,
    Taken,
    TooMuch,
    UnknownKey,
)
from workers.arena.keys import hash_api_key
from workers.entrants import InvalidEntrants
from workers.formats import InvalidFormat, InvalidOption
from workers.model import Bot, Owner, Role
from workers.names import MAX_BYTES, InvalidName
from workers.store import Store, StoreError, StoreLost

T = TypeVar("T")
PAGE: Final = 50
PAGE_MAX: Final = 500
KEY_MAX: Final = 64
Metadata = Iterable[tuple[str, str | bytes]]


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls: an owner, or anyone."""

    owner: Owner | None = None

    @property
    def id(self) -> str:
        """Names the caller in idempotency keys."""
        return self.owner.owner_id if self.owner is not None else "anyone"

    def is_organiser(self) -> bool:
        """Runs tournaments, and may do what any owner may."""
        return self.owner is not None and self.owner.role is Role.ORGANISER

    def must_be_organiser(self) -> Owner:
        """The caller as an organiser. Raises NotAllowed."""
        if self.owner is None or not self.is_organiser():
            raise NotAllowed("this is for organisers: call with the organiser's API key that `arena up` printed")
        return self.owner

    def must_be_owner(self) -> Owner:
        """The caller as an owner of bots. Raises NotAllowed."""
        if self.owner is None:
            raise NotAllowed("this needs an API key: send the metadata `authorization: Bearer <API key>`")
        return self.owner

    def must_own(self, bot: Bot) -> None:
        """Raises NotAllowed for somebody else's bot."""
        owner = self.must_be_owner()
        if bot.owner_id != owner.owner_id and not self.is_organiser():
            raise NotAllowed(f"bot {bot.name!r} is someone else's: only its owner and organisers may do this")


def caller_of(store: Store, metadata: Metadata | None) -> Caller:
    """The caller by the API key in the metadata; without one, anyone. Raises UnknownKey."""
    for name, value in metadata or ():
        if name != "authorization":
            continue
        text = value.decode("ascii", "replace") if isinstance(value, bytes) else value
        scheme, _, key = text.partition(" ")
        key = key.strip()
        if scheme.lower() != "bearer" or not key:
            raise UnknownKey("the metadata `authorization` must read `Bearer <API key>`")
        if key.count(".") == 2:
            raise UnknownKey("a bot's token is no API key: call with the key of the bot's owner")
        owner = store.people.owner_of_key(hash_api_key(key))
        if owner is None:
            raise UnknownKey("the API key is unknown or was rotated: ask an organiser for a new one")
        return Caller(owner)
    return Caller()


def the_bot(store: Store, id_or_name: str) -> Bot:
    """The bot of this id or name. Raises BadRequest, NoSuchThing."""
    if not id_or_name:
        raise BadRequest("bot: write a bot's id or name")
    if len(id_or_name.encode()) > MAX_BYTES:  # no bot's, and dear to compare with the names there are
        raise NoSuchThing(f"there is no bot {id_or_name[:40]!r}…")
    bot = store.people.find_bot(id_or_name)
    if bot is None:
        raise NoSuchThing(f"there is no bot {id_or_name!r}: `thousand bot list` shows all")
    return bot


def idempotency_key(request: object) -> str:
    """The request's key, checked. Raises BadRequest."""
    key = str(getattr(request, "idempotency_key", ""))
    if len(key) > KEY_MAX:
        raise BadRequest(f"idempotency_key: at most {KEY_MAX} characters, e.g. a UUID")
    return key


def page(items: Sequence[T], size: int, token: str, most: int = 0) -> tuple[Sequence[T], str]:
    """One page and the token of the next, empty at the end; `most` items instead of the usual. Raises BadRequest."""
    start, size = page_start(token), page_size(size, most or PAGE, most or PAGE_MAX)
    following = start + size
    return items[start:following], f"p{following}" if following < len(items) else ""


def stored_page(read: Callable[[int, int], Sequence[T]], size: int, token: str) -> tuple[Sequence[T], str]:
    """The same, of a list that is read from `start` to `stop`, both inclusive as in Redis. Raises BadRequest."""
    start, size = page_start(token), page_size(size)
    found = read(start, start + size)
    return found[:size], f"p{start + size}" if len(found) > size else ""


def page_size(size: int, usual: int = PAGE, most: int = PAGE_MAX) -> int:
    """How many items a page has. Raises BadRequest."""
    if size > most:
        raise BadRequest(f"page_size: at most {most}")
    return size or usual


def page_start(token: str) -> int:
    """Where the page of this token begins. Raises BadRequest."""
    if not token:
        return 0
    if token[:1] != "p" or not token[1:].isascii() or not token[1:].isdigit() or len(token) > 12:
        raise BadRequest("page_token: pass back what next_page_token held")
    return int(token[1:])


_STORE_CODES: Final[dict[str, type[Refusal]]] = {
    "name_taken": Taken,
    "no_bot": NoSuchThing,
    "no_tournament": NoSuchThing,
    "no_schedule": NoSuchThing,
    "quota": TooMuch,
    "volatile": Stopping,
}


def as_refusal(error: Exception) -> Refusal | None:
    """The refusal that an error of a part below stands for; None for a fault of ours."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, InvalidName | RulesError):
        return BadRequest(str(error))
    if isinstance(error, InvalidOption):
        return BadRequest(f"options: {error}")
    if isinstance(error, InvalidFormat):
        return NotNow(str(error))
    if isinstance(error, InvalidEntrants):
        return NoSuchThing(str(error))
    if isinstance(error, StoreError):
        kind = _STORE_CODES.get(error.code)
        return None if kind is None else kind(str(error))
    if isinstance(error, StoreLost):
        return Stopping("the arena has lost its store: retry in a moment, with the same idempotency key")
    return None
