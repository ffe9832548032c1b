"""What the arena answers when it refuses: one gRPC status each, a message that says what to do, and the same as data.

The data are google.rpc's: an ErrorInfo always, and what else says more. Law: the message of a `BadRequest` begins with
the field it is about and a colon; without one it is about the request as a whole.
"""

import re
from typing import Final

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc import error_details_pb2 as rpc
from google.rpc.status_pb2 import Status

DOMAIN: Final = "thousand.v1"
TRAILER: Final = "grpc-status-details-bin"
RETRY_S: Final = 1
_FIELD: Final = re.compile(r"([a-z][a-z0-9_.]*): ")


class Refusal(Exception):
    """Base of every refusal. The subclass is the status; the text is for the caller, `reason` for programs."""

    status: grpc.StatusCode = grpc.StatusCode.INTERNAL
    reason: str = "INTERNAL"

    def details(self) -> list[Message]:
        """What there is to say beyond status and reason."""
        return []


class BadRequest(Refusal):
    """A field makes no sense; the message names it."""

    status = grpc.StatusCode.INVALID_ARGUMENT
    reason = "INVALID_FIELD"

    def details(self) -> list[Message]:
        """The field."""
        found = _FIELD.match(str(self))
        field = found[1] if found else ""
        violation = rpc.BadRequest.FieldViolation(field=field, description=str(self)[len(found[0]) if found else 0 :])
        return [rpc.BadRequest(field_violations=[violation])]


class NoSuchThing(Refusal):
    """Nothing has this id or name."""

    status = grpc.StatusCode.NOT_FOUND
    reason = "NO_SUCH_THING"


class UnknownKey(Refusal):
    """The API key is unknown or revoked."""

    status = grpc.StatusCode.UNAUTHENTICATED
    reason = "UNKNOWN_KEY"


class NotAllowed(Refusal):
    """The caller's role or ownership does not suffice."""

    status = grpc.StatusCode.PERMISSION_DENIED
    reason = "NOT_ALLOWED"


class Taken(Refusal):
    """The name belongs to another."""

    status = grpc.StatusCode.ALREADY_EXISTS
    reason = "NAME_TAKEN"


class NotNow(Refusal):
    """It cannot be done as things stand; the message says what must change first."""

    status = grpc.StatusCode.FAILED_PRECONDITION
    reason = "NOT_NOW"

    def details(self) -> list[Message]:
        """What must change."""
        violation = rpc.PreconditionFailure.Violation(type=self.reason, description=str(self))
        return [rpc.PreconditionFailure(violations=[violation])]


class TooMuch(Refusal):
    """A quota is spent: `quota` names it, `subject` whose it is."""

    status = grpc.StatusCode.RESOURCE_EXHAUSTED
    reason = "QUOTA_SPENT"

    def __init__(self, message: str, quota: str = "", subject: str = "") -> None:
        super().__init__(message)
        self.quota, self.subject = quota, subject

    def details(self) -> list[Message]:
        """The quota."""
        subject = f"{self.quota}:{self.subject}" if self.subject else self.quota
        return [rpc.QuotaFailure(violations=[rpc.QuotaFailure.Violation(subject=subject, description=str(self))])]


class TooBusy(Refusal):
    """Too many calls or streams of one client, or of all, are open at once."""

    status = grpc.StatusCode.RESOURCE_EXHAUSTED
    reason = "TOO_MANY_AT_ONCE"

    def details(self) -> list[Message]:
        """When to try again."""
        return [_retry()]


class Stopping(Refusal):
    """The arena is stopping, or has lost its store."""

    status = grpc.StatusCode.UNAVAILABLE
    reason = "STOPPING"

    def details(self) -> list[Message]:
        """When to try again."""
        return [_retry()]


def trailer(refusal: Refusal, message: str) -> tuple[tuple[str, bytes], ...]:
    """The refusal as the trailing metadata that gRPC's libraries read details from."""
    number: int = refusal.status.value[0]
    status = Status(code=number, message=message)
    for detail in (rpc.ErrorInfo(reason=refusal.reason, domain=DOMAIN), *refusal.details()):
        packed = AnyMessage()
        packed.Pack(detail)
        status.details.append(packed)
    return ((TRAILER, status.SerializeToString()),)


def _retry() -> Message:
    return rpc.RetryInfo(retry_delay=Duration(seconds=RETRY_S))  # type: ignore[no-any-return] # google.rpc has no types
