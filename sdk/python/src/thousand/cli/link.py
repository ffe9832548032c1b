"""What the commands that talk to an arena share: the connection, its errors in words, and JSON of what came back."""

import sys
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

import grpc
import typer
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from thousand.address import fault
from thousand.channels import open_channel
from thousand.cli.common import Failure, ruleset_of_toml
from thousand.v1.arena_pb2_grpc import ArenaServiceStub
from thousand.v1.ruleset_pb2 import Ruleset
from thousand.wire import ruleset_from, ruleset_to

Server = Annotated[
    str, typer.Option("--server", "-s", envvar="THOUSAND_SERVER", help="The arena, HOST:PORT.", show_default=True)
]
Key = Annotated[
    str,
    typer.Option("--key", "-k", envvar="THOUSAND_KEY", help="Your API key; reading needs none.", show_default=False),
]
RulesetFile = Annotated[
    Path | None,
    typer.Option("--ruleset", metavar="FILE", help='A TOML file instead of a preset: base = "browser" and options.'),
]
Times = Annotated[int, typer.Option("--clocks", help="Multiply every clock by this.", min=1, max=1000)]
PublicSeed = Annotated[
    int | None,
    typer.Option("--seed", help="Cards from this public seed: not verifiable, unrated.", min=0, max=(1 << 64) - 1),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
AsJsonLines = Annotated[bool, typer.Option("--json", help="Print a JSON object a line, as things happen.")]
DEFAULT_SERVER: Final = "127.0.0.1:4800"
_TIMEOUT: Final = 30.0
PAGE: Final = 500  # the most the arena gives
M = TypeVar("M", bound=Message)
Call = Callable[..., M]


class Link:
    """An open connection to an arena."""

    def __init__(self, server: str, key: str) -> None:
        self._channel = open_channel(server)
        self.metadata = (("authorization", f"Bearer {key}"),) if key else ()
        self.stub = ArenaServiceStub(self._channel)

    def close(self) -> None:
        """Close the connection."""
        self._channel.close()

    def call(self, method: Call[M], request: Message) -> M:
        """One answer; grpc.RpcError if it is a refusal."""
        return method(request, metadata=self.metadata, timeout=_TIMEOUT)

    def pages(self, method: Call[M], request: Any) -> Iterator[M]:
        """Every page of a list: `request` is asked again with each `next_page_token`."""
        request.page_size = request.page_size or PAGE
        while True:
            answer: Any = self.call(method, request)
            yield answer
            request.page_token = answer.next_page_token
            if not request.page_token:
                return

    def stream(self, method: Callable[..., Iterable[M]], request: Message) -> Iterator[M]:
        """Answers until the arena ends them."""
        yield from method(request, metadata=self.metadata)


def rules_wanted(preset: str, file: Path | None) -> dict[str, Any]:
    """The fields of a request that say which rules, from `--preset` or `--ruleset`."""
    if file is None:
        return {"preset": preset or "tournament"}
    if preset:
        raise Failure("name either --preset or --ruleset, not both")
    return {"ruleset": ruleset_to(ruleset_of_toml(file))}


@contextmanager
def arena(server: str, key: str = "", before: str = "") -> Iterator[Link]:
    """A connection whose refusals become one line on stderr and exit code 1 (2: fix the request; 3: try again).

    `before`: what that line says first.
    """
    if wrong := fault(server):
        raise Failure(f"--server {wrong}")
    if not (key.isascii() and key.isprintable()):
        raise Failure("--key: an API key is plain ASCII, as it was printed")
    link = Link(server, key)
    try:
        yield link
    except grpc.RpcError as refusal:
        code, details = refusal.code(), refusal.details()
        typer.echo(f"thousand: {before}{_in_words(code, details or '', server)}", err=True)
        raise typer.Exit(_exit_code(code, refusal)) from None
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    finally:
        link.close()


_EXIT_CODES: Final = {
    grpc.StatusCode.INVALID_ARGUMENT: 2,
    grpc.StatusCode.UNAVAILABLE: 3,
    grpc.StatusCode.DEADLINE_EXCEEDED: 3,
}


def _exit_code(code: grpc.StatusCode, refusal: grpc.RpcError) -> int:
    """3 where trying again may help: also where the arena's details of the refusal say when."""
    trailers: Any = refusal.trailing_metadata() or ()
    for name, value in trailers:
        if name == "grpc-status-details-bin" and b"google.rpc.RetryInfo" in value:
            return 3
    return _EXIT_CODES.get(code, 1)


def _in_words(code: grpc.StatusCode, details: str, server: str) -> str:
    if code is grpc.StatusCode.UNAVAILABLE:
        return (
            f"no arena answers at {server} ({details}): is it running there? Name it with --server or THOUSAND_SERVER."
        )
    if code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return f"{server} did not answer in time: try again."
    return f"{details} ({code.name})"


def fresh_key() -> str:
    """An idempotency key for one command."""
    return uuid.uuid4().hex


def plain(message: Message) -> dict[str, Any]:
    """A message as a JSON-able dict: every field by its proto name, enums in words, bytes in hex, times in ISO 8601."""
    return {field.name: _plain_field(message, field) for field in message.DESCRIPTOR.fields}


def _plain_field(message: Message, field: Any) -> Any:
    value = getattr(message, field.name)
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        return dict(sorted(value.items()))
    if field.is_repeated:
        return [_plain_value(item, field) for item in value]
    if field.has_presence and not message.HasField(field.name):
        return None
    return _plain_value(value, field)


def _plain_value(value: Any, field: Any) -> Any:
    if isinstance(value, Timestamp):
        return value.ToJsonString()
    if isinstance(value, Ruleset):
        return ruleset_from(value).to_dict()
    if isinstance(value, Message):
        return plain(value)
    if field.enum_type is not None:
        return enum_word(field.enum_type, value)
    return value.hex() if isinstance(value, bytes) else value


def enum_word(enum: Any, number: int) -> str:
    """The word of an enum's number: TOURNAMENT_STATE_RUNNING is `running`."""
    known = enum.values_by_number.get(number)
    if known is None:
        return str(number)
    prefix = enum.values_by_number[0].name.removesuffix("UNSPECIFIED")
    return str(known.name).removeprefix(prefix).lower()


def on_terminal() -> bool:
    """Whether a person watches standard output."""
    return sys.stdout.isatty()


def split_names(text: str) -> list[str]:
    """Names separated by commas, blanks around them cut. Exits if there is none."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise typer.BadParameter("name bots separated by commas, e.g. --bots mine,counter,greedy")
    return names
