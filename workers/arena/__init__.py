"""The arena: the public service over the store, keys and tokens, attendance of referees, and the tick."""
