"""Leaderboards in a real Redis: whoever folds, whatever is delivered twice, late or at once, the bytes are the same."""

import random
import threading
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.redis_server import RedisServer
from tests.workers import arena, ledgers
from workers import blocks
from workers.codec import to_json
from workers.fold import Fold
from workers.model import Block, Leaderboard, LedgerEntry, Player, RatingParameters, Scope
from workers.projection import concerns, folded, project, rebuild
from workers.scheduler import Scheduler
from workers.standings import Pair, Projection, Standing, rank
from workers.store import Committed, Store, keys
from workers.store.leaderboards import Page, dump_of
from workers.store.ledger import CHUNK

ON_REDIS = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
BOARD = Leaderboard("x", "X", Scope.ALL)


def appended(store: Store, entries: list[LedgerEntry]) -> Leaderboard:
    """The leaderboard over all of a ledger with these blocks more."""
    store.connection.client.rpush(keys.LEDGER, *map(to_json, entries))
    return store.leaderboards.create(BOARD)


def serial(store: Store, board: Leaderboard) -> bytes:
    """What one naive pass over the ledger gives."""
    fold = Fold(board.parameters)
    entries = store.ledger.read(0, len(store.ledger))
    for place, entry in enumerate(entries):
        if place >= board.start and concerns(board, entry):
            fold.add(entry, place)
    return dump_of(len(entries), fold.now)


# the same whoever folds


def begun(store: Store, bots: int) -> list[tuple[Block, int]]:
    """All blocks of a round robin, with seats, and their fences."""
    arena.present(store, bots, places=1000)
    arena.tournament(store, bots)
    queue = arena.ListQueue()
    Scheduler(store, queue, in_flight=1000, window=1000).tick()
    return [(block, fence) for b, fence in queue.jobs if (block := store.blocks.get(b)) is not None]


def deliver(store: Store, block: Block, fence: int) -> None:
    """What a worker says at the end of a block; it may say it twice."""
    tournament = store.tournaments.get(block.tournament_id)
    assert tournament is not None
    reports = [arena.result(block, n) for n in range(len(block.matches))]
    for report in reports:
        assert store.blocks.commit(block.block_id, fence, report, b"record") in (Committed.STORED, Committed.SAME)
    assert store.blocks.finish(block, fence, blocks.entry_of(tournament, block, reports))


