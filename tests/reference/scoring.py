"""The end of a deal, step by step in the order of RULES 5; each method is one step."""

import copy
from dataclasses import dataclass, field

from tests.reference.pack import ACES, MARRIAGE, Rules, clockwise, marriages_in, points_of


@dataclass
class Sheet:
    """The score sheet between two deals; lists by seat. `deal_number` is that of the deal now played, 1-based."""

    scores: list[int]
    bolts: list[int]
    bolt_runs: list[int]
    tries: list[int | None]  # None = not on the barrel
    falls: list[int]
    write_offs: list[int]
    deal_number: int
    dealer: int
    hundred: int
    golden_made: list[bool] = field(default_factory=list)


@dataclass
class Outcome:
    """What happened in a deal, as the end of it needs to know."""

    active: list[int]  # players (no dummy) who held cards, clockwise from forehand
    declarer: int
    contract: int
    points: list[int]  # by seat: cards and marriages taken, before a revoke is considered
    tricks: list[int]  # by seat
    blind: bool = False  # the winning bid was spoken as `blind`
    written_off: bool = False
    revoked: frozenset[int] = frozenset()
    overbid: bool = False  # declarer's winning bid was over the cap of his hand as dealt
    taker: int | None = None  # who took the talon under `barrel_auction taken`
    talon: tuple[str, ...] = ()


@dataclass
class Result:
    """The end of the match."""

    winners: list[int]
    ranking: list[int]
    settlement: list[int]


