"""A match in progress: plain mutable state, changed only by the phase modules under `apply`."""

from typing import Final

from thousand.rules.actions import Action
from thousand.rules.cards import Card
from thousand.rules.phases import Phase
from thousand.rules.ruleset import Ruleset
from thousand.rules.standings import MatchResult, Standings

DUMMY: Final = 2  # the third hand of a two-player deal with a dummy


# A finished trick: leader, cards in order of play, winner, suit announced with the lead.
Trick = tuple[int, tuple[Card, ...], int, int | None]


class Deal:
    """One deal. Hands are 24-bit sets by seat (the dummy's last)."""

    __slots__ = (
        "active", "after_pass", "asked_redeal", "bidders", "blind", "bottom", "chosen", "contract", "dealer",
        "dealt", "deck", "declarer", "dummy", "fined", "fixed_contract", "forced_bid", "given", "golden", "hands",
        "has_dummy", "high_bid", "high_bidder", "high_blind", "hundred", "index", "leader", "leftover", "looked",
        "marriage", "marriages", "next", "nines", "number", "passed", "pending", "played", "points", "redeals",
        "revokes", "seen_talon", "shown_points", "size", "speaks_next", "taken", "talon", "talons", "trick",
        "tricks", "tricks_won", "trump", "trump_by", "turn", "word_redeal", "words", "written_off",
    )  # fmt: skip

    def __init__(self, number: int, index: int, redeals: int, dealer: int, hundred: int) -> None:
        self.number = number  # 1-based, as RULES counts
        self.index = index  # deals begun in the match, from 0
        self.redeals = redeals
        self.dealer = dealer
        self.hundred = hundred

    def start(self) -> "Deal":
        """Nothing done yet. Apart from `__init__`, so that a clone is not filled twice."""
        self.golden = False
        self.active: tuple[int, ...] = ()  # who holds cards, clockwise from forehand, the dummy too
        self.bidders: tuple[int, ...] = ()  # the same without the dummy
        self.next: list[int] = []  # the next active seat clockwise; shared between deals, never changed
        self.speaks_next: list[int] = self.next  # without the dummy
        self.deck: list[Card] = []
        self.hands: list[int] = []
        self.dealt: list[int] = []  # as dealt: caps are judged on them
        self.talons: list[int] = []
        # cut
        self.nines = 0
        self.fined = False
        self.bottom: Card | None = None  # waiting for the dealer
        # redeal
        self.asked_redeal: list[int] = []  # seats still to ask
        self.after_pass = False
        # auction
        self.words: list[tuple[int, Action]] = []
        self.looked: list[bool] = []
        self.passed: list[bool] = []
        self.high_bid = 0
        self.high_bidder = -1
        self.high_blind = False
        self.forced_bid = True  # the high bid was nobody's choice
        self.word_redeal = False  # the seat that just looked may demand a redeal as its first word
        self.turn = 0
        self.declarer = -1
        self.contract = 0
        self.blind = False
        self.taken = False  # a barrel player took the talon without an auction
        self.fixed_contract = False  # no contract phase: taken, or golden without raise
        # talon and passing
        self.chosen = -1
        self.talon = 0  # as taken
        self.seen_talon = False  # all have seen it
        self.leftover = 0  # the other talon and what was discarded into it
        self.given: list[tuple[int, int, Card, bool]] = []  # from, to, card, shown to all
        self.written_off = False
        self._start_play()
        return self

    def _start_play(self) -> None:
        """Nothing played yet."""
        self.leader = 0
        self.trick: list[Card] = []
        self.marriage: int | None = None  # suit announced with the trick being played
        self.tricks: list[Trick] = []
        self.tricks_won: list[int] = [0, 0, 0, 0]
        self.points: list[int] = [0, 0, 0, 0]
        self.shown_points: list[int] = [0, 0, 0, 0]  # without the dummy's cards
        self.played = 0  # cards played face up
        self.trump = -1
        self.trump_by = -1
        self.marriages: list[tuple[int, int]] = []  # (seat, suit)
        self.pending: tuple[int, int] | None = None  # (seat, points) of a marriage that still needs a trick
        self.revokes: list[int] = []
        self.dummy: list[Card] = []  # the dummy's cards, next last
        self.has_dummy = False
        self.size = 0  # cards in a full trick

    def clone(self) -> "Deal":
        """An independent copy."""
        twin = Deal(self.number, self.index, self.redeals, self.dealer, self.hundred)
        self._copy_beginning(twin)
        self._copy_rest(twin)
        return twin

    # Written out, because search clones a lot. Lists that are only ever replaced are shared.
    def _copy_beginning(self, twin: "Deal") -> None:
        twin.golden = self.golden
        twin.active = self.active
        twin.bidders = self.bidders
        twin.next = self.next
        twin.speaks_next = self.speaks_next
        twin.deck = self.deck
        twin.hands = self.hands[:]
        twin.dealt = self.dealt
        twin.talons = self.talons
        twin.nines = self.nines
        twin.fined = self.fined
        twin.bottom = self.bottom
        twin.asked_redeal = self.asked_redeal
        twin.after_pass = self.after_pass
        twin.words = self.words[:]
        twin.looked = self.looked[:]
        twin.passed = self.passed[:]
        twin.high_bid = self.high_bid
        twin.high_bidder = self.high_bidder
        twin.high_blind = self.high_blind
        twin.forced_bid = self.forced_bid
        twin.word_redeal = self.word_redeal
        twin.turn = self.turn

    def _copy_rest(self, twin: "Deal") -> None:
        twin.declarer = self.declarer
        twin.contract = self.contract
        twin.blind = self.blind
        twin.taken = self.taken
        twin.fixed_contract = self.fixed_contract
        twin.chosen = self.chosen
        twin.talon = self.talon
        twin.seen_talon = self.seen_talon
        twin.leftover = self.leftover
        twin.given = self.given[:]
        twin.written_off = self.written_off
        twin.leader = self.leader
        twin.trick = self.trick[:]
        twin.marriage = self.marriage
        twin.tricks = self.tricks[:]
        twin.tricks_won = self.tricks_won[:]
        twin.points = self.points[:]
        twin.shown_points = self.shown_points[:]
        twin.played = self.played
        twin.trump = self.trump
        twin.trump_by = self.trump_by
        twin.marriages = self.marriages[:]
        twin.pending = self.pending
        twin.revokes = self.revokes[:]
        twin.dummy = self.dummy[:]
        twin.has_dummy = self.has_dummy
        twin.size = self.size


