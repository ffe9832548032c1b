"""Projects the ledger into leaderboards, as far as each has come, and rebuilds them.

Law: one writer at a time moves a leaderboard, by compare-and-set of its cursor; whoever is late has changed nothing.
"""

from workers.fold import Fold, touched
from workers.model import Leaderboard, LedgerEntry, Scope
from workers.store import Store
from workers.store.leaderboards import dump_of
from workers.store.ledger import CHUNK


def concerns(board: Leaderboard, entry: LedgerEntry) -> bool:
    """Whether this leaderboard folds this entry."""
    if board.scope is Scope.TOURNAMENT:
        return entry.tournament_id == board.subject
    return entry.world and (board.scope is Scope.ALL or entry.ruleset == board.subject)


def project(store: Store, board: Leaderboard) -> int:
    """Fold what the ledger has behind the cursor; how many entries. Safe to run from several processes.

    Only what the entries touch is read, chunk by chunk, so memory does not grow with the leaderboard.
    """
    done = 0
    while True:
        cursor, _ = store.leaderboards.cursor(board)
        entries = store.ledger.read(cursor, CHUNK)
        if not entries:
            return done
        chosen = [(place, entry) for place, entry in enumerate(entries, cursor) if concerns(board, entry)]
        known = store.leaderboards.known(board, cursor, *touched([entry for _, entry in chosen]))
        if known is None:
            return done  # somebody folds: the next tick begins afresh
        fold = Fold(board.parameters, known)
        for place, entry in chosen:
            fold.add(entry, place)
        if not store.leaderboards.project(board, cursor, cursor + len(entries), fold.now):
            return done
        done += len(entries)


def rebuild(store: Store, board: Leaderboard) -> bool:
    """Fold everything again from the start; True if the bytes are those that stood there, which then stay.

    Others may fold on meanwhile: what is compared is how far the leaderboard had come.
    """
    while True:
        cursor, _ = store.leaderboards.cursor(board)
        stood = store.leaderboards.dump(board.leaderboard_id)
        if store.leaderboards.cursor(board)[0] == cursor:
            break
    fold = folded(store, board, cursor)
    if stood == (dump_of(cursor, fold.now) if stood else b""):
        return True
    store.leaderboards.clear(board.leaderboard_id)
    project(store, board)
    return False


def folded(store: Store, board: Leaderboard, end: int) -> Fold:
    """The ledger from the leaderboard's start up to `end`, folded in this process."""
    fold = Fold(board.parameters)
    for begin in range(board.start, end, CHUNK):
        for place, entry in enumerate(store.ledger.read(begin, min(CHUNK, end - begin)), begin):
            if concerns(board, entry):
                fold.add(entry, place)
    return fold
