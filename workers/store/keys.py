"""Every Redis key of the platform, on one screen. (RQ's own begin with `rq:`.)"""

from typing import Final

P: Final = "thousand:"

ARENA: Final = P + "arena"  # string: the arena that attends this store, with a lifetime
OWNERS: Final = P + "owners"  # hash owner id -> Owner
OWNER_NAMES: Final = P + "owner-names"  # hash name key -> owner id
API_KEYS: Final = P + "api-keys"  # hash SHA-256 of an API key -> owner id
OWNER_KEYS: Final = P + "owner-keys"  # hash owner id -> SHA-256 of its key
BOTS: Final = P + "bots"  # hash bot id -> Bot
CHANGES: Final = P + "changes"  # how often a bot was changed or a leaderboard begun anew: pages may read otherwise
BOT_NAMES: Final = P + "bot-names"  # hash name key -> bot id
OWNER_ORDER: Final = P + "owner-order"  # zset of "name\0id", all of score 0: owners by name, a page at a time
BOT_ORDER: Final = P + "bot-order"  # the same of bots
GENERATIONS: Final = P + "generations"  # hash bot id -> lowest valid token generation, those above 0
TOURNAMENTS: Final = P + "tournaments"  # zset of listed tournaments by creation time
ACTIVE: Final = P + "active"  # set of running tournaments
PLANNED: Final = P + "planned"  # zset of blocks waiting for their bots, by the time they may be tried (0: at once)
LEASED: Final = P + "leased"  # zset of blocks queued or running, by the time the lease ends
SEATS: Final = P + "seats"  # hash "bot id/instance id" -> places reserved
SCHEDULES: Final = P + "schedules"  # hash schedule id -> ScheduledTournament
SCHEDULES_DUE: Final = P + "schedules-due"  # zset of schedules not paused, by the time to look at them next
OPENING: Final = P + "opening"  # hash "schedule id/due time" -> ScheduledRun decided on, its tournament not yet running
LEDGER: Final = P + "ledger"  # list of LedgerEntry, append only
LEDGER_TIMES: Final = P + "ledger-times"  # zset place in the ledger -> when it was appended, one an hour at most
LEADERBOARDS: Final = P + "leaderboards"  # hash leaderboard id -> Leaderboard
REFEREES: Final = P + "referees"  # hash referee id -> Referee
REFEREES_UNTIL: Final = P + "referees-until"  # zset of referee ids by the time their registration ends
CONFLICTS: Final = P + "conflicts"  # list of second reports that differ from the first
WORKERS: Final = P + "workers"  # hash worker name -> start failures in a row; gone a day after the last of them


def idempotency(caller: str, key: str) -> str:
    """String: what the first call answered; kept for a day."""
    return f"{P}idempotency:{caller}:{key}"


def bots_of(owner_id: str) -> str:
    """The same as BOT_ORDER, of one owner's bots."""
    return f"{P}owner:{owner_id}:bots"


def spent(owner_id: str, quota: str, period: str = "") -> str:
    """Zset of what an owner's quota was spent on, by time; those of a period are gone some time after it."""
    return f"{P}owner:{owner_id}:spent:{quota}:{period}"


def rotation(bot_id: str, made_by: str) -> str:
    """String: the generation that this call made; kept for a day."""
    return f"{P}rotation:{bot_id}:{made_by}"


def tournament(tournament_id: str) -> str:
    """Hash: spec, secret, state, next (first block not opened), front (first not settled), the open round (round,
    round_begin, round_end), counts.
    """
    return f"{P}tournament:{tournament_id}"


def waiting(tournament_id: str) -> str:
    """Hash block index -> LedgerEntry (or "-": cancelled) finished but behind the front."""
    return f"{P}tournament:{tournament_id}:waiting"


def settled(tournament_id: str) -> str:
    """List: places in the ledger of this tournament's entries."""
    return f"{P}tournament:{tournament_id}:settled"


def opened(tournament_id: str) -> str:
    """Set of this tournament's blocks that are neither done nor cancelled."""
    return f"{P}tournament:{tournament_id}:opened"


def matches(tournament_id: str) -> str:
    """List: match ids in schedule order, as far as blocks are opened."""
    return f"{P}tournament:{tournament_id}:matches"


def rounds(tournament_id: str) -> str:
    """List of Round, of an endless tournament."""
    return f"{P}tournament:{tournament_id}:rounds"


def round_secrets(tournament_id: str) -> str:
    """List of secrets of those rounds."""
    return f"{P}tournament:{tournament_id}:round-secrets"


def memory(tournament_id: str) -> str:
    """String JSON: what an endless format remembers of the rounds before the last one opened."""
    return f"{P}tournament:{tournament_id}:memory"


def schedule(schedule_id: str) -> str:
    """Hash: paused, settled, waiting, last, runs; see ScheduleState."""
    return f"{P}schedule:{schedule_id}"


def runs(schedule_id: str) -> str:
    """List of ScheduledRun, oldest first; the last few hundred."""
    return f"{P}schedule:{schedule_id}:runs"


def block(block_id: str) -> str:
    """Hash: spec, state, fence, claimant, referee, instances, places, at_once, reserved, postponements."""
    return f"{P}block:{block_id}"


def match(match_id: str) -> str:
    """Hash: block, report (MatchReport), record (compressed MatchRecord)."""
    return f"{P}match:{match_id}"


def journal(match_id: str) -> str:
    """List of JournalEntry messages of a running match; gone when its result is committed."""
    return f"{P}journal:{match_id}"


def presence(referee_id: str) -> str:
    """String RefereePresence, with a lifetime."""
    return f"{P}presence:{referee_id}"


def standings(leaderboard_id: str) -> str:
    """Hash player key -> Standing; the field "#" holds cursor and matches, "#N" the sums by seat of tables of N."""
    return f"{P}leaderboard:{leaderboard_id}"


def order(leaderboard_id: str) -> str:
    """Zset player key by score."""
    return f"{P}leaderboard:{leaderboard_id}:order"


def pairs(leaderboard_id: str) -> str:
    """Hash "player key player key" (the lesser first) -> Pair."""
    return f"{P}leaderboard:{leaderboard_id}:pairs"


def histories(leaderboard_id: str) -> str:
    """Hash player key -> its packed history, of bounded size."""
    return f"{P}leaderboard:{leaderboard_id}:histories"