class Match:
    """A match under one ruleset. Made by `new_match`, read by `decision` and `view`, changed by `apply` alone."""

    __slots__ = (
        "actions", "asked", "deal", "deals_begun", "deals_scored", "last_deal", "phase", "result", "ruleset", "seed",
        "standings",
    )  # fmt: skip

    def __init__(self, ruleset: Ruleset, seed: bytes, deal: Deal, standings: Standings) -> None:
        self.ruleset = ruleset
        self.seed = seed
        self.standings = standings
        self.phase = Phase.AUCTION
        self.deal = deal
        self.last_deal: Deal | None = None  # the deal that ended last
        self.deals_begun = 0
        self.deals_scored = 0
        self.asked: list[int] = [0] * ruleset.players  # decisions each seat has answered
        self.actions: tuple[Action, ...] | None = None  # the legal ones, once asked for
        self.result: MatchResult | None = None

    @property
    def dealer(self) -> int:
        """Who deals the deal that is played now (after the match: the last one)."""
        return self.deal.dealer

    @property
    def hundred(self) -> int:
        """Who holds the forced bid of this deal."""
        return self.deal.hundred

    @property
    def deal_number(self) -> int:
        """The number of this deal, from 1; a redeal keeps it."""
        return self.deal.number

    def clone(self) -> "Match":
        """An independent copy, for search."""
        twin = Match(self.ruleset, self.seed, self.deal.clone(), self.standings)  # a value: scoring makes a new one
        twin.phase = self.phase
        twin.last_deal = self.last_deal
        twin.deals_begun = self.deals_begun
        twin.deals_scored = self.deals_scored
        twin.asked = self.asked[:]
        twin.actions = self.actions
        twin.result = self.result
        return twin
