"""How the terminal shows cards, hands, actions and events to a person."""

from collections.abc import Iterable, Sequence
from typing import Final

from thousand.rules import events as ev
from thousand.rules.actions import TALON, Action, ActionKind
from thousand.rules.cards import SHOWN_ORDER, Card
from thousand.rules.view import View

PERSON: Final = "you"
_PLACE = {card: place for place, card in enumerate(SHOWN_ORDER)}
_PLAIN = {
    ActionKind.PASS: "pass",
    ActionKind.LOOK: "look at your cards",
    ActionKind.REDEAL: "demand a redeal",
    ActionKind.ACCEPT: "keep it as it is",
    ActionKind.RECUT: "cut again",
    ActionKind.TUCK: "tuck it into the pack",
    ActionKind.WRITE_OFF: "write the deal off",
}
_AMOUNT = {
    ActionKind.BID: "bid {}",
    ActionKind.BLIND: "bid {} blind",
    ActionKind.CONTRACT: "play for {}",
}


def cards_text(cards: Iterable[Card | None]) -> str:
    """`♠A ♠10 ♥K`, suit by suit as RULES 1 sorts them; a face-down card is `??`."""
    known = [card for card in cards if card is not None]
    hidden = sum(1 for card in cards if card is None) if isinstance(cards, Sequence) else 0
    return " ".join([card.pretty for card in sorted(known, key=_PLACE.__getitem__)] + ["??"] * hidden) or "–"


def action_text(action: Action) -> str:
    """An action as a choice for a person."""
    if action.kind in _PLAIN:
        return _PLAIN[action.kind]
    if action.kind is ActionKind.CUT:
        return f"cut {_counted(action.amount, 'card')}"
    if action.kind in _AMOUNT:
        return _AMOUNT[action.kind].format(action.amount)
    if action.kind is ActionKind.CHOOSE:
        return f"take talon {action.amount + 1}"
    if action.kind is ActionKind.GIVE:
        return "give " + ", ".join(f"{g.card.pretty} to {'the talon' if g.to == TALON else g.to}" for g in action.gives)
    assert action.card is not None  # a play
    if not action.announce:
        return action.card.pretty
    if action.card.rank == 5:
        return f"{action.card.pretty}  and announce the four aces (200)"
    return f"{action.card.pretty}  and announce the marriage ({action.card.suit.marriage})"


def event_text(event: ev.Event, names: Sequence[str]) -> str | None:
    """One line about what happened; None for what needs no line."""
    told = _about_cards(event, names)
    return told if told is not None else _about_deal(event, names)


def does(names: Sequence[str], seat: int, verb: str) -> str:
    """`counter plays`, and `You play` for the person at the terminal."""
    if _name(names, seat) == PERSON:
        return f"You {verb}"
    return f"{_name(names, seat)} {verb}{'es' if verb.endswith('ss') else 's'}"


def _about_cards(event: ev.Event, names: Sequence[str]) -> str | None:
    match event:
        case ev.CardPlayed(seat, card, announced):
            shown = "a card face down" if card is None else card.pretty
            return f"  {does(names, seat, 'play')} {shown}{'!' * announced}"
        case ev.MarriageAnnounced(seat, suit, points):
            return (
                f"  {does(names, seat, 'announce')} the marriage in {suit.symbol}: {points}, and {suit.symbol} is trump"
            )
        case ev.AceMarriageAnnounced(seat, points):
            return f"  {does(names, seat, 'announce')} the four aces: {points}"
        case ev.Revoked(seat):
            return f"  {does(names, seat, 'revoke')}"
        case ev.TrickWon(seat, points):
            return f"  → {does(names, seat, 'take')} the trick: {points}"
        case ev.TalonTaken(seat, cards):
            return f"{does(names, seat, 'take')} the talon: {'face down' if cards is None else cards_text(cards)}"
        case ev.CardPassed(seat, to, card):
            where = "into the talon" if to == TALON else f"to {_name(names, to)}"
            return f"{does(names, seat, 'pass')} {'a card' if card is None else card.pretty} {where}"
        case ev.BottomSeen(_, card):
            return f"The bottom card is {card.pretty}"
        case ev.HandDealt(seat, cards):
            return f"{does(names, seat, 'hold')} {cards_text(cards)}"
    return None


