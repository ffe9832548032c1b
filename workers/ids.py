"""Ids: opaque, made of [A-Za-z0-9_-], so that every queue, URL, shell and file takes them as they are."""

import hashlib
import re
import secrets
from typing import Final

SAFE: Final = re.compile(r"[A-Za-z0-9_-]{1,80}")


def new_id() -> str:
    """A fresh id of 16 characters, never beginning with a dash (a shell would take it for an option)."""
    while (made := secrets.token_urlsafe(12)).startswith(("-", "_")):
        pass
    return made


def safe_id(text: str) -> str:
    """`text` itself if it is an id, else an id that stands for it: readable in part, and one per text."""
    if SAFE.fullmatch(text):
        return text
    readable = re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")[:24]
    return f"{readable or 'id'}_{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def block_id(tournament_id: str, index: int) -> str:
    """The block at this place of the schedule; blocks of a tournament sort in schedule order."""
    return f"{tournament_id}_{index:07d}"


def job_id(block: str, fence: int) -> str:
    """The RQ job that plays this block under this fence."""
    return f"{safe_id(block)}_f{fence}"
