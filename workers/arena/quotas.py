"""What owners have spent of their quotas.

Law: a quota is counted where it is spent, in one step of the store, so that calls made at once cannot pass it.
Organisers have none.
"""

from typing import Final

from thousand.v1 import quota_pb2 as pb
from workers.arena.errors import TooMuch
from workers.model import ENDS, Owner
from workers.quotas import Quotas
from workers.store import Store
from workers.store.people import NO_LIMIT
from workers.timetable import time_of

FORGOTTEN_MS: Final = 60_000  # a match that was counted and never made does not count from then on


class OwnerQuotas:
    """What owners have spent. Blocking."""

    def __init__(self, store: Store, quotas: Quotas) -> None:
        self._store, self._quotas = store, quotas

    def bots(self, organiser: bool) -> int:
        """How many bots an owner may have, for `People.create_bot`."""
        return NO_LIMIT if organiser else self._quotas.bots

    def too_many_bots(self, owner: Owner) -> TooMuch:
        """The refusal."""
        most = self._quotas.bots
        return TooMuch(f"you have {most} bots, your quota: make a new version of one instead", "bots", owner.owner_id)

    def spend_version(self, owner_id: str, made_by: str) -> None:
        """One more version today. Raises TooMuch."""
        now, most = self._store.now_ms(), self._quotas.versions_per_day
        if not self._store.people.spend(owner_id, "versions", made_by, most, now, period=_day(now)):
            raise TooMuch(
                f"you have made {most} versions today, your quota: go on after midnight UTC",
                "versions_per_day",
                owner_id,
            )

    def spend_match(self, owner_id: str, tournament_id: str) -> None:
        """One more match at once. Raises TooMuch."""
        self._forget_ended(owner_id)
        now, most = self._store.now_ms(), self._quotas.running_matches
        if not self._store.people.spend(owner_id, "matches", tournament_id, most, now):
            raise TooMuch(
                f"{most} of your matches are running, your quota: wait until one has ended",
                "running_matches",
                owner_id,
            )

    def told(self, owner_id: str) -> list[pb.Quota]:
        """All quotas of an owner, and what of them is spent."""
        self._forget_ended(owner_id)
        people, today = self._store.people, _day(self._store.now_ms())
        used = {
            "bots": people.bot_count(owner_id),
            "versions_per_day": len(people.spent(owner_id, "versions", period=today)),
            "running_matches": len(people.spent(owner_id, "matches")),
        }
        return [pb.Quota(name=name, limit=getattr(self._quotas, name), used=count) for name, count in used.items()]

    def _forget_ended(self, owner_id: str) -> None:
        now = self._store.now_ms()
        ended = []
        for tournament_id, since in self._store.people.spent(owner_id, "matches").items():
            state = self._store.tournaments.state(tournament_id)
            if state in ENDS or (state is None and now - since > FORGOTTEN_MS):
                ended.append(tournament_id)
        self._store.people.give_back(owner_id, "matches", ended)


def _day(now_ms: int) -> str:
    return f"{time_of(now_ms):%Y-%m-%d}"
