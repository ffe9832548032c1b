"""The barrel at the end of a deal: RULES 5 steps 7 to 12, one small function a step."""

from thousand.rules import options as o
from thousand.rules.events import RowKind
from thousand.rules.sheet import Sheet, is_try


# RULES 5.7
def off_the_barrel(sheet: Sheet, barrel_at: int) -> None:
    scores = sheet.after.scores
    for seat in list(sheet.barrel_wins):
        if scores[seat] < sheet.rules.win_score:
            sheet.barrel_wins.remove(seat)
            if scores[seat] >= barrel_at:
                sheet.add(seat, RowKind.WIN_UNDONE, barrel_at - scores[seat])
        else:
            sheet.leave(seat)
    for seat in range(sheet.rules.players):
        if sheet.after.on_barrel(seat) and scores[seat] < barrel_at:
            sheet.leave(seat)


# RULES 5.8
def tries(sheet: Sheet, barrel_at: int) -> None:
    tries = sheet.after.barrel_tries_left
    for seat in sheet.deal.active:
        left = tries[seat]
        if left is not None and is_try(sheet.rules, sheet.before, sheet.deal, seat):
            tries[seat] = left - 1
            if left == 1:
                sheet.fall(seat, RowKind.LAST_TRY, barrel_at, by_tries=True)


# RULES 5.9
def arrivals(sheet: Sheet, barrel_at: int) -> None:
    rules, scores = sheet.rules, sheet.after.scores
    for seat in range(rules.players):
        if scores[seat] < barrel_at or sheet.before.on_barrel(seat):
            continue
        if scores[seat] < rules.win_score or not rules.win_without_barrel:
            sheet.add(seat, RowKind.ARRIVAL, barrel_at - scores[seat])
            sheet.after.barrel_tries_left[seat] = rules.barrel_tries
            sheet.arrivals.append(seat)


# RULES 5.10
def knock_offs(sheet: Sheet, barrel_at: int) -> None:
    if not sheet.arrivals or sheet.rules.barrel_room is not o.BarrelRoom.NEWCOMER:
        return
    for seat in range(sheet.rules.players):
        if sheet.after.on_barrel(seat) and seat not in sheet.arrivals:
            sheet.fall(seat, RowKind.KNOCKED_OFF, barrel_at, by_tries=False)


# RULES 5.11
def together(sheet: Sheet, barrel_at: int) -> None:
    together = sheet.rules.barrel_together
    if len(sheet.arrivals) < 2 or together is o.BarrelTogether.STAY:
        return
    stays = -1
    if together is o.BarrelTogether.ONE_FALLS:
        stays = min(sheet.arrivals, key=lambda seat: (seat != sheet.deal.declarer, _from_forehand(sheet, seat)))
    for seat in sheet.arrivals:
        if seat != stays:
            sheet.fall(seat, RowKind.FELL_TOGETHER, barrel_at, by_tries=False)


def _from_forehand(sheet: Sheet, seat: int) -> int:
    return (seat - sheet.deal.dealer - 1) % sheet.rules.players


# RULES 5.12
def resets(sheet: Sheet) -> None:
    after, limit = sheet.after, sheet.rules.barrel_resets_after
    if limit is None:
        return
    for seat in range(sheet.rules.players):
        if after.falls[seat] >= limit:
            after.falls[seat] = 0
            sheet.add(seat, RowKind.FALLS_RESET, -after.scores[seat])
