"""The end of a deal: RULES 5 steps 2 to 15, one small function a step, each logging what it changed.

Law: for every seat, the rows sum to the new score minus the old one. Pure: the standings given stay as they were.
"""

from typing import Final

from thousand.rules import barrel
from thousand.rules import options as o
from thousand.rules.cards import ACES, MARRIAGE_POINTS, points_of
from thousand.rules.events import RowKind
from thousand.rules.ruleset import Ruleset
from thousand.rules.settlement import match_result
from thousand.rules.sheet import FALL, Sheet, is_golden, is_try
from thousand.rules.standings import DealOutcome, MatchResult, ScoredDeal, Standings
from thousand.rules.tuples import new

OVERBID_FINE: Final = 120
SIXTY: Final = 60
ACE_POINTS: Final = 11
DUMP: Final = 555
_ONLY_DECLARER: Final = o.BlindDoubles.DECLARER
_ROUNDED: Final = o.DeclarerRounding.ROUNDED
_NO_BOLT: Final = o.Bolt.OFF
_NO_TRUCK: Final = o.DumpTruck.OFF
_GOLDEN_FORCED: Final = o.Golden.FORCED_DOUBLE
_CONTRACT: Final = RowKind.CONTRACT
_POINTS: Final = RowKind.POINTS
_BOLT: Final = RowKind.BOLT
_NO_POINTS: Final = o.Bolt.NO_POINTS
_CONSECUTIVE: Final = o.BoltRun.CONSECUTIVE
_BOTH: Final = o.BoltRun.BOTH


def score_deal(ruleset: Ruleset, standings: Standings, outcome: DealOutcome) -> ScoredDeal:
    """Score a deal that was played to its end or written off (a redealt one is never scored)."""
    sheet = _open(ruleset, standings, outcome)
    _declarer(sheet)
    _others(sheet)
    _fines(sheet)
    _bolts(sheet)
    # Without a sitter, and nobody up there now, the barrel's steps have nothing to do.
    if ruleset.barrel_at is not None and (
        max(sheet.after.scores) >= ruleset.barrel_at or standings.barrel_tries_left.count(None) < ruleset.players
    ):
        barrel.off_the_barrel(sheet, ruleset.barrel_at)
        barrel.tries(sheet, ruleset.barrel_at)
        barrel.arrivals(sheet, ruleset.barrel_at)
        barrel.knock_offs(sheet, ruleset.barrel_at)
        barrel.together(sheet, ruleset.barrel_at)
        barrel.resets(sheet)
    _dump_truck(sheet)
    restart = _golden_failed(sheet)
    result = _result(sheet)
    return new(ScoredDeal, (sheet.points, sheet.made, tuple(sheet.rows), sheet.after, restart, result))


def _open(rules: Ruleset, before: Standings, deal: DealOutcome) -> Sheet:
    golden = is_golden(rules, deal.deal_number)
    golden_factor = 2 if golden else 1
    blind_factor = 2 if deal.blind else 1
    points = counted_points(deal)
    compared = compared_points(rules, points[deal.declarer])
    frozen = (
        rules.barrel_freezes_others
        and before.barrel_tries_left[deal.declarer] is not None
        and is_try(rules, before, deal, deal.declarer)
    )
    return Sheet(
        rules,
        before,
        deal,
        points,
        compared=compared,
        made=compared >= deal.contract and not deal.written_off and deal.declarer not in deal.revokes,
        frozen=frozen,
        factor=golden_factor * blind_factor,
        others_factor=golden_factor if rules.blind_doubles is _ONLY_DECLARER else golden_factor * blind_factor,
        fine_factor=2 if golden and rules.golden_doubles is o.GoldenDoubles.ALL else 1,
    )


def counted_points(deal: DealOutcome) -> tuple[int, ...]:
    """RULES 5.2: a revoker's points are 0, a written-off deal has none."""
    if deal.written_off:
        return (0,) * len(deal.points)
    if not deal.revokes:
        return deal.points
    return tuple(0 if seat in deal.revokes else points for seat, points in enumerate(deal.points))


def nearest_5(points: int) -> int:
    """17 -> 15, 18 -> 20."""
    return (points + 2) // 5 * 5


def compared_points(rules: Ruleset, points: int) -> int:
    """The declarer's points as they are compared, never doubled (`declarer_rounding`)."""
    return nearest_5(points) if rules.declarer_rounding is _ROUNDED else points


