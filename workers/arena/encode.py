"""From `workers.model` to the messages of ArenaService. Nothing is decided here."""

from collections.abc import Iterable, Mapping
from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp

from thousand.rules import Ruleset
from thousand.v1 import absence_pb2, bot_pb2, clock_pb2, result_pb2
from thousand.v1 import tournament_pb2 as pb
from thousand.wire import clocks_to, ruleset_to
from workers import formats, model
from workers.boards import is_sealed

STATES: Final = {
    model.TournamentState.OPEN: pb.TOURNAMENT_STATE_OPEN,
    model.TournamentState.RUNNING: pb.TOURNAMENT_STATE_RUNNING,
    model.TournamentState.FINISHED: pb.TOURNAMENT_STATE_FINISHED,
    model.TournamentState.CANCELLED: pb.TOURNAMENT_STATE_CANCELLED,
}
ROLES: Final = {model.Role.OWNER: bot_pb2.ROLE_OWNER, model.Role.ORGANISER: bot_pb2.ROLE_ORGANISER}
FORMATS: Final = {
    name: pb.TournamentFormat.Value(f"TOURNAMENT_FORMAT_{name.upper()}")
    for name in formats.FORMATS
    if name not in formats.BESIDE
}
NO_SHOWS: Final = {
    model.NoShow.UNRATED: absence_pb2.NO_SHOW_POLICY_UNRATED,
    model.NoShow.LAST: absence_pb2.NO_SHOW_POLICY_LAST,
}
NO_SHOW_NAMES: Final = {number: policy for policy, number in NO_SHOWS.items()}
FORMAT_NAMES: Final = {number: name for name, number in FORMATS.items()}


