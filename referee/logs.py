"""Logs: one JSON object a line on stderr, each about a match or a stream. Law: never a hand, a token or an answer."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Final

_LOG: Final = logging.getLogger("referee")


class JsonLines(logging.Formatter):
    """`{"time": …, "level": …, "event": …, fields…}`."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        line.update(getattr(record, "fields", {}))
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def setup(level: int = logging.INFO) -> None:
    """Sends the logs of the referee, and of gRPC, to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    _LOG.setLevel(level)


def info(event: str, **fields: object) -> None:
    """Something that an operator may want to know."""
    if _LOG.isEnabledFor(logging.INFO):
        _LOG.info(event, extra={"fields": fields})


def warning(event: str, **fields: object) -> None:
    """Something that an operator should look at."""
    _LOG.warning(event, extra={"fields": fields})


def failure(event: str, **fields: object) -> None:
    """A fault of the referee itself, with its traceback; call it in an except block."""
    _LOG.exception(event, extra={"fields": fields})
