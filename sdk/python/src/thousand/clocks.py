"""The time a bot has, as the wire, the referee and the SDK speak of it."""

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Clocks:
    """The time a bot has, in milliseconds (defaults: those of rated play)."""

    startup_ms: int = 30_000  # to answer MatchStarted
    decision_ms: int = 5_000  # at most, for one decision
    free_ms: int = 1_000  # of a decision not drawn from the bank
    bank_ms: int = 120_000  # per match; empty: free_ms a decision
    increment_ms: int = 0  # added to the bank after each answer

    def scaled(self, factor: int) -> "Clocks":
        """All of them times `factor`."""
        return Clocks(*(getattr(self, field.name) * factor for field in fields(self)))