def keeps_contract(rules: Ruleset, write_offs: int) -> bool:
    """Whether a write-off, after so many of the same player, leaves him the contract (`write_off_cost`)."""
    cost = rules.write_off_cost
    return cost is o.WriteOffCost.FREE or (cost is o.WriteOffCost.FIRST_FREE and write_offs == 0)


def write_off_is_free(rules: Ruleset, write_offs: int) -> bool:
    """Whether that write-off costs him nothing at all, the fine for every third included."""
    fined = rules.write_off_penalty is not None and (write_offs + 1) % 3 == 0
    return keeps_contract(rules, write_offs) and not fined


# RULES 5.3
def _declarer(sheet: Sheet) -> None:
    deal, seat = sheet.deal, sheet.deal.declarer
    loss = -deal.contract * sheet.factor
    free = deal.written_off and keeps_contract(sheet.rules, sheet.before.write_offs[seat])
    if not sheet.before.on_barrel(seat):
        sheet.add(seat, _CONTRACT, -loss if sheet.made else 0 if free else loss)
    elif is_try(sheet.rules, sheet.before, deal, seat):
        _barrel_try(sheet, seat, loss)
    elif sheet.made or free:
        sheet.add(seat, RowKind.CONTRACT, 0)
    else:
        sheet.add(seat, RowKind.CONTRACT, loss)
        sheet.leave(seat)


def _barrel_try(sheet: Sheet, seat: int, loss: int) -> None:
    rules, contract = sheet.rules, sheet.deal.contract
    if sheet.made:
        taken = sheet.compared if rules.barrel_win is o.BarrelWin.POINTS else contract
        if taken >= rules.needs:
            sheet.add(seat, RowKind.BARREL_WIN, max(contract, rules.needs) * sheet.factor)
            sheet.barrel_wins.append(seat)
        else:
            sheet.add(seat, RowKind.CONTRACT, 0)
    elif rules.barrel_failed is o.BarrelFailed.SUBTRACT:
        sheet.add(seat, RowKind.BARREL_FAILED, loss)
        sheet.leave(seat)
    elif rules.barrel_failed is o.BarrelFailed.FALL:
        sheet.add(seat, RowKind.BARREL_FAILED, -FALL * sheet.fine_factor)
        sheet.leave(seat)
        sheet.count_fall(seat, by_tries=True)
    else:
        sheet.add(seat, RowKind.BARREL_FAILED, 0)  # try_used: step 8 takes the try


# RULES 5.4
def _others(sheet: Sheet) -> None:
    deal, rules = sheet.deal, sheet.rules
    written_off = deal.written_off
    share = write_off_share(rules, deal.contract) if written_off else 0
    kind = RowKind.SHARE if written_off else _POINTS
    for seat in deal.active:
        if seat != deal.declarer:
            _other(sheet, seat, kind, share if written_off else rounded(rules, sheet.points[seat]))
    if rules.players == 4:
        _other(sheet, deal.dealer, RowKind.TALON, rounded(rules, talon_value(rules, deal.talon)))


def _other(sheet: Sheet, seat: int, kind: RowKind, points: int) -> None:
    nothing = sheet.frozen or sheet.before.on_barrel(seat)
    sheet.add(seat, kind, 0 if nothing else points * sheet.others_factor)


def rounded(rules: Ruleset, points: int) -> int:
    """A defender's points, rounded before they are doubled (`defender_rounding`)."""
    return points if rules.defender_rounding is None else nearest_5(points)


