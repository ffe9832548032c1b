"""The verbs of the engine: `new_match`, `legal_actions`, `decision`, `apply`. A bad action raises, changing nothing."""

from collections.abc import Callable
from typing import Final

from thousand.rules import auction, contracting, cut, dealing, passing, playing, redeal, seeds, talon
from thousand.rules import options as o
from thousand.rules.actions import ANNOUNCES, PASS, Action, ActionKind
from thousand.rules.errors import Illegal, IllegalAction
from thousand.rules.events import Event
from thousand.rules.phases import Decision, Phase
from thousand.rules.ruleset import Ruleset
from thousand.rules.standings import Standings
from thousand.rules.state import Match
from thousand.rules.tuples import new

_LEGAL: Final[dict[Phase, Callable[[Match], tuple[Action, ...]]]] = {
    Phase.CUT: cut.legal,
    Phase.REDEAL: redeal.legal,
    Phase.AUCTION: auction.legal,
    Phase.TALON: talon.legal,
    Phase.PASS_CARDS: passing.legal,
    Phase.CONTRACT: contracting.legal,
}
_ACT: Final[dict[Phase, Callable[[Match, int, Action, list[Event]], None]]] = {
    Phase.CUT: cut.act,
    Phase.REDEAL: redeal.act,
    Phase.AUCTION: auction.act,
    Phase.TALON: talon.act,
    Phase.PASS_CARDS: passing.act,
    Phase.CONTRACT: contracting.act,
}
_PLAY: Final = Phase.PLAY
_OVER: Final = Phase.OVER
_PHASES_OF: Final = {
    ActionKind.CUT: (Phase.CUT,),
    ActionKind.RECUT: (Phase.CUT,),
    ActionKind.TUCK: (Phase.CUT,),
    ActionKind.ACCEPT: (Phase.CUT, Phase.REDEAL),
    ActionKind.REDEAL: (Phase.REDEAL, Phase.AUCTION, Phase.PASS_CARDS),
    ActionKind.LOOK: (Phase.AUCTION,),
    ActionKind.BID: (Phase.AUCTION,),
    ActionKind.BLIND: (Phase.AUCTION,),
    ActionKind.PASS: (Phase.AUCTION,),
    ActionKind.CHOOSE: (Phase.TALON,),
    ActionKind.GIVE: (Phase.PASS_CARDS,),
    ActionKind.WRITE_OFF: (Phase.PASS_CARDS, Phase.CONTRACT, Phase.PLAY),
    ActionKind.CONTRACT: (Phase.CONTRACT,),
    ActionKind.PLAY: (Phase.PLAY,),
}


def new_match(
    ruleset: Ruleset, seed: bytes, *, first_dealer: int | None = None, first_hundred: int | None = None
) -> Match:
    """A match at its first decision. `seed` is 32 bytes; dealer and holder of the hundred by lot and rule, or given
    (a series of matches: RULES 4). Raises ValueError for a seed of another length or seats that do not exist.
    """
    match, events = opened(ruleset, seed, first_dealer=first_dealer, first_hundred=first_hundred)
    del events
    return match


def opened(
    ruleset: Ruleset, seed: bytes, *, first_dealer: int | None = None, first_hundred: int | None = None
) -> tuple[Match, tuple[Event, ...]]:
    """Like `new_match`, with the events of the first deal's beginning."""
    if len(seed) != seeds.SEED_BYTES:
        raise ValueError(f"a match seed has {seeds.SEED_BYTES} bytes, not {len(seed)}: see seed_from_int")
    players = ruleset.players
    dealer = seeds.first_dealer(seed, players) if first_dealer is None else first_dealer
    after = 0 if ruleset.forced_bidder is o.ForcedBidder.DEALER else 1
    hundred = (dealer + after) % players if first_hundred is None else first_hundred
    if not (0 <= dealer < players and 0 <= hundred < players) or (players == 4 and dealer == hundred):
        raise ValueError(f"dealer {dealer} and hundred {hundred} are no seats of {players} players")
    deal = dealing.new_deal(ruleset, 1, dealer, hundred)
    match = Match(ruleset, seed, deal, Standings.start(players))
    events: list[Event] = []
    dealing.begin(match, deal, events)
    return match, tuple(events)


