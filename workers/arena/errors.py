"""What the arena answers when it refuses: one gRPC status each, and a message that says what to do."""

import grpc


class Refusal(Exception):
    """Base of every refusal. The subclass is the status; the text is for the caller."""

    status: grpc.StatusCode = grpc.StatusCode.INTERNAL


class BadRequest(Refusal):
    """A field makes no sense; the message names it."""

    status = grpc.StatusCode.INVALID_ARGUMENT


class NoSuchThing(Refusal):
    """Nothing has this id or name."""

    status = grpc.StatusCode.NOT_FOUND


class UnknownKey(Refusal):
    """The API key is unknown or revoked."""

    status = grpc.StatusCode.UNAUTHENTICATED


class NotAllowed(Refusal):
    """The caller's role or ownership does not suffice."""

    status = grpc.StatusCode.PERMISSION_DENIED


class Taken(Refusal):
    """The name belongs to another."""

    status = grpc.StatusCode.ALREADY_EXISTS


class NotNow(Refusal):
    """It cannot be done as things stand; the message says what must change first."""

    status = grpc.StatusCode.FAILED_PRECONDITION


class TooMuch(Refusal):
    """A quota is spent."""

    status = grpc.StatusCode.RESOURCE_EXHAUSTED


class Stopping(Refusal):
    """The arena is stopping, or has lost its store."""

    status = grpc.StatusCode.UNAVAILABLE