def played_text(event: ev.CardPlayed, names: Sequence[str]) -> str:
    """A card of a trick: `counter ♠A!`."""
    return f"{_name(names, event.seat)} {'??' if event.card is None else event.card.pretty}{'!' * event.announced}"


def _about_deal(event: ev.Event, names: Sequence[str]) -> str | None:
    match event:
        case ev.DealStarted(number, dealer, hundred, _, golden):
            title = f"Deal {number}{' (golden)' if golden else ''}"
            return f"\n{title}: {does(names, dealer, 'deal')}, {does(names, hundred, 'hold')} the forced bid"
        case ev.Cut(seat, size):
            return f"{does(names, seat, 'cut')} {_counted(size, 'card')}"
        case ev.CutSettled(seat, action):
            return f"{names[seat]}: {action}"
        case ev.Fined(seat, kind, change):
            return f"{names[seat]}: {kind.value.replace('_', ' ')} {change:+d}"
        case ev.Redealt(seat, reason):
            return f"{does(names, seat, 'demand')} a redeal ({reason.value.replace('_', ' ')})"
        case ev.WrittenOff(seat):
            return f"{does(names, seat, 'write')} the deal off"
    return _about_auction(event, names)


def _about_auction(event: ev.Event, names: Sequence[str]) -> str | None:
    match event:
        case ev.Looked(seat):
            return does(names, seat, "look")
        case ev.Bid(seat, amount, blind, forced):
            return f"{does(names, seat, 'hold' if forced else 'bid')} {amount}{' blind' if blind else ''}"
        case ev.Passed(seat, _):
            return does(names, seat, "pass")
        case ev.AuctionWon(seat, amount, _):
            return f"{does(names, seat, 'win')} the auction at {amount}"
        case ev.TalonChosen(seat, index):
            return f"{does(names, seat, 'take')} talon {index + 1}"
        case ev.ContractSet(seat, amount):
            return f"{does(names, seat, 'play')} for {amount}"
    return None


def sheet_text(names: Sequence[str], scored: ev.DealScored) -> str:
    """The score sheet after a deal: what was taken, what each step did, how it stands."""
    lines = [f"Score sheet, deal {scored.deal_number}:"]
    width = max(len(name) for name in names)
    for seat, name in enumerate(names):
        rows = [f"{row.kind.value.replace('_', ' ')} {row.change:+d}" for row in scored.rows if row.seat == seat]
        tries = scored.barrel_tries_left[seat]
        notes = [f"took {scored.points[seat]}", *rows]
        if tries is not None:
            notes.append(f"on the barrel, {tries} left")
        if scored.bolts[seat]:
            notes.append(f"bolts {scored.bolts[seat]}")
        lines.append(f"  {name:<{width}}  {scored.scores[seat]:>5}   {', '.join(notes)}")
    return "\n".join(lines)


def standings_text(view: View, names: Sequence[str]) -> str:
    """The score sheet as it stands."""
    width = max(len(name) for name in names)
    lines = []
    for seat, name in enumerate(names):
        tries = view.barrel_tries_left[seat]
        notes = [f"bolts {view.bolts[seat]}"] if view.bolts[seat] else []
        if tries is not None:
            notes.append(f"on the barrel, {tries} left")
        lines.append(f"  {name:<{width}}  {view.scores[seat]:>5}  {', '.join(notes)}".rstrip())
    return "\n".join(lines)


def auction_text(view: View, names: Sequence[str]) -> str:
    """The auction so far, in the order spoken."""
    return "\n".join(f"  {names[seat]}: {action_text(action)}" for seat, action in view.auction) or "  nothing said yet"


def table_names(bots: Sequence[str]) -> list[str]:
    """Names that tell the seats apart: `counter`, `counter (2)`."""
    names: list[str] = []
    for bot in bots:
        before = sum(other == bot for other in bots[: len(names)])
        names.append(f"{bot} ({before + 1})" if before else bot)
    return names


def winner_text(names: Sequence[str], seat: int) -> str:
    """Who took a trick."""
    return _name(names, seat)


def _name(names: Sequence[str], seat: int) -> str:
    return names[seat] if seat < len(names) else "the dummy"


def _counted(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
