"""`counter`: counts cards, plans marriages, bids what its hand should bring with the talon.

Every decision is a sum of a few estimates in points, made afresh from the view: it remembers nothing between them.
"""

from collections.abc import Sequence

from thousand.bot import Bot
from thousand.bots import tricks
from thousand.bots.habits import dull, marriages_in, of_kind, suits_of
from thousand.bots.valuation import DEFENDER, chance, dealt_value, declaring, gain, hand_value, pass_cost
from thousand.rules.actions import REDEAL, WRITE_OFF, Action, ActionKind
from thousand.rules.cards import RANKS
from thousand.rules.view import View

DEFENDING = 0.9  # of what the hand would bring in defence: a bid must promise more than that
STOP_BARREL = 12.0  # bid this much more to keep the talon from a player on the barrel
TRY_USED = 15.0  # and this much more on the barrel for each try already used
LAST_TRY = 60.0  # and this much on the last one: a fall costs 120 whether the contract is played or not
HOPELESS = 0.01  # chance of a contract below which it is written off even at full cost


class CounterBot(Bot):
    """The strongest of the house."""

    def decide(self, view: View, actions: Sequence[Action]) -> Action:
        kinds = {action.kind for action in actions}
        if len(actions) > 1:
            if WRITE_OFF in actions and should_write_off(view):
                return WRITE_OFF
            if ActionKind.GIVE in kinds:
                return choose_gives(view, actions)
            if ActionKind.PLAY in kinds:
                return tricks.choose(view, of_kind(actions, ActionKind.PLAY))
            if ActionKind.CONTRACT in kinds:
                return choose_contract(view, of_kind(actions, ActionKind.CONTRACT))
        return dull(view, actions) or choose_bid(view, actions)


def leads_freely(view: View) -> bool:
    """Whether the declarer may announce with the very first lead."""
    return view.ruleset.marriage_first_lead and view.ruleset.first_lead.value == "declarer"


def needs(view: View) -> int:
    """Points that win from the barrel (RULES 3 `barrel_target`)."""
    rules = view.ruleset
    return max(rules.barrel_target, rules.win_score - (rules.barrel_at or rules.win_score))


def choose_bid(view: View, actions: Sequence[Action]) -> Action:
    """Bid on while the estimate bears it; never blind."""
    bids = of_kind(actions, ActionKind.BID)
    passes = of_kind(actions, ActionKind.PASS)
    if not bids:
        return passes[0] if passes else actions[0]
    lowest = min(bids, key=lambda action: action.amount)
    estimate = dealt_value(view.hand or (), entry_free=leads_freely(view)) + eagerness(view, lowest.amount)
    promised = declaring(round(estimate), lowest.amount, may_raise=view.ruleset.contract_raise)
    defence = hand_value(suits_of(view.hand or ()), DEFENDER)
    return lowest if promised > DEFENDING * defence or not passes else passes[0]


def eagerness(view: View, amount: int) -> float:
    """How much further than its cards allow a seat should bid, as the score sheet stands."""
    tries = view.barrel_tries_left[view.seat]
    if tries is not None:
        if amount > needs(view) and tries > 1:
            return -TRY_USED  # a larger contract wins no more
        return LAST_TRY if tries <= 1 else TRY_USED * (view.ruleset.barrel_tries - tries)
    rivals = [seat for seat in view.active if seat != view.seat and seat not in view.passed]
    return STOP_BARREL if any(view.barrel_tries_left[seat] is not None for seat in rivals) else 0.0


def choose_gives(view: View, actions: Sequence[Action]) -> Action:
    """The pass that leaves the best hand; a talon that cannot carry the bid is redealt where that is allowed."""
    hand = view.hand or ()
    suits = suits_of(hand)
    free = leads_freely(view)

    def value(action: Action) -> float:
        left = suits[:]
        cost = 0.0
        for card, to in action.gives:
            left[card // RANKS] ^= 1 << card % RANKS
            cost += pass_cost(card, suits) if to >= 0 else 0.0
        return hand_value(left, entry_free=free) - cost

    best = max(of_kind(actions, ActionKind.GIVE), key=value)
    if REDEAL in actions and gain(value(best), view.high_bid) < 0:
        return REDEAL
    return best


def choose_contract(view: View, contracts: Sequence[Action]) -> Action:
    """The contract of the greatest expected gain; no more than is of use on the way to the barrel or on it."""
    estimate = hand_value(suits_of(view.hand or ()), entry_free=leads_freely(view))
    lowest = min(contracts, key=lambda action: action.amount)
    if view.barrel_tries_left[view.seat] is not None:
        enough = needs(view) if view.ruleset.barrel_win.value == "contract" else 0
        fitting = [action for action in contracts if action.amount >= enough]
        return min(fitting, key=lambda action: action.amount, default=lowest)
    useful = useful_contract(view)
    fitting = [action for action in contracts if action.amount <= max(useful, lowest.amount)]
    return max(fitting, key=lambda action: (gain(estimate, action.amount), -action.amount))


def useful_contract(view: View) -> int:
    """More than brings this seat to the barrel is of no use, unless it wins outright."""
    rules = view.ruleset
    if rules.barrel_at is None or rules.win_without_barrel:
        return 1000
    missing = rules.barrel_at - view.scores[view.seat]
    return -(-missing // (5 * view.factor)) * 5


def should_write_off(view: View) -> bool:
    """Give up a deal that cannot be made; where it is free, one that would lose more than the shares given away."""
    if view.contract == 0 and view.high_bid == 0:
        return False
    if any(trick.cards for trick in view.tricks):
        return False
    rules = view.ruleset
    if rules.write_off_penalty is not None and view.write_offs[view.seat] % 3 == 2:
        return False
    contract = view.contract or view.high_bid
    suits = suits_of(view.hand or ())
    estimate = hand_value(suits, entry_free=leads_freely(view))
    if sum(ranks.bit_count() for ranks in suits) > 8 and not marriages_in(view.hand or ()):
        estimate -= 4.0  # cards still to be passed
    cost = rules.write_off_cost.value
    free = cost == "free" or (cost == "first_free" and view.write_offs[view.seat] == 0)
    if free:
        return gain(estimate, contract) < -contract / 2
    return chance(estimate, contract) < HOPELESS
