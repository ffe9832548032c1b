"""The play of cards (RULES 1, 3, 4): what is legal, who wins a trick, what it is worth."""

from collections.abc import Callable, Generator
from typing import NamedTuple

from tests.reference.pack import ACES, DUMMY, MARRIAGE, Rules, lowest, points_of, strength


class Question(NamedTuple):
    """A seat must act: the texts of all it may answer."""

    seat: int
    phase: str
    legal: frozenset[str]


Answer = tuple[int, str]  # seat, text; another seat than asked only for a pass out of turn
Asking = Generator[Question, Answer, None]


class Pending(NamedTuple):
    """A marriage announced under `marriage_scored if_trick` that does not count yet."""

    seat: int
    points: int


class Play:
    """The play phase of one deal. `hands` by seat, dummy included; nothing is hidden here."""

    def __init__(
        self,
        rules: Rules,
        players: int,
        order: list[int],
        hands: dict[int, list[str]],
        declarer: int,
        may_write_off: Callable[[], bool],
    ) -> None:
        self.rules = rules
        self.order = order  # clockwise from forehand, dummy included
        self.hands = hands
        self.declarer = declarer
        self.may_write_off = may_write_off
        self.trump: str | None = None
        self.announcer: int | None = None
        self.pending: Pending | None = None
        self.points = [0] * players
        self.tricks = [0] * players
        self.revoked: set[int] = set()
        self.face_up: set[str] = set()
        self.written_off = False
        self.last_winner = declarer

    def run(self) -> Asking:
        """All tricks; stops early if the declarer writes off before the first card."""
        leader = self.declarer if self.rules["first_lead"] == "declarer" else self.order[0]
        while self.hands[leader]:
            yield from self.trick(leader)
            if self.written_off:
                return
            leader = self.last_winner

    def trick(self, leader: int) -> Asking:
        at = self.order.index(leader)
        table: list[tuple[int, str]] = []
        for seat in self.order[at:] + self.order[:at]:
            if seat == DUMMY and self.rules["two_player"] == "dummy":
                table.append((seat, self.hands[seat].pop(0)))  # face down, whatever was led
                continue
            led = table[0][1] if table else None
            legal = self.legal(seat, led)
            first_card = not table and not self.face_up
            extra = {"write_off"} if first_card and seat == self.declarer and self.may_write_off() else set()
            _, text = yield Question(seat, "play", frozenset({"play " + word for word in legal} | extra))
            if text == "write_off":
                self.written_off = True
                return
            table.append((seat, self.put_down(seat, text.removeprefix("play "), legal, led)))
        self.take(table)

    def put_down(self, seat: int, word: str, legal: set[str], led: str | None) -> str:
        """The card that really falls, after revoke and announcement."""
        card = word.removesuffix("!")
        announced = word.endswith("!")
        if word not in legal and card + "!" in legal:
            announced = True  # where announcing is automatic the plain form means the same
        elif word not in legal:
            assert self.rules["revoke"] == "penalty", (word, legal)
            self.revoked.add(seat)
            card = lowest(each.removesuffix("!") for each in legal)
            announced = False
        if announced:
            self.announce(seat, card)
        self.hands[seat].remove(card)
        self.face_up.add(card)
        return card

    def announce(self, seat: int, card: str) -> None:
        if card[1] == "A":
            self.points[seat] += 200  # never changes trump
            return
        self.trump, self.announcer = card[0], seat
        if self.rules["marriage_scored"] == "at_once":
            self.points[seat] += MARRIAGE[card[0]]
        else:
            self.pending = Pending(seat, MARRIAGE[card[0]])

    def take(self, table: list[tuple[int, str]]) -> None:
        """The winner, and what the trick brings him."""
        real = [(seat, card) for seat, card in table if seat != DUMMY or self.rules["two_player"] != "dummy"]
        trumps = [(seat, card) for seat, card in real if card[0] == self.trump]
        followed = [(seat, card) for seat, card in real if card[0] == table[0][1][0]]
        winner = max(trumps or followed, key=lambda pair: strength(pair[1]))[0]
        self.points[winner] += points_of(card for _, card in table)
        self.tricks[winner] += 1
        self.last_winner = winner
        if self.pending is not None and self.pending.seat == winner:
            self.points[winner] += self.pending.points
            self.pending = None

    def legal(self, seat: int, led: str | None) -> set[str]:
        """Cards the seat may play, `!` where it announces."""
        hand = self.hands[seat]
        if led is None:
            words = {word for card in self.may_lead(seat) for word in self.forms_on_lead(seat, card)}
        else:
            same = [card for card in hand if card[0] == led[0]]
            trumps = [card for card in hand if card[0] == self.trump]
            words = set(same or trumps or hand)
        if self.rules["ace_marriage"] == "first_ace" and set(hand) >= ACES:
            words = {word + "!" if word in ACES else word for word in words}  # automatic, in any position
        return words

    def may_lead(self, seat: int) -> list[str]:
        hand = self.hands[seat]
        if self.rules["trump_lead"] == "announcer" and self.trump is not None and seat != self.announcer:
            return [card for card in hand if card[0] != self.trump] or hand
        return hand

    def forms_on_lead(self, seat: int, card: str) -> set[str]:
        if not self.announces(seat, card):
            return {card}
        return {card + "!"} if self.rules["marriage_announce"] == "automatic" else {card, card + "!"}

    def announces(self, seat: int, card: str) -> bool:
        """Whether leading this card may announce a marriage, or the ace marriage under `lead`."""
        hand = self.hands[seat]
        has_won = self.tricks[seat] > 0
        if card[1] == "A":
            return bool(self.rules["ace_marriage"] == "lead" and has_won and set(hand) >= ACES)
        if card[1] not in "KQ" or card[0] + "K" not in hand or card[0] + "Q" not in hand:
            return False
        if not has_won and self.rules["marriage_first_lead"] == "off":
            return False
        if card[1] == "K" and self.rules["marriage_card"] == "queen":
            return all(card[0] + rank in hand or card[0] + rank in self.face_up for rank in "AT")
        return True
