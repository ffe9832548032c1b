"""What is wrong with a message."""


class WireError(ValueError):
    """A message that says nothing legal: an unset or unknown enum, a card that is none. Names the field."""
