"""The catalogue of options: for each field of `Ruleset` its values and its meaning in one line (RULES 3)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from thousand.rules import options as o
from thousand.rules.values import Choice, Kind, Numbers, Span, Subset, Switch


@dataclass(frozen=True, slots=True)
class Option:
    """One option: how its value is written, and what it means to a bot author."""

    kind: Kind
    meaning: str


_ON_OFF: Final = Switch()
_POINTS: Final = Span(0, 10_000)

CATALOGUE: Final[Mapping[str, Option]] = {
    "players": Option(Numbers((3, 2, 4)), "seats; of four the dealer sits out"),
    "two_player": Option(Choice(o.TwoPlayer, none=True), "how two play: cards each, talons, passing, or a dummy"),
    "leftover_talon": Option(Choice(o.LeftoverTalon), "who gets the points of the talon left over"),
    "sitting_dealer": Option(
        Choice(o.SittingDealer, none=True),
        "the dealer sitting out scores the talon: card points and a marriage in it, or 11 an ace and that marriage",
    ),
    "cut_ritual": Option(Choice(o.CutRitual), "whether the dealer may or must act on a nine or jack at the bottom"),
    "forced_bidder": Option(Choice(o.ForcedBidder), "who holds the hundred, the forced opening bid"),
    "opening": Option(Choice(o.Opening), "the forced bid stands by itself, or its holder speaks first: it or more"),
    "first_speaker": Option(Choice(o.FirstSpeaker), "who speaks first under a fixed opening"),
    "opening_bid": Option(Numbers((100, 80)), "the forced bid; all others passing, its holder is declarer at it"),
    "raise_step": Option(Choice(o.RaiseStep), "a bid may be any higher multiple of 5, or exactly the next one"),
    "early_pass": Option(_ON_OFF, "who is not highest bidder may pass out of turn"),
    "bid_cap": Option(
        Choice(o.BidCap, none=True),
        "120 and all marriages in hand bound a bid; or more than 120 needs a marriage in hand",
    ),
    "cap_enforcement": Option(Choice(o.CapEnforcement), "a bid over the cap is illegal, or costs its declarer 120"),
    "max_bid": Option(Span(5, 600, step=5), "the greatest bid and contract"),
    "blind": Option(Choice(o.Blind), "who may bid before looking: the first speaker 120, or anyone who has not looked"),
    "blind_outbid": Option(Choice(o.BlindOutbid), "who may outbid a blind bid"),
    "blind_doubles": Option(Choice(o.BlindDoubles), "whose points a blind deal doubles"),
    "blind_hides": Option(Subset(o.BlindHides), "what a blind deal hides from the table"),
    "bid_floor": Option(Span(-10_000, 10_000, none=True), "whose score is below it passes whenever asked"),
    "talon_shown": Option(
        Choice(o.TalonShown), "a talon won at the opening bid is seen by all, or by the declarer alone"
    ),
    "pass_shown": Option(_ON_OFF, "whether all see the passed cards"),
    "contract_raise": Option(_ON_OFF, "whether the declarer may raise after passing cards"),
    "write_off": Option(Choice(o.WriteOff), "giving up: each active opponent gets half the contract, or 60"),
    "write_off_until": Option(Choice(o.WriteOffUntil), "until the first card, or until passing cards"),
    "write_off_cost": Option(Choice(o.WriteOffCost), "whether giving up costs the declarer the contract"),
    "write_off_limit": Option(Span(1, 1000, none=True), "write-offs per player and match"),
    "write_off_penalty": Option(Span(1, 10_000, none=True), "fine at every third write-off of a player"),
    "write_off_barrel": Option(
        Choice(o.WriteOffBarrel), "forbidden to a barrel player, while anyone sits there, then only if free, or allowed"
    ),
    "write_off_golden": Option(Choice(o.WriteOffGolden), "whether a golden deal may be given up"),
    "redeal_four_nines": Option(Subset(o.RedealMoment), "when the holder of four nines may demand a redeal"),
    "redeal_three_nines_on_hundred": Option(
        _ON_OFF, "whether three nines give it to the forced bidder, before the auction"
    ),
    "redeal_low_hand": Option(Subset(o.RedealMoment), "when a hand worth under 14 card points may demand one"),
    "redeal_talon": Option(Choice(o.RedealTalon), "the declarer, on a talon worth under 5, or with two nines"),
    "redeal_talon_when": Option(Choice(o.RedealTalonWhen), "only a talon won at the unopposed opening bid, or any"),
    "redeal_talon_mode": Option(Choice(o.RedealTalonMode), "whether that redeal is a right or a duty"),
    "redeal_dealer": Option(Choice(o.RedealDealer), "who deals again"),
    "first_lead": Option(Choice(o.FirstLead), "who leads to the first trick"),
    "marriage_first_lead": Option(_ON_OFF, "whether a marriage may be announced before its holder has won a trick"),
    "marriage_card": Option(
        Choice(o.MarriageCard), "either card announces; or the queen, the king only with ace and ten"
    ),
    "marriage_announce": Option(Choice(o.MarriageAnnounce), "whether announcing is a choice"),
    "marriage_scored": Option(Choice(o.MarriageScored), "counts at once; or when its announcer then wins a trick"),
    "trump_lead": Option(Choice(o.TrumpLead), "who may lead trumps"),
    "ace_marriage": Option(Choice(o.AceMarriage), "200 for four aces: on playing the first, or on leading one"),
    "revoke": Option(Choice(o.Revoke), "an illegal card is refused, or fined and replaced"),
    "revoke_fine": Option(_POINTS, "points a revoke costs"),
    "defender_rounding": Option(Choice(o.DefenderRounding, none=True), "17 counts 15, 18 counts 20; or not at all"),
    "declarer_rounding": Option(Choice(o.DeclarerRounding), "how points are compared with the contract"),
    "bolt": Option(Choice(o.Bolt), "a deal without a trick, or without a point, earns a bolt"),
    "bolt_run": Option(Choice(o.BoltRun), "every third costs: altogether, in a row, or both counted"),
    "bolt_penalty": Option(_POINTS, "points a third bolt costs"),
    "barrel_at": Option(Numbers((880, 900, 800), none=True), "the score at which one sits on the barrel"),
    "barrel_turn": Option(Choice(o.BarrelTurn), "which deals are tries: every one, or those on the own hundred"),
    "barrel_auction": Option(
        Choice(o.BarrelAuction), "ordinary; the win is bid automatically; or the talon is taken for it"
    ),
    "barrel_target": Option(
        Numbers((120, 121)), "points to win from the barrel, at least what is missing to win_score"
    ),
    "barrel_win": Option(Choice(o.BarrelWin), "own contract made and enough taken; or a contract that is enough"),
    "barrel_tries": Option(Span(1, 1000), "deals in which to win"),
    "barrel_failed": Option(Choice(o.BarrelFailed), "a failed own contract is subtracted, uses the try, or is a fall"),
    "barrel_room": Option(Choice(o.BarrelRoom), "whether a newcomer knocks off who sits there"),
    "barrel_together": Option(Choice(o.BarrelTogether), "several arrive in one deal: all stay, all fall, one stays"),
    "barrel_falls_count": Option(Choice(o.BarrelFallsCount), "what counts as a fall: all, or used-up tries"),
    "barrel_resets_after": Option(Span(1, 1000, none=True), "falls after which the score is zeroed"),
    "barrel_freezes_others": Option(_ON_OFF, "whether nobody else scores while a barrel player plays his try"),
    "win_without_barrel": Option(_ON_OFF, "off: a score at or above the barrel stops there"),
    "win_score": Option(Numbers((1000, 1001, 1005)), "the score that wins"),
    "dump_truck": Option(Choice(o.DumpTruck), "a score of exactly 555 (or -555) becomes 0"),
    "golden": Option(Choice(o.Golden), "the first deals, as many as players, count double; or are forced at 120"),
    "golden_doubles": Option(Choice(o.GoldenDoubles), "points alone, or fines and bolts too"),
    "golden_failed": Option(
        Choice(o.GoldenFailed), "if no golden contract was made: nothing, scores zeroed, a new match"
    ),
    "golden_raise": Option(_ON_OFF, "whether the golden contract may be raised"),
    "settlement": Option(Choice(o.Settlement, none=True), "stakes after the match, on top of the score"),
    "bank": Option(_POINTS, "the stake of settlement bank"),
    "next_dealer": Option(Choice(o.NextDealer), "who deals the next match of a series"),
    "max_deals": Option(Span(1, 100_000), "deals after which the match ends, ranked by score"),
}