def legal_actions(match: Match) -> tuple[Action, ...]:
    """Every legal action of the seat in turn, never none; () when the match is over."""
    actions = match.actions
    if actions is None:
        phase = match.phase
        if phase is _PLAY:
            actions = playing.legal(match)
        else:
            actions = () if phase is _OVER else _LEGAL[phase](match)
        match.actions = actions
    return actions


def decision(match: Match) -> Decision | None:
    """Whose turn it is and every legal action; None when the match is over."""
    actions = legal_actions(match)
    return new(Decision, (match.deal.turn, match.phase, actions)) if actions else None


def apply(match: Match, action: Action, seat: int | None = None) -> tuple[Event, ...]:
    """Carry out an action of the seat in turn; returns what happened, with everything in it (see `visible`).

    `seat`, if given, must be the seat in turn, but for a pass under early_pass. Raises IllegalAction.
    """
    actions = match.actions
    if actions is None:
        actions = legal_actions(match)
    if not actions:
        raise IllegalAction(Illegal.MATCH_OVER, "the match is over")
    turn, phase = match.deal.turn, match.phase
    if seat is not None and seat != turn:
        return _apply_out_of_turn(match, turn, action, seat)
    events: tuple[Event, ...]
    listed = False
    for known in actions:  # nearly always one of these very objects, sooner found than by `in`
        if known is action:
            listed = True
            break
    if not listed and action not in actions:
        events = _apply_unlisted(match, Decision(turn, phase, actions), action)
    elif phase is _PLAY:
        events = playing.act(match, turn, action)
    else:
        log: list[Event] = []
        _ACT[phase](match, turn, action, log)
        events = tuple(log)
    asked = match.asked
    asked[turn] = asked[turn] + 1  # compiled, `+=` on an item would call Python's general addition
    match.actions = None
    return events


def _apply_out_of_turn(match: Match, turn: int, action: Action, seat: int) -> tuple[Event, ...]:
    """A pass under early_pass; anything else is refused."""
    if action != PASS or not 0 <= seat < match.ruleset.players or not auction.may_pass_early(match, seat):
        raise IllegalAction(Illegal.NOT_YOUR_TURN, f"seat {seat} is not in turn: seat {turn} is to act")
    events: list[Event] = []
    auction.pass_early(match, seat, events)
    match.actions = None
    return tuple(events)


def _apply_unlisted(match: Match, current: Decision, action: Action) -> tuple[Event, ...]:
    """The plain form where announcing is automatic, and a revoke; anything else is refused."""
    if current.phase is Phase.PLAY and action.kind is ActionKind.PLAY and action.card is not None:
        spoken = ANNOUNCES[action.card]
        if not action.announce and spoken in current.actions:
            return playing.act(match, current.seat, spoken)
        if playing.is_revoke(match, current.seat, action, current.actions):
            return playing.revoke(match, current.seat, current.actions)
    raise _refusal(match, current, action)


def _refusal(match: Match, current: Decision, action: Action) -> IllegalAction:
    legal = ", ".join(map(str, current.actions[:12])) + (", …" if len(current.actions) > 12 else "")
    if current.phase not in _PHASES_OF[action.kind]:
        return IllegalAction(Illegal.WRONG_PHASE, f"'{action}' is no action of phase {current.phase}; legal: {legal}")
    hands = match.deal.hands
    hand = hands[current.seat] if hands else 0  # none before the cut
    cards = [action.card] if action.card is not None else [g.card for g in action.gives]
    missing = [str(card) for card in cards if not hand >> card & 1]
    if missing:
        return IllegalAction(Illegal.NOT_IN_HAND, f"'{action}': {' '.join(missing)} not in hand; legal: {legal}")
    return IllegalAction(Illegal.AGAINST_RULES, f"'{action}' is not legal now; legal: {legal}")
