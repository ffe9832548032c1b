"""The tricks (RULES 1, 3): following, trumps, marriages, the ace marriage, revokes and the dummy."""

from typing import Final

from thousand.rules import ending, passing, seeds
from thousand.rules import options as o
from thousand.rules.actions import ANNOUNCES, PLAYS, WRITE_OFF, Action, ActionKind
from thousand.rules.cards import (
    ACE_MARRIAGE_POINTS,
    ACES,
    CARDS,
    MARRIAGE_POINTS,
    PAIRS,
    QUEENS,
    RANK_POINTS,
    RANKS,
    SUITS,
    Card,
    Suit,
    cards_of,
)
from thousand.rules.events import AceMarriageAnnounced, CardPlayed, Event, MarriageAnnounced, Revoked, TrickWon
from thousand.rules.phases import Phase
from thousand.rules.state import DUMMY, Deal, Match

SUIT_MASKS: Final = tuple(0b111111 << suit * RANKS for suit in range(SUITS))
CARD_POINTS: Final = tuple(RANK_POINTS[card % RANKS] for card in CARDS)
_SUIT_OF: Final = tuple(card // RANKS for card in CARDS)
_QUEEN, _KING, _TEN, _ACE = 2, 3, 4, 5
_PLAY: Final = Phase.PLAY
_FIRST_ACE: Final = o.AceMarriage.FIRST_ACE
_NO_ACES: Final = o.AceMarriage.OFF
_ANNOUNCER: Final = o.TrumpLead.ANNOUNCER
_WITH_DUMMY: Final = o.TwoPlayer.DUMMY
_BY_DECLARER: Final = o.FirstLead.DECLARER
_UNTIL_LEAD: Final = o.WriteOffUntil.LEAD


def _plays_of_suit(suit: int) -> tuple[tuple[Action, ...], ...]:
    cards = [suit * RANKS + rank for rank in reversed(range(RANKS))]
    return tuple(tuple(PLAYS[c] for c in cards if held >> (c - suit * RANKS) & 1) for held in range(64))


# By suit and by the six bits held of it: the plays, in shown order.
_PLAYS: Final = tuple(_plays_of_suit(suit) for suit in range(SUITS))
# By the twelve bits held of two suits.
_BLACK: Final = tuple(spades + clubs for clubs in _PLAYS[1] for spades in _PLAYS[0])
_RED: Final = tuple(diamonds + hearts for hearts in _PLAYS[3] for diamonds in _PLAYS[2])
# By seat and card: the event, made once; and the trick's, by seat and points.
_PLAYED: Final = tuple(tuple(CardPlayed(seat, card, False) for card in CARDS) for seat in range(4))
_ANNOUNCED: Final = tuple(tuple(CardPlayed(seat, card, True) for card in CARDS) for seat in range(4))
_PLAYED_ALONE: Final = tuple(tuple((event,) for event in of_seat) for of_seat in _PLAYED)
_MARRIAGES: Final = tuple(
    tuple(MarriageAnnounced(seat, suit, MARRIAGE_POINTS[suit]) for suit in Suit) for seat in range(4)
)
_FACE_DOWN: Final = CardPlayed(DUMMY, None, False)
_WON: Final = tuple(tuple(TrickWon(seat, points) for points in range(45)) for seat in range(4))


def _strengths(led: int, trump: int) -> tuple[int, ...]:
    suits = [suit for suit in (led, trump) if suit >= 0]
    return tuple(
        rank + 8 * suits.index(suit) if (suit := c // RANKS) in suits else -1 for c in CARDS for rank in (c % RANKS,)
    )


# By suit led and trump (the last: none) and card: the higher wins, -1 never does.
_STRENGTHS: Final = tuple(tuple(_strengths(led, trump) for trump in (0, 1, 2, 3, -1)) for led in range(SUITS))


def start(match: Match) -> None:
    """The first lead: the declarer's, or forehand's (RULES 3 first_lead)."""
    deal = match.deal
    match.phase = _PLAY
    deal.turn = deal.declarer if match.ruleset.first_lead is _BY_DECLARER else deal.bidders[0]
    deal.leader = deal.turn
    if match.ruleset.two_player is _WITH_DUMMY:
        hand = list(cards_of(deal.hands[DUMMY]))
        deal.dummy = seeds.dummy_order(match.seed, deal.index, deal.redeals, hand)[::-1]
        deal.has_dummy = True


def legal(match: Match) -> tuple[Action, ...]:
    """Every card the seat in turn may play, with and without announcing."""
    deal = match.deal
    seat = deal.turn
    hand = deal.hands[seat]
    trick = deal.trick
    if not trick:
        return _leads(match, deal, hand)
    aces = hand & ACES == ACES and match.ruleset.ace_marriage is _FIRST_ACE
    first: int = trick[0]
    led = _SUIT_OF[first]
    mask = hand >> led * 6 & 63
    if not mask and deal.trump >= 0:
        led = deal.trump
        mask = hand >> led * 6 & 63
    if mask:
        followed = _PLAYS[led][mask]
        return _with_aces(followed, keep_plain=False) if aces else followed
    return _BLACK[hand & 4095] + _RED[hand >> 12]  # not with four aces: they follow every suit


def _leads(match: Match, deal: Deal, hand: int) -> tuple[Action, ...]:
    rules = match.ruleset
    seat = deal.turn
    allowed = hand
    if deal.trump >= 0 and deal.trump_by != seat and rules.trump_lead is _ANNOUNCER:
        allowed = hand & ~SUIT_MASKS[deal.trump] or hand  # who holds nothing but trumps may lead them
    actions = _BLACK[allowed & 4095] + _RED[allowed >> 12]
    if hand & hand >> 1 & QUEENS and (deal.tricks_won[seat] or rules.marriage_first_lead):  # a queen, her king above
        actions = _with_marriages(match, deal, hand, actions)
    if hand & ACES == ACES and rules.ace_marriage is not _NO_ACES:
        if rules.ace_marriage is _FIRST_ACE:
            actions = _with_aces(actions, keep_plain=False)
        elif deal.tricks_won[seat]:
            actions = _with_aces(actions, keep_plain=rules.marriage_announce is o.MarriageAnnounce.OPTIONAL)
    if deal.tricks or seat != deal.declarer or rules.write_off_until is not _UNTIL_LEAD:
        return actions
    return (*actions, WRITE_OFF) if passing.may_write_off(match) else actions  # before the first card


def _with_aces(actions: tuple[Action, ...], *, keep_plain: bool) -> tuple[Action, ...]:
    found: list[Action] = []
    for action in actions:
        card = action.card
        if card is None or card % RANKS != _ACE:
            found.append(action)
            continue
        if keep_plain:
            found.append(action)
        found.append(ANNOUNCES[card])
    return tuple(found)


def _with_marriages(match: Match, deal: Deal, hand: int, actions: tuple[Action, ...]) -> tuple[Action, ...]:
    keep_plain = match.ruleset.marriage_announce is o.MarriageAnnounce.OPTIONAL
    found: list[Action] = []
    for action in actions:
        _, _, card, _, _ = action
        if card is None or not announces(match, deal, hand, card):
            found.append(action)
            continue
        if keep_plain:
            found.append(action)
        found.append(ANNOUNCES[card])
    return tuple(found)


def announces(match: Match, deal: Deal, hand: int, card: Card) -> bool:
    """Whether leading this card may announce its marriage (RULES 1, 4 Marriage by queen)."""
    rank = card % RANKS
    suit = card // RANKS
    if rank not in (_QUEEN, _KING) or hand & PAIRS[suit] != PAIRS[suit]:
        return False
    if rank == _QUEEN or match.ruleset.marriage_card is o.MarriageCard.KING_OR_QUEEN:
        return True
    above = (1 << suit * RANKS + _ACE) | (1 << suit * RANKS + _TEN)
    return (hand | deal.played) & above == above


def act(match: Match, seat: int, action: Action) -> tuple[Event, ...]:
    """A card on the table; the dummy follows by itself, a full trick is taken."""
    deal = match.deal
    _, _, card, announced, _ = action
    if card is None or announced or deal.has_dummy:
        return _act_rarely(match, deal, seat, action)
    number: int = card  # compiled code indexes faster by it
    hands = deal.hands
    bit = 1 << number
    hands[seat] = hands[seat] ^ bit  # compiled, `^=` on an item would call Python's general operation
    deal.played |= bit
    trick = deal.trick
    trick.append(card)
    if len(trick) < deal.size:
        deal.turn = deal.next[seat]
        return _PLAYED_ALONE[seat][number]
    events: list[Event] = [_PLAYED[seat][number]]
    _take_trick(match, deal, events)
    return tuple(events)


def _act_rarely(match: Match, deal: Deal, seat: int, action: Action) -> tuple[Event, ...]:
    """The write-off before the first card, an announcement, or a deal with a dummy."""
    events: list[Event] = []
    card = action.card
    if card is None:
        ending.write_off(match, events)
        return tuple(events)
    if action.announce:
        _announce(match, deal, seat, card, events)
    else:
        events.append(_PLAYED[seat][card])
    deal.hands[seat] ^= 1 << card
    deal.played |= 1 << card
    trick = deal.trick
    trick.append(card)
    following = deal.next[seat]
    if deal.has_dummy and following == DUMMY:
        dummy_card = deal.dummy.pop()
        deal.hands[DUMMY] ^= 1 << dummy_card
        trick.append(dummy_card)
        events.append(_FACE_DOWN)
        following = deal.next[DUMMY]
    if len(trick) == deal.size:
        _take_trick(match, deal, events)
    else:
        deal.turn = following
    return tuple(events)


def _announce(match: Match, deal: Deal, seat: int, card: Card, events: list[Event]) -> None:
    events.append(_ANNOUNCED[seat][card])
    if card % RANKS == _ACE:  # never changes trump
        events.append(AceMarriageAnnounced(seat, ACE_MARRIAGE_POINTS))
        _add_points(deal, seat, ACE_MARRIAGE_POINTS, ACE_MARRIAGE_POINTS)
        return
    suit = card // RANKS
    points = MARRIAGE_POINTS[suit]
    deal.trump, deal.trump_by, deal.marriage = suit, seat, suit
    deal.marriages.append((seat, suit))
    events.append(_MARRIAGES[seat][suit])
    if match.ruleset.marriage_scored is o.MarriageScored.AT_ONCE:
        _add_points(deal, seat, points, points)
    else:
        deal.pending = (seat, points)  # an older one that took no trick is lost


def _add_points(deal: Deal, seat: int, taken: int, shown: int) -> None:
    """Points taken, and those of them that all have seen."""
    points, shown_points = deal.points, deal.shown_points
    points[seat] = points[seat] + taken
    shown_points[seat] = shown_points[seat] + shown


def _take_trick(match: Match, deal: Deal, events: list[Event]) -> None:
    trick = deal.trick
    winner = seat = deal.leader
    hidden = 0
    first: int = trick[0]
    strengths = _STRENGTHS[_SUIT_OF[first]][deal.trump]
    following = deal.next
    if len(trick) == 3 and not deal.has_dummy:  # nearly always, so written out
        second: int = trick[1]
        third: int = trick[2]
        points = CARD_POINTS[first] + CARD_POINTS[second] + CARD_POINTS[third]
        best = strengths[first]
        seat = following[seat]
        if strengths[second] > best:
            best = strengths[second]
            winner = seat
        if strengths[third] > best:
            winner = following[seat]
    else:
        best, points = -1, 0
        for card in trick:
            points += CARD_POINTS[card]
            if deal.has_dummy and seat == DUMMY:
                hidden = CARD_POINTS[card]  # and it never wins
            elif strengths[card] > best:
                best = strengths[card]
                winner = seat
            seat = following[seat]
    events.append(_WON[winner][points - hidden])
    deal.tricks.append((deal.leader, tuple(trick), winner, deal.marriage))
    won = deal.tricks_won
    won[winner] = won[winner] + 1
    _add_points(deal, winner, points, points - hidden)
    if deal.pending is not None and deal.pending[0] == winner:
        _add_points(deal, winner, deal.pending[1], deal.pending[1])
        deal.pending = None
    deal.trick = []
    deal.marriage = None
    deal.leader = deal.turn = winner
    if not deal.hands[winner]:
        ending.play_over(match, winner, events)


def is_revoke(match: Match, seat: int, action: Action, legal_actions: tuple[Action, ...]) -> bool:
    """A card of one's own against a duty, under revoke penalty (RULES 4 Revoke)."""
    return (
        match.ruleset.revoke is o.Revoke.PENALTY
        and action.kind is ActionKind.PLAY
        and not action.announce
        and action.card is not None
        and bool(match.deal.hands[seat] >> action.card & 1)
        and all(known.card != action.card for known in legal_actions)
    )


def revoke(match: Match, seat: int, legal_actions: tuple[Action, ...]) -> tuple[Event, ...]:
    """The card goes back unseen; the lowest legal one is played without announcement."""
    deal = match.deal
    if seat not in deal.revokes:
        deal.revokes.append(seat)
    cards = [action.card for action in legal_actions if action.card is not None]
    lowest = min(cards, key=lambda card: (card % RANKS, card // RANKS))
    return (Revoked(seat), *act(match, seat, PLAYS[lowest]))
