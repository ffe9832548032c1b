"""A deal from the cut to its last card, as a generator that asks one question after the other (RULES 2, 3, 4)."""

from collections.abc import Callable, Generator
from itertools import combinations, permutations

from tests.reference.pack import (
    ACES,
    DUMMY,
    MARRIAGE,
    Rules,
    deal_out,
    marriages_in,
    nines_in,
    points_of,
    seats_dealt,
)
from tests.reference.scoring import Outcome, Sheet, is_golden, needs, write_off_is_free
from tests.reference.tricks import Answer, Asking, Play, Question


class Redeal(Exception):
    """Somebody has demanded a redeal."""


class Deal:
    """One deal. `decks(redeals)` gives the deck after so many redeals, `shuffles(redeals)` the dummy's order."""

    def __init__(
        self,
        rules: Rules,
        sheet: Sheet,
        decks: Callable[[int], list[str]],
        shuffles: Callable[[int, list[str]], list[str]],
    ) -> None:
        self.rules = rules
        self.sheet = sheet  # scores may change at the cut, dealer and hundred by a redeal
        self.decks = decks
        self.shuffles = shuffles
        self.players: int = rules["players"]
        self.redeals = 0
        self.nines_cut = 0
        self.golden = is_golden(rules, sheet.deal_number)
        self.forced_golden = self.golden and rules["golden"] == "forced_double"

    def run(self) -> Generator[Question, Answer, Outcome]:
        """The whole deal, again after each redeal (a redeal is no deal)."""
        while True:
            try:
                return (yield from self.once())
            except Redeal:
                self.redeals += 1
                if self.rules["redeal_dealer"] == "next":
                    self.sheet.dealer = (self.sheet.dealer + 1) % self.players
                    self.sheet.hundred = (self.sheet.hundred + 1) % self.players

    def once(self) -> Generator[Question, Answer, Outcome]:
        deck = yield from self.cut(self.decks(self.redeals))
        self.order = seats_dealt(self.rules, self.sheet.dealer)
        self.active = [seat for seat in self.order if not self.is_dummy(seat)]
        self.hands, self.talons = deal_out(self.rules, self.order, deck)
        self.as_dealt = {seat: list(hand) for seat, hand in self.hands.items()}
        self.taker = self.barrel_taker("taken")
        self.has_auction = not self.forced_golden and self.taker is None
        self.looked = dict.fromkeys(self.active, True)
        self.prepare_auction()
        yield from self.ask_redeal("before_auction")
        yield from self.auction()
        yield from self.take_talon()
        if not self.written_off:
            yield from self.ask_redeal("after_pass")
            yield from self.set_contract()
        play = Play(self.rules, self.players, self.order, self.hands, self.declarer, self.may_write_off_until_lead)
        if not self.written_off:
            yield from play.run()
        return self.outcome(play)

    def is_dummy(self, seat: int) -> bool:
        return bool(self.rules["two_player"] == "dummy" and seat == DUMMY)

    def on_barrel(self, seat: int) -> bool:
        return self.sheet.tries[seat] is not None

    # -- the cut

    def cut(self, deck: list[str]) -> Generator[Question, Answer, list[str]]:
        ritual = self.rules["cut_ritual"]
        dealer = self.sheet.dealer
        cutter = (dealer - 1) % self.players
        while ritual != "off":
            _, text = yield Question(cutter, "cut", frozenset(f"cut {n}" for n in range(1, 24)))
            size = int(text.split()[1])
            deck = deck[size:] + deck[:size]
            keep = {"accept"} if ritual == "may" else set()
            if deck[-1][1] == "9":
                self.nines_cut += 1
                if self.nines_cut == 3:  # at once, once per deal, whatever follows
                    fine = 240 if self.golden and self.rules["golden_doubles"] == "all" else 120
                    self.sheet.scores[cutter] -= fine
                _, text = yield Question(dealer, "cut", frozenset({"recut"} | keep))
                if text == "recut":
                    continue
            elif deck[-1][1] == "J":
                _, text = yield Question(dealer, "cut", frozenset({"tuck"} | keep))
                if text == "tuck":
                    deck = deck[:12] + [deck[-1]] + deck[12:-1]
            break
        return deck

    # -- redeals

    def may_redeal(self, seat: int, when: str) -> bool:
        hand = self.hands[seat]
        if nines_in(hand) == 4 and when in self.rules["redeal_four_nines"]:
            return True
        if points_of(hand) < 14 and when in self.rules["redeal_low_hand"]:
            return True
        on_hundred = self.rules["redeal_three_nines_on_hundred"] == "on" and seat == self.sheet.hundred
        return on_hundred and when == "before_auction" and nines_in(hand) >= 3

    def ask_redeal(self, when: str) -> Asking:
        for seat in self.active:
            if self.looked[seat] and self.may_redeal(seat, when):
                _, text = yield Question(seat, "redeal", frozenset({"redeal", "accept"}))
                if text == "redeal":
                    raise Redeal

    # -- the auction

    def barrel_taker(self, mode: str) -> int | None:
        """The first barrel player clockwise starting with the forced bidder, under `taken` or `auto`."""
        if self.rules["barrel_auction"] != mode or self.forced_golden:
            return None
        at = self.active.index(self.sheet.hundred)
        order = self.active[at:] + self.active[:at]
        if self.rules["barrel_turn"] == "own_hundred":
            order = order[:1]
        return next((seat for seat in order if self.on_barrel(seat)), None)

    def prepare_auction(self) -> None:
        """The forced bid, who speaks first, and who has not looked."""
        self.passed: set[int] = set()
        self.high, self.high_bidder = 0, -1
        self.high_is_blind = self.forced = False
        self.must_open = False
        if not self.has_auction:
            return
        auto = self.barrel_taker("auto")
        holder = self.sheet.hundred if auto is None else auto
        after = self.active[(self.active.index(holder) + 1) % len(self.active)]
        if auto is None and self.rules["opening"] == "at_least":
            self.first = speaks_first = holder
            self.must_open = True
            if self.below_floor(holder):  # a forced bid of his stands, and was the first word
                self.must_open = False
                self.high, self.high_bidder, self.forced = self.rules["opening_bid"], holder, True
                self.first = after
        else:
            self.high = self.rules["opening_bid"] if auto is None else needs(self.rules)
            self.high_bidder, self.forced = holder, True
            right = self.players > 2 and self.rules["first_speaker"] == "right_of_dealer" and auto is None
            self.first = (self.sheet.dealer - 1) % self.players if right else after
            if self.first == holder:
                self.first = after
            speaks_first = self.first
        if self.rules["blind"] == "progressive":
            self.looked = dict.fromkeys(self.active, False)
        elif self.rules["blind"] == "opening" and self.high < 120 and not self.below_floor(speaks_first):
            # else blind 120 outbids nothing, or he may not bid at all (inferred: then he just sees his cards)
            self.looked[self.first] = False

    def below_floor(self, seat: int) -> bool:
        floor = self.rules["bid_floor"]
        return bool(floor != "none" and self.sheet.scores[seat] < floor)

    def auction(self) -> Asking:
        self.spoken: set[int] = set()
        if not self.has_auction:
            self.declarer = self.sheet.hundred if self.taker is None else self.taker
            self.high = 120 if self.taker is None else needs(self.rules)
            self.forced = True
        else:
            at = self.active.index(self.first)
            while self.high_bidder < 0 or len(self.passed) < len(self.active) - 1:
                seat = self.active[at % len(self.active)]
                at += 1
                if seat not in self.passed and seat != self.high_bidder:
                    yield from self.speak(seat)
            self.declarer = self.high_bidder
        self.winning_bid = self.high
        self.looked = dict.fromkeys(self.active, True)

    def speak(self, seat: int) -> Asking:
        """One turn: a pass, a bid, or a look and then one of those."""
        if self.below_floor(seat):
            self.passed.add(seat)
            self.looked[seat] = True
            return
        words = self.words(seat)
        while True:
            spoke, text = yield Question(seat, "auction", frozenset(words))
            if spoke != seat:  # early_pass
                assert text == "pass"
                self.passed.add(spoke)
                self.looked[spoke] = True
                if self.high_bidder >= 0 and len(self.passed) == len(self.active) - 1:
                    return
                continue
            if text == "redeal":
                raise Redeal
            if text != "look":
                break
            self.looked[seat] = True
            words = self.words(seat)
            if seat not in self.spoken and self.may_redeal(seat, "before_auction"):
                words.add("redeal")
        self.take_word(seat, text)

    def take_word(self, seat: int, text: str) -> None:
        self.spoken.add(seat)
        if text == "pass":
            self.passed.add(seat)
            self.looked[seat] = True
            return
        if self.rules["blind"] == "opening" and self.high_bidder >= 0:
            self.looked[self.high_bidder] = True  # outbid, he sees his cards
        kind, amount = text.split()
        self.high, self.high_bidder, self.high_is_blind = int(amount), seat, kind == "blind"
        self.forced = self.must_open = False

    def words(self, seat: int) -> set[str]:
        hand = self.hands[seat]
        words = set() if self.must_open else {"pass"}
        shown = marriages_in(hand) if self.looked[seat] else []  # unseen cards show no marriage
        closed = self.high_is_blind and self.rules["blind_outbid"] == "needs_marriage" and not shown
        if not self.looked[seat]:
            if self.rules["blind"] == "opening":
                return {"blind 120", "look"}
            limit = self.rules["max_bid"] if self.rules["bid_cap"] == "none" else 120
            amounts = set(self.amounts(limit)) | ({120} if self.high < 120 <= limit else set())
            return words | {"look"} | {f"blind {n}" for n in amounts if not closed}
        if not closed:
            words |= {f"bid {n}" for n in self.amounts(self.cap(hand))}
        if self.must_open:
            words.add(f"bid {self.rules['opening_bid']}")  # the forced bid is exempt from the cap
        return words

    def amounts(self, limit: int) -> list[int]:
        """Multiples of 5 over the highest bid, up to a limit; only the next one under `exact`."""
        start = self.rules["opening_bid"] if self.must_open else 5 * (self.high // 5 + 1)
        every = list(range(start, limit + 1, 5))
        return every[:1] if self.rules["raise_step"] == "exact" and not self.must_open else every

    def cap(self, hand: list[str], *, enforced: bool = True) -> int:
        """The most this hand may bid; what it would be if `enforced` were not asked."""
        top: int = self.rules["max_bid"]
        if (enforced and self.rules["cap_enforcement"] == "penalty") or self.rules["bid_cap"] == "none":
            return top
        if self.rules["bid_cap"] == "needs_marriage":
            return top if marriages_in(hand) else min(120, top)
        aces = 200 if self.rules["ace_marriage"] != "off" and set(hand) >= ACES else 0
        return min(top, 120 + aces + sum(MARRIAGE[suit] for suit in marriages_in(hand)))

    # -- the talon, passing, the contract

    def take_talon(self) -> Asking:
        self.written_off = False
        taken = 0
        if len(self.talons) == 2:
            _, text = yield Question(self.declarer, "talon", frozenset({"choose 0", "choose 1"}))
            taken = int(text.split()[1])
        self.talon = self.talons[taken]
        self.left_over = list(self.talons[1 - taken]) if len(self.talons) == 2 else []
        hand = self.hands[self.declarer]
        hand.extend(self.talon)
        words = self.gives()
        if self.may_write_off():
            words.add("write_off")
        if self.may_redeal_talon():
            words = {"redeal"} if self.rules["redeal_talon_mode"] == "must" else words | {"redeal"}
        _, text = yield Question(self.declarer, "pass_cards", frozenset(words))
        if text == "redeal":
            raise Redeal
        if text == "write_off":
            self.written_off = True
            return
        for word in text.split()[1:]:
            card, to = word.split(">")
            hand.remove(card)
            (self.left_over if to == "talon" else self.hands[int(to)]).append(card)
        if self.rules["two_player"] == "dummy":
            self.hands[DUMMY] = self.shuffles(self.redeals, self.hands[DUMMY])

    def gives(self) -> set[str]:
        """Every way to pass on the cards, in one canonical text each."""
        hand = self.hands[self.declarer]
        others = [str(seat) for seat in self.order if seat != self.declarer]
        if self.rules["two_player"] == "two_talons_of_3":
            others.append("talon")
        if self.rules["two_player"] == "talon_4":
            return {canonical(f"give {a}>{others[0]} {b}>{others[0]}") for a, b in combinations(hand, 2)}
        ways = permutations(hand, len(others))
        return {canonical("give " + " ".join(f"{c}>{to}" for c, to in zip(way, others, strict=True))) for way in ways}

    def may_redeal_talon(self) -> bool:
        if self.rules["redeal_talon"] == "off" or self.taker is not None:
            return False
        if self.rules["redeal_talon_when"] == "forced" and self.high != self.rules["opening_bid"]:
            return False
        two_nines = self.rules["redeal_talon"] == "below_5_or_two_nines" and nines_in(self.talon) >= 2
        return points_of(self.talon) < 5 or two_nines

    def may_write_off(self) -> bool:
        rules, declarer = self.rules, self.declarer
        if rules["write_off"] == "off":
            return False
        if rules["write_off_limit"] != "none" and self.sheet.write_offs[declarer] >= rules["write_off_limit"]:
            return False
        free = write_off_is_free(rules, self.sheet.write_offs[declarer])
        anyone = any(tries is not None for tries in self.sheet.tries)
        forbidden = {
            "forbidden": self.on_barrel(declarer),
            "forbidden_if_anyone": anyone,
            "forbidden_if_free": anyone and free,
            "allowed": False,
        }[rules["write_off_barrel"]]
        golden = {"forbidden": True, "forbidden_if_free": free, "allowed": False}[rules["write_off_golden"]]
        return not forbidden and not (self.golden and golden)

    def may_write_off_until_lead(self) -> bool:
        return bool(self.rules["write_off_until"] == "lead") and self.may_write_off()

    def set_contract(self) -> Asking:
        """Skipped where no raise exists; at `max_bid` it is asked all the same, as every forced decision is."""
        closed = self.taker is not None or (self.forced_golden and self.rules["golden_raise"] == "off")
        raises = range(5 * (self.high // 5 + 1), self.rules["max_bid"] + 1, 5)
        if closed or self.rules["contract_raise"] == "off":
            return
        top = self.rules["max_bid"]
        if self.rules["bid_cap"] == "marriages":
            top = self.cap(self.hands[self.declarer], enforced=False)  # the raise is no bid: penalty frees bids only
        words = {f"contract {self.high}"} | {f"contract {n}" for n in raises if n <= top}
        if self.may_write_off_until_lead():
            words.add("write_off")
        _, text = yield Question(self.declarer, "contract", frozenset(words))
        if text == "write_off":
            self.written_off = True
        else:
            self.high = int(text.split()[1])

    def outcome(self, play: Play) -> Outcome:
        written_off = self.written_off or play.written_off
        gets_rest = self.rules["two_player"] == "two_talons_of_2" or self.rules["leftover_talon"] == "last_trick"
        if self.left_over and gets_rest and not written_off:
            play.points[play.last_winner] += points_of(self.left_over)
        return Outcome(
            active=self.active,
            declarer=self.declarer,
            contract=self.high,
            points=play.points,
            tricks=play.tricks,
            blind=self.high_is_blind,
            written_off=written_off,
            revoked=frozenset(play.revoked),
            overbid=self.overbid(),
            taker=self.taker,
            talon=tuple(self.talon),
        )

    def overbid(self) -> bool:
        if self.rules["cap_enforcement"] != "penalty" or self.forced:
            return False
        return self.winning_bid > self.cap(self.as_dealt[self.declarer], enforced=False)


def canonical(text: str) -> str:
    """The same `give` text whatever the order of its cards."""
    if not text.startswith("give "):
        return text
    return "give " + " ".join(sorted(text.split()[1:]))