def nearest_5(points: int) -> int:
    """17 → 15, 18 → 20."""
    return 5 * ((points + 2) // 5)


def is_golden(rules: Rules, deal_number: int) -> bool:
    """The first deals, as many as players."""
    return bool(rules["golden"] != "off" and deal_number <= rules["players"])


def needs(rules: Rules) -> int:
    """What a win from the barrel takes."""
    return int(max(rules["barrel_target"], rules["win_score"] - rules["barrel_at"]))


def keeps_contract(rules: Rules, earlier: int) -> bool:
    """Whether the declarer's next write-off leaves him the contract."""
    return bool(rules["write_off_cost"] == "free" or (rules["write_off_cost"] == "first_free" and earlier == 0))


def write_off_is_free(rules: Rules, earlier: int) -> bool:
    """Whether the declarer's next write-off costs him nothing, the fine for every third included."""
    fined = rules["write_off_penalty"] != "none" and (earlier + 1) % 3 == 0
    return keeps_contract(rules, earlier) and not fined


class EndOfDeal:
    """Carries one outcome through the steps; `sheet` is the sheet after it, `result` set if the match is over."""

    def __init__(self, rules: Rules, before: Sheet, outcome: Outcome) -> None:
        self.rules = rules
        self.o = outcome
        self.sheet = copy.deepcopy(before)
        self.players: int = rules["players"]
        self.was_on_barrel = [tries is not None for tries in before.tries]
        self.golden = is_golden(rules, before.deal_number)
        self.double_fines = self.golden and rules["golden_doubles"] == "all"
        self.unit = 2 if self.double_fines else 1
        self.x = (2 if self.golden else 1) * (2 if outcome.blind else 1)
        self.x_others = self.x if rules["blind_doubles"] == "all" else (2 if self.golden else 1)
        self.points = [0 if seat in outcome.revoked else p for seat, p in enumerate(outcome.points)]
        self.tricks = [0 if seat in outcome.revoked else t for seat, t in enumerate(outcome.tricks)]
        self.made = False
        self.barrel_winners: list[int] = []
        self.arrivals: list[int] = []
        self.result: Result | None = None
        self.restarted = False
        self.frozen = bool(
            rules["barrel_freezes_others"] == "on"
            and self.was_on_barrel[outcome.declarer]
            and self.is_try(outcome.declarer)
        )
        self.run()

    def run(self) -> None:
        """All steps after 1 (a redeal never comes here)."""
        if self.o.written_off:  # step 2
            self.points = [0] * self.players
        self.declarer_3()
        self.others_4()
        self.fines_5()
        self.bolts_6()
        self.left_barrel_7()
        self.tries_8()
        self.arrivals_9()
        self.knock_offs_10()
        self.together_11()
        self.resets_12()
        self.dump_truck_13()
        self.golden_failed_14()
        self.win_15()
        self.move_on_16()

    def is_try(self, seat: int) -> bool:
        """RULES 4 Barrel tries: whether this deal counts for a player on the barrel."""
        if seat not in self.o.active:
            return False
        if self.rules["barrel_turn"] == "own_hundred" and seat != self.sheet.hundred:
            return False
        return self.o.taker is None or self.o.taker == seat

    def leave_barrel(self, seat: int) -> None:
        self.sheet.tries[seat] = None

    def fall(self, seat: int, *, of_tries: bool) -> None:
        """To `barrel_at` minus 120, off; counted, unless only last tries and failures are."""
        self.sheet.scores[seat] = self.rules["barrel_at"] - 120 * self.unit
        self.leave_barrel(seat)
        if of_tries or self.rules["barrel_falls_count"] == "every":
            self.sheet.falls[seat] += 1

    def declarer_3(self) -> None:
        declarer, contract, scores = self.o.declarer, self.o.contract, self.sheet.scores
        taken = self.points[declarer]
        compared = nearest_5(taken) if self.rules["declarer_rounding"] == "rounded" else taken
        self.made = compared >= contract and not self.o.written_off and declarer not in self.o.revoked
        free = self.o.written_off and keeps_contract(self.rules, self.sheet.write_offs[declarer])
        if not self.was_on_barrel[declarer]:
            if self.made:
                scores[declarer] += contract * self.x
            elif not free:
                scores[declarer] -= contract * self.x
            return
        if self.is_try(declarer):
            if self.made:
                measured = contract if self.rules["barrel_win"] == "contract" else compared
                enough = measured >= needs(self.rules)
                if enough:
                    scores[declarer] += max(contract, needs(self.rules)) * self.x
                    self.barrel_winners.append(declarer)
            else:
                self.barrel_failed(declarer)
        elif not self.made and not free:
            scores[declarer] -= contract * self.x
            self.leave_barrel(declarer)

    def barrel_failed(self, declarer: int) -> None:
        if self.rules["barrel_failed"] == "subtract":
            self.sheet.scores[declarer] -= self.o.contract * self.x
            self.leave_barrel(declarer)
        elif self.rules["barrel_failed"] == "fall":  # "−120 and off at once": a fine at the cut before it costs too
            now = self.sheet.scores[declarer]
            self.fall(declarer, of_tries=True)
            self.sheet.scores[declarer] = now - 120 * self.unit
        # try_used: nothing here; step 8 takes the try, and 120 with the last

    def others_4(self) -> None:
        for seat in range(self.players):
            if seat == self.o.declarer or self.was_on_barrel[seat] or self.frozen:
                continue
            if seat not in self.o.active:
                got = self.sitting_dealer()
            elif self.o.written_off:
                half = 5 * -(-self.o.contract // 10)  # rounded up to a multiple of 5
                got = half if self.rules["write_off"] == "half" else 60
            else:
                got = self.points[seat]
            if self.rules["defender_rounding"] == "nearest_5":
                got = nearest_5(got)
            self.sheet.scores[seat] += got * self.x_others

    def sitting_dealer(self) -> int:
        talon = self.o.talon
        marriage = sum(MARRIAGE[suit] for suit in marriages_in(talon))
        if self.rules["sitting_dealer"] == "talon_points":
            return points_of(talon) + marriage
        if self.rules["sitting_dealer"] == "aces":
            return 11 * len(ACES & set(talon)) + marriage
        return 0

    def fines_5(self) -> None:
        declarer = self.o.declarer
        if self.o.written_off:
            self.sheet.write_offs[declarer] += 1
            if self.rules["write_off_penalty"] != "none" and self.sheet.write_offs[declarer] % 3 == 0:
                self.sheet.scores[declarer] -= self.rules["write_off_penalty"] * self.unit
        if self.o.overbid:
            self.sheet.scores[declarer] -= 120 * self.unit
        for seat in self.o.revoked:
            self.sheet.scores[seat] -= self.rules["revoke_fine"] * self.unit

    def bolts_6(self) -> None:
        if self.rules["bolt"] == "off" or self.o.written_off:
            return
        for seat in self.o.active:
            if self.frozen and seat != self.o.declarer:
                continue
            empty = self.tricks[seat] == 0 if self.rules["bolt"] == "no_trick" else self.points[seat] == 0
            if empty:
                self.sheet.bolts[seat] += self.unit
                self.sheet.bolt_runs[seat] += self.unit if self.rules["bolt_run"] == "both" else 0
            else:
                self.sheet.bolt_runs[seat] = 0
                if self.rules["bolt_run"] == "consecutive":
                    self.sheet.bolts[seat] = 0
            for counter in (self.sheet.bolts, self.sheet.bolt_runs):
                if counter[seat] >= 3:
                    counter[seat] = 0
                    self.sheet.scores[seat] -= self.rules["bolt_penalty"] * self.unit

    def left_barrel_7(self) -> None:
        for seat in range(self.players):
            if self.sheet.tries[seat] is None:
                continue
            score = self.sheet.scores[seat]
            if seat in self.barrel_winners and score < self.rules["win_score"]:
                self.barrel_winners.remove(seat)
                if score >= self.rules["barrel_at"]:
                    self.sheet.scores[seat] = self.rules["barrel_at"]
                else:
                    self.leave_barrel(seat)
            elif seat not in self.barrel_winners and score < self.rules["barrel_at"]:
                self.leave_barrel(seat)

    def tries_8(self) -> None:
        for seat in range(self.players):
            tries = self.sheet.tries[seat]
            if tries is None or seat in self.barrel_winners or not self.is_try(seat):
                continue
            self.sheet.tries[seat] = tries - 1
            if tries == 1:
                self.fall(seat, of_tries=True)

    def arrivals_9(self) -> None:
        if self.rules["barrel_at"] == "none":
            return
        for seat in range(self.players):
            score = self.sheet.scores[seat]
            wins = score >= self.rules["win_score"] and self.rules["win_without_barrel"] == "on"
            if not self.was_on_barrel[seat] and score >= self.rules["barrel_at"] and not wins:
                self.sheet.scores[seat] = self.rules["barrel_at"]
                self.sheet.tries[seat] = self.rules["barrel_tries"]
                self.arrivals.append(seat)

    def knock_offs_10(self) -> None:
        if self.rules["barrel_room"] != "newcomer" or not self.arrivals:
            return
        for seat in range(self.players):
            if self.sheet.tries[seat] is not None and seat not in self.arrivals and seat not in self.barrel_winners:
                self.fall(seat, of_tries=False)

    def together_11(self) -> None:
        if len(self.arrivals) < 2 or self.rules["barrel_together"] == "stay":
            return
        stays: int | None = None
        if self.rules["barrel_together"] == "one_falls":
            order = clockwise((self.sheet.dealer + 1) % self.players, self.players)
            nearest = min(self.arrivals, key=order.index)
            stays = self.o.declarer if self.o.declarer in self.arrivals else nearest
        for seat in self.arrivals:
            if seat != stays:
                self.fall(seat, of_tries=False)

    def resets_12(self) -> None:
        limit = self.rules["barrel_resets_after"]
        if limit == "none":
            return
        for seat in range(self.players):
            if self.sheet.falls[seat] >= limit:
                self.sheet.scores[seat] = 0
                self.sheet.falls[seat] = 0

    def dump_truck_13(self) -> None:
        gone = {"off": (), "plus": (555,), "plus_minus": (555, -555)}[self.rules["dump_truck"]]
        for seat in range(self.players):
            if self.sheet.scores[seat] in gone:
                self.sheet.scores[seat] = 0

    def golden_failed_14(self) -> None:
        if self.rules["golden"] != "forced_double" or not self.golden:
            return
        self.sheet.golden_made.append(self.made)
        if self.sheet.deal_number < self.players or any(self.sheet.golden_made):
            return
        if self.rules["golden_failed"] == "keep":
            return
        self.sheet.scores = [0] * self.players
        self.sheet.tries = [None] * self.players
        self.barrel_winners = []
        if self.rules["golden_failed"] == "restart":
            self.restarted = True
            for counter in (self.sheet.bolts, self.sheet.bolt_runs, self.sheet.falls, self.sheet.write_offs):
                counter[:] = [0] * self.players
            self.sheet.golden_made = []
            self.sheet.deal_number = 0

    def win_15(self) -> None:
        winners = list(self.barrel_winners)
        if self.rules["win_without_barrel"] == "on":
            at_goal = [seat for seat in range(self.players) if self.sheet.scores[seat] >= self.rules["win_score"]]
            winners += [seat for seat in at_goal if seat not in winners]
        if self.o.declarer in winners and self.made:
            winners = [self.o.declarer]
        elif winners:
            best = max(self.sheet.scores[seat] for seat in winners)
            winners = [seat for seat in winners if self.sheet.scores[seat] == best]
        elif self.sheet.deal_number >= self.rules["max_deals"]:
            best = max(self.sheet.scores)
            winners = [seat for seat in range(self.players) if self.sheet.scores[seat] == best]
        if winners:
            for seat in self.barrel_winners:
                self.leave_barrel(seat)
            self.result = Result(sorted(winners), self.ranking(winners), self.settlement(winners))

    def ranking(self, winners: list[int]) -> list[int]:
        keys = [
            (seat not in winners, 0 if seat in winners else -self.sheet.scores[seat]) for seat in range(self.players)
        ]
        return [1 + sum(other < key for other in keys) for key in keys]

    def settlement(self, winners: list[int]) -> list[int]:
        losers = [seat for seat in range(self.players) if seat not in winners]
        change = [0] * self.players
        for seat in losers:
            if self.rules["settlement"] == "difference":
                change[seat] = -(1000 - self.sheet.scores[seat])
            elif self.rules["settlement"] == "proportional":
                change[seat] = -max(0, self.sheet.scores[seat])
        if self.rules["settlement"] == "bank" and losers:
            lowest = min(self.sheet.scores[seat] for seat in losers)
            last = [seat for seat in losers if self.sheet.scores[seat] == lowest]
            self.share(change, last, -self.rules["bank"])
        self.share(change, winners, -sum(change))
        return change

    def share(self, change: list[int], seats: list[int], amount: int) -> None:
        """Equally, the remainder to the one nearest clockwise from forehand."""
        order = clockwise((self.sheet.dealer + 1) % self.players, self.players)
        size = abs(amount) // len(seats) * (1 if amount >= 0 else -1)
        for seat in seats:
            change[seat] += size
        change[min(seats, key=order.index)] += amount - size * len(seats)

    def move_on_16(self) -> None:
        self.sheet.dealer = (self.sheet.dealer + 1) % self.players
        self.sheet.hundred = (self.sheet.hundred + 1) % self.players
        self.sheet.deal_number += 1
