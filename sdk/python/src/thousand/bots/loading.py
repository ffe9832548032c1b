"""Finds a bot class by what a person writes: the name of a house bot, or `file.py:Class`."""

import importlib.util
import sys
from pathlib import Path

from thousand.bot import Bot
from thousand.bots import HOUSE_BOTS


class UnknownBot(ValueError):
    """No bot can be made of this text; the message says why and what could be written."""


def load_bot(text: str) -> type[Bot]:
    """The bot class `text` names. Runs the file it is in. Raises UnknownBot."""
    file, colon, name = text.rpartition(":")
    if not colon:
        try:
            return HOUSE_BOTS[text]
        except KeyError:
            known = ", ".join(HOUSE_BOTS)
            raise UnknownBot(f"no bot {text!r}: write a house bot ({known}) or file.py:Class") from None
    path = Path(file)
    if not path.is_file():
        raise UnknownBot(f"no bot {text!r}: there is no file {file!r}")
    found = getattr(_module(path, text), name, None)
    if not (isinstance(found, type) and issubclass(found, Bot)):
        raise UnknownBot(f"no bot {text!r}: {file} has no class {name} derived from thousand.Bot")
    return found


def _module(path: Path, text: str) -> object:
    """The file as a module, once a process, under a name that pickles."""
    name = f"thousand_bot_{path.resolve().as_posix().encode().hex()}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UnknownBot(f"no bot {text!r}: {path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(path.resolve().parent))  # its neighbours, as if it were run
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise UnknownBot(f"no bot {text!r}: {path} fails with {type(error).__name__}: {error}") from error
    finally:
        sys.path.pop(0)
    return module
