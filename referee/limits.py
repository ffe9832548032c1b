"""Every limit of the referee, in one place. Each is enforced, and has a test that breaks only that one."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What a peer may do before it is refused or cut off. Sizes in bytes."""

    # An answer up to this late still counts (the network and the scheduler are not the bot); all its time is charged.
    grace_ms: int = 100
    # Strikes in one match that forfeit it.
    strikes: int = 5
    # One message from a bot. Beyond it the stream ends RESOURCE_EXHAUSTED; far beyond it gRPC itself ends it likewise.
    message_bytes: int = 64 * 1024
    transport_message_bytes: int = 1024 * 1024
    # One message from the workers: a request with the whole journal of a long match.
    service_message_bytes: int = 32 * 1024 * 1024
    # Output waiting for a bot that does not read, and for how long it may refuse to take any.
    unread_bytes: int = 1024 * 1024
    unread_s: float = 20.0
    # Things said that nobody asked for (stale answers, unknown matches, empty or unreadable messages): a bucket per
    # stream. An answer to an open decision costs nothing: its rate is the referee's own.
    unasked_burst: int = 100
    unasked_per_s: float = 20.0
    # Items in one message.
    items: int = 1000
    # Streams of one token open at once, and streams of it begun: a bucket.
    streams: int = 32
    streams_begun_burst: int = 64
    streams_begun_per_s: float = 4.0
    # All streams, so that the referee's memory has a bound.
    streams_total: int = 2000
    # Refusals of one HostMatches call that its caller has not taken yet.
    refusals: int = 64
    # Matches that one instance may play at once, and all open matches here.
    matches_per_instance: int = 256
    matches: int = 1000
    # How long a journal entry may wait for others before it is sent to the caller (the protocol promises 20 ms).
    journal_ms: int = 20
    # From the start of a stream to Hello.
    hello_s: float = 10.0
    # An instance's finished matches told again to a bot that missed it.
    finished_kept: int = 64
    finished_kept_s: float = 300.0
    # Fences remembered, one a block, the latest blocks.
    fences: int = 100_000
    # Keepalive: how often the server pings, how long it waits, how often a peer may ping (the SDK: every 10 s).
    ping_s: float = 20.0
    ping_timeout_s: float = 10.0
    pinged_s: float = 0.9


class Bucket:
    """A token bucket: `take(now)` says whether one more is allowed. Times in milliseconds."""

    __slots__ = ("_at", "_burst", "_left", "_per_ms")

    def __init__(self, burst: int, per_s: float, now: int) -> None:
        self._burst = float(burst)
        self._per_ms = per_s / 1000
        self._left = self._burst
        self._at = now

    def take(self, now: int) -> bool:
        """One more: False when there were too many."""
        self._left = min(self._burst, self._left + (now - self._at) * self._per_ms)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