def write_off_share(rules: Ruleset, contract: int) -> int:
    """What each active opponent gets: 60, or half the contract rounded up to a multiple of 5."""
    return SIXTY if rules.write_off is o.WriteOff.SIXTY else -(-contract // 10) * 5


def talon_value(rules: Ruleset, talon: int) -> int:
    """What the talon is worth to the sitting dealer (`sitting_dealer`); `talon` is a 24-bit set."""
    if rules.sitting_dealer is None:
        return 0
    marriages = sum(points for suit, points in enumerate(MARRIAGE_POINTS) if talon >> suit * 6 & 0b1100 == 0b1100)
    if rules.sitting_dealer is o.SittingDealer.ACES:
        return (talon & ACES).bit_count() * ACE_POINTS + marriages
    return points_of(talon) + marriages


# RULES 5.5
def _fines(sheet: Sheet) -> None:
    deal, rules = sheet.deal, sheet.rules
    if deal.written_off:
        sheet.after.write_offs[deal.declarer] += 1
        if rules.write_off_penalty is not None and sheet.after.write_offs[deal.declarer] % 3 == 0:
            sheet.add(deal.declarer, RowKind.WRITE_OFF_FINE, -rules.write_off_penalty * sheet.fine_factor)
    if deal.overbid:
        sheet.add(deal.declarer, RowKind.OVERBID_FINE, -OVERBID_FINE * sheet.fine_factor)
    if deal.revokes:
        for seat in deal.active:
            if seat in deal.revokes:
                sheet.add(seat, RowKind.REVOKE_FINE, -rules.revoke_fine * sheet.fine_factor)


# RULES 5.6
def _bolts(sheet: Sheet) -> None:
    rules, deal = sheet.rules, sheet.deal
    if rules.bolt is _NO_BOLT or deal.written_off:
        return
    for seat in deal.active:
        if sheet.frozen and seat != deal.declarer:
            continue
        if rules.bolt is _NO_POINTS:
            bolt = sheet.points[seat] == 0
        else:
            bolt = deal.tricks[seat] == 0 or seat in deal.revokes
        _count_bolt(sheet, seat, bolt)


def _count_bolt(sheet: Sheet, seat: int, bolt: bool) -> None:
    run = sheet.rules.bolt_run
    bolts, runs = sheet.after.bolts, sheet.after.bolt_runs
    if not bolt:
        if run is _CONSECUTIVE:
            bolts[seat] = 0
        runs[seat] = 0
        return
    fines = 0
    bolts[seat] += sheet.fine_factor
    if bolts[seat] >= 3:
        bolts[seat] = 0
        fines += 1
    if run is _BOTH:
        runs[seat] += sheet.fine_factor
        if runs[seat] >= 3:
            runs[seat] = 0
            fines += 1
    sheet.add(seat, _BOLT, -fines * sheet.rules.bolt_penalty * sheet.fine_factor)


# RULES 5.13
def _dump_truck(sheet: Sheet) -> None:
    truck = sheet.rules.dump_truck
    if truck is _NO_TRUCK:
        return
    for seat, score in enumerate(sheet.after.scores):
        if score == DUMP or (score == -DUMP and truck is o.DumpTruck.PLUS_MINUS):
            sheet.add(seat, RowKind.DUMP_TRUCK, -score)


# RULES 5.14
def _golden_failed(sheet: Sheet) -> bool:
    rules, number = sheet.rules, sheet.deal.deal_number
    if rules.golden is not _GOLDEN_FORCED or not is_golden(rules, number):
        return False
    sheet.after.golden_made.append(sheet.made)
    if number < rules.players or any(sheet.after.golden_made) or rules.golden_failed is o.GoldenFailed.KEEP:
        return False
    for seat in range(rules.players):
        sheet.add(seat, RowKind.GOLDEN_FAILED, -sheet.after.scores[seat])
        sheet.leave(seat)
    restart = rules.golden_failed is o.GoldenFailed.RESTART
    if restart:
        sheet.after = Standings.start(rules.players)
    return restart


# RULES 5.15
def _result(sheet: Sheet) -> MatchResult | None:
    rules, deal, scores = sheet.rules, sheet.deal, sheet.after.scores
    deals = max(deal.deal_number, deal.deals_before + 1)
    high_enough = rules.win_without_barrel and max(scores) >= rules.win_score
    if not high_enough and not sheet.barrel_wins and deals < rules.max_deals:
        return None
    reached = set(sheet.barrel_wins)
    if high_enough:
        reached |= {seat for seat, score in enumerate(scores) if score >= rules.win_score}
    by_limit = not reached
    forehand = (deal.dealer + 1) % rules.players
    return match_result(
        rules, scores, winners_of(sheet.made, deal.declarer, scores, reached), forehand, deals, by_limit
    )


def winners_of(made: bool, declarer: int, scores: list[int], reached: set[int]) -> tuple[int, ...]:
    """Of those who reached the win (at max_deals, of all): a declarer who made it, else the highest, equals sharing."""
    if made and declarer in reached:
        return (declarer,)
    seats = sorted(reached) or range(len(scores))
    best = max(scores[seat] for seat in seats)
    return tuple(seat for seat in seats if scores[seat] == best)