def timestamp(ms: int) -> Timestamp:
    """Milliseconds since 1970 as the protocol has them."""
    return Timestamp(seconds=ms // 1000, nanos=ms % 1000 * 1_000_000)


def owner(it: model.Owner) -> bot_pb2.Owner:
    """An owner."""
    return bot_pb2.Owner(
        owner_id=it.owner_id, name=it.name, role=ROLES[it.role], house=it.house, created_at=timestamp(it.created_ms)
    )


def bot(it: model.Bot, lowest_generation: int, presence: bot_pb2.BotPresence | None) -> bot_pb2.Bot:
    """A bot, with where it is connected."""
    return bot_pb2.Bot(
        bot_id=it.bot_id,
        name=it.name,
        owner_id=it.owner_id,
        versions=[
            bot_pb2.BotVersion(version=v.version, note=v.note, created_at=timestamp(v.created_ms)) for v in it.versions
        ],
        lowest_generation=lowest_generation,
        retired=it.retired,
        tags=it.tags,
        created_at=timestamp(it.created_ms),
        presence=presence,
    )


def presence_by_bot(referees: Iterable[model.RefereePresence]) -> dict[str, bot_pb2.BotPresence]:
    """Who is connected. An instance at several referees is one, with its places counted once."""
    found: dict[str, bot_pb2.BotPresence] = {}
    seen: set[tuple[model.Player, str]] = set()
    for instance in (instance for referee in referees for instance in referee.instances):
        sums = found.setdefault(instance.player.bot_id, bot_pb2.BotPresence())
        sums.open_matches += instance.open_matches
        if (instance.player, instance.instance_id) not in seen:
            seen.add((instance.player, instance.instance_id))
            sums.instances += 1
            sums.max_matches += instance.max_matches
    return found


def entrant(player: model.Player, names: Mapping[str, str]) -> pb.Entrant:
    """A player with the bot's name."""
    return pb.Entrant(bot_id=player.bot_id, version=player.version, bot_name=names.get(player.bot_id, player.bot_id))


def tournament(
    it: model.Tournament, progress: model.Progress, secret: bytes, names: Mapping[str, str], leaderboard_id: str
) -> pb.Tournament:
    """A tournament as it stands; `secret` is empty until it may be told."""
    return pb.Tournament(
        tournament_id=it.tournament_id,
        name=it.name,
        format=FORMATS.get(it.format, pb.TOURNAMENT_FORMAT_UNSPECIFIED),
        preset=it.preset,
        entrants=[entrant(e.player, names) for e in it.entrants],
        entrant_count=len(it.entrants),
        state=STATES[progress.state],
        clocks=clocks_to(it.clocks),
        fairness=fairness(it.commitment, secret, it.public_seed),
        progress=pb.TournamentProgress(
            blocks=progress.blocks,
            blocks_finished=progress.blocks_finished,
            matches_planned=progress.matches,
            matches_finished=progress.finished,
            matches_running=progress.running,
            matches_waiting=progress.waiting,
            matches_no_show=progress.no_show,
            matches_cancelled=progress.cancelled,
            decisions=progress.decisions,
            strikes=progress.strikes,
        ),
        leaderboard_id=leaderboard_id,
        created_at=timestamp(it.created_ms),
        ruleset=ruleset_to(Ruleset.from_dict(it.ruleset)),
        options={name: str(value) for name, value in it.options.items()},
        absence=absence_pb2.Absence(
            no_show=NO_SHOWS[it.no_show], postponements=it.postponements, postpone_ms=it.postpone_ms
        ),
    )


def fairness(commitment: str, secret: bytes, public_seed: int | None) -> pb.Fairness:
    """How the cards can be checked."""
    return pb.Fairness(commitment=bytes.fromhex(commitment), secret=secret, public_seed=public_seed is not None)


def match(
    it: model.Tournament,
    block: model.Block,
    number: int,
    state: model.BlockState,
    report: model.MatchReport | None,
    names: Mapping[str, str],
) -> pb.Match:
    """Match `number` of a block. While another table may still play the same board, it is running, without more."""
    sealed = is_sealed(block, state)
    if sealed and report is not None:
        state, report = model.BlockState.RUNNING, None
    return pb.Match(
        match_id=block.matches[number].match_id,
        tournament_id=it.tournament_id if it.listed else "",
        block_id="" if sealed else block.block_id,
        state=match_state(report, state),
        preset=it.preset,
        seats=[entrant(player, names) for player in block.seats(number)],
        rated=it.rated,
        outcome=None if report is None else outcome(report),
    )


def match_state(report: model.MatchReport | None, block: model.BlockState) -> "pb.MatchState.ValueType":
    """The state of a match by its report and its block."""
    if report is not None:
        return pb.MATCH_STATE_FINISHED if report.end is model.MatchEnd.PLAYED else pb.MATCH_STATE_NO_SHOW
    if block is model.BlockState.CANCELLED:
        return pb.MATCH_STATE_CANCELLED
    return pb.MATCH_STATE_RUNNING if block is model.BlockState.RUNNING else pb.MATCH_STATE_WAITING


def outcome(report: model.MatchReport) -> result_pb2.MatchOutcome:
    """The result of a match that ended."""
    played = report.end is model.MatchEnd.PLAYED
    return result_pb2.MatchOutcome(
        reason=result_pb2.END_REASON_FINISHED if played else result_pb2.END_REASON_NO_SHOW,
        scores=report.scores,
        ranking=report.ranking,
        deals=report.deals,
        conduct=[_conduct(report, seat) for seat in range(len(report.seats))],
    )


def _conduct(report: model.MatchReport, seat: int) -> result_pb2.Conduct:
    counts = report.strikes[seat] if seat < len(report.strikes) else {}
    faulty = seat in report.faulty
    played = report.end is model.MatchEnd.PLAYED
    strikes = [
        result_pb2.StrikeCount(cause=clock_pb2.StrikeCause.Value(f"STRIKE_CAUSE_{cause.upper()}"), count=count)
        for cause, count in sorted(counts.items())
    ]
    return result_pb2.Conduct(strikes=strikes, forfeited=faulty and played, no_show=faulty and not played)