def all_at_once(url: str, deliveries: list[tuple[Block, int]], hands: int) -> None:
    """The deliveries dealt out to so many threads, each of which settles and folds as it goes."""

    def work(mine: list[tuple[Block, int]]) -> None:
        store = Store(url)
        for block, fence in mine:
            deliver(store, block, fence)
            store.tournaments.settle(block.tournament_id)
            for board in store.leaderboards.all():
                project(store, board)
        store.close()

    threads = [threading.Thread(target=work, args=(deliveries[hand::hands],)) for hand in range(hands)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@settings(ON_REDIS, max_examples=4)
@given(st.integers(4, 5), st.integers(1, 4), st.randoms(use_true_random=False))
def test_duplicated_reordered_and_concurrent_deliveries_fold_as_a_serial_replay(
    server: RedisServer, bots: int, hands: int, draw: random.Random
) -> None:
    server.clear()
    store = Store(server.url)
    found = begun(store, bots)
    deliveries = found + draw.choices(found, k=len(found))
    draw.shuffle(deliveries)
    all_at_once(server.url, deliveries, hands)
    Scheduler(store, arena.ListQueue()).tick()
    assert [entry.index for entry in store.ledger.read(0, 1000)] == list(range(len(found)))
    boards = store.leaderboards.all()
    assert len(boards) == 3
    for board in boards:
        assert store.leaderboards.dump(board.leaderboard_id) == serial(store, board)
        assert rebuild(store, board)
    store.close()


@pytest.mark.parametrize("cuts", [[60], [1] * 60, [7, 30, 23]])
def test_the_ledger_in_any_pieces_gives_the_same_bytes(store: Store, cuts: list[int]) -> None:
    entries = ledgers.blocks(60, bots=7, versions=2)
    for cut in cuts:
        board = appended(store, entries[:cut])
        del entries[:cut]
        assert project(store, board) == cut
    assert project(store, board) == 0
    assert store.leaderboards.dump("x") == serial(store, board)
    assert store.leaderboards.cursor(board) == (60, 360)


def test_a_leaderboard_folds_what_concerns_it_from_its_start_on(store: Store) -> None:
    mine, others = (
        ledgers.blocks(4, bots=3),
        [replace(e, tournament_id="t2") for e in ledgers.blocks(4, bots=3, seed=2)],
    )
    secret = [replace(e, world=False) for e in ledgers.blocks(2, bots=3, seed=3)]
    other_rules = [replace(e, ruleset="club") for e in ledgers.blocks(2, bots=3, seed=4)]
    appended(store, mine + others + secret + other_rules)
    matches = {}
    for name, scope, subject, start in (
        ("all", Scope.ALL, "", 0),
        ("rules", Scope.RULESET, "tournament", 0),
        ("one", Scope.TOURNAMENT, "t1", 0),
        ("late", Scope.ALL, "", 10),
    ):
        board = store.leaderboards.create(Leaderboard(name, name, scope, subject, start=start))
        project(store, board)
        matches[name] = store.leaderboards.cursor(board)[1] // 6
        assert rebuild(store, board)
    assert matches == {"all": 10, "rules": 8, "one": 8, "late": 2}


# rebuilding


@pytest.mark.parametrize("what", ["standing", "order", "pair", "history", "seats"])
def test_a_damaged_leaderboard_is_told_and_mended_by_a_rebuild(store: Store, what: str) -> None:
    board = appended(store, ledgers.blocks(5, bots=4))
    assert rebuild(store, board)
    project(store, board)
    right = store.leaderboards.dump("x")
    client = store.connection.client
    if what == "standing":
        raw = client.hget(keys.standings("x"), "b1.1")
        client.hset(keys.standings("x"), "b1.1", raw.replace(b'"matches":', b'"matches":1'))
    elif what == "order":
        client.zincrby(keys.order("x"), 1e-12, "b1.1")
    elif what == "pair":
        client.hset(keys.pairs("x"), "b0.1 b9.1", to_json(Pair()))
    elif what == "history":
        client.hset(keys.histories("x"), "b1.1", b"")
    else:
        client.hdel(keys.standings("x"), "#3")
    assert not rebuild(store, board)
    assert store.leaderboards.dump("x") == right
    assert rebuild(store, board)


def test_what_is_not_folded_yet_is_no_damage(store: Store) -> None:
    entries = ledgers.blocks(2, bots=3)
    board = appended(store, entries[:1])
    project(store, board)
    appended(store, entries[1:])
    assert rebuild(store, board)
    assert store.leaderboards.cursor(board)[0] == 1


def test_a_fold_begun_before_a_rebuild_stores_nothing_after_it(store: Store) -> None:
    board = appended(store, ledgers.blocks(1, bots=3))
    project(store, board)
    cursor, matches = store.leaderboards.cursor(board)
    changed = Projection(matches + 1, store.leaderboards.standings("x"))
    store.leaderboards.clear("x")
    assert not store.leaderboards.project(board, cursor, cursor + 1, changed)
    assert project(store, board) == 1
    assert rebuild(store, board)


def test_a_leaderboard_of_other_parameters_is_another(store: Store) -> None:
    first = store.leaderboards.create(BOARD)
    again = store.leaderboards.create(replace(BOARD, parameters=RatingParameters(draw_probability=0.5)))
    assert first == again
    assert project(store, first) == 0


def test_a_ledger_is_folded_and_rebuilt_over_many_chunks(store: Store) -> None:
    entries = [replace(e, matches=e.matches[:1]) for e in ledgers.blocks(2 * CHUNK + 7, bots=5)]
    board = appended(store, entries)
    assert project(store, board) == len(entries)
    assert rebuild(store, board)
    assert folded(store, board, len(entries)).standings == store.leaderboards.standings("x")


# pages


SCORES = st.lists(st.integers(0, 3), min_size=1, max_size=30)


@ON_REDIS
@given(SCORES, st.integers(0, 31), st.integers(1, 12), st.data())
def test_a_page_is_a_slice_of_the_whole_order_ties_across_its_edges_too(
    server: RedisServer, scores: list[int], start: int, count: int, data: st.DataObject
) -> None:
    server.clear()
    store = Store(server.url)
    board = store.leaderboards.create(BOARD)
    matches = data.draw(st.lists(st.integers(0, 2), min_size=len(scores), max_size=len(scores)))
    rows = {
        player.key: Standing(player, float(score), 0.0, played)
        for i, (score, played) in enumerate(zip(scores, matches, strict=True))
        for player in (Player(f"b{i}"),)
    }
    assert store.leaderboards.project(board, 0, 0, Projection(0, rows))
    page = store.leaderboards.page("x", start, count)
    assert page is not None
    assert store.leaderboards.page("x", start, count, page.state) is None
    keys_read = [raw.decode() for raw in page.rows[::3] if raw is not None]
    whole = rank(rows.values(), {})
    found = rank([rows[key] for key in keys_read], {}, page.before)
    assert found[start - page.before :][:count] == whole[start : start + count]
    assert page.size == len(rows)
    tied = sum(row.standing.score in {r.standing.score for r in whole[start : start + count]} for row in whole)
    assert len(keys_read) <= max(count, tied)
    store.close()


def test_a_page_of_a_large_leaderboard_is_all_that_is_read(store: Store) -> None:
    board = store.leaderboards.create(BOARD)
    rows = {p.key: Standing(p, i / 7, 0.0) for i in range(3000) for p in (Player(f"b{i}"),)}
    assert store.leaderboards.project(board, 0, 0, Projection(0, rows))
    page = store.leaderboards.page("x", 1000, 50)
    assert page is not None
    assert (page.size, page.before, len(page.rows)) == (3000, 1000, 150)
    assert page.rows[0] == b"b1999.1"


def test_more_ties_than_lua_s_stack_holds_are_one_page_s_group(store: Store) -> None:
    board = store.leaderboards.create(BOARD)
    rows = {p.key: Standing(p, 25.0, 0.0) for i in range(2500) for p in (Player(f"b{i}"),)}
    assert store.leaderboards.project(board, 0, 0, Projection(0, rows))
    page = store.leaderboards.page("x", 10, 5)
    assert page is not None
    assert (page.before, len(page.rows)) == (0, 3 * 2500)
    assert set(page.rows[::3]) == {key.encode() for key in rows}


def test_a_page_is_read_again_once_a_bot_has_changed_or_the_leaderboard_is_begun_anew(store: Store) -> None:
    bot = store.people.create_bot("ann", "zero")
    board = store.leaderboards.create(BOARD)
    row = Projection(0, {f"{bot.bot_id}.1": Standing(Player(bot.bot_id), 1.0, 0.0)})
    assert store.leaderboards.project(board, 0, 1, row)

    def read() -> Page:
        found = store.leaderboards.page("x", 0, 5)
        assert found is not None
        assert store.leaderboards.page("x", 0, 5, found.state) is None
        return found

    first = read()
    store.people.retire(bot.bot_id)
    second = store.leaderboards.page("x", 0, 5, first.state)
    assert second is not None, "its bot has changed"
    store.leaderboards.clear("x")
    assert store.leaderboards.project(board, 0, 1, row)
    third = store.leaderboards.page("x", 0, 5, second.state)
    assert third is not None, "another fold may have come to other rows at the same cursor"
    assert third.rows == second.rows != first.rows
