"""Who sits where on a board: seats by an equitable colouring, exact; tables by who has met least, a good try."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Final

from workers.formats.base import Table

EACH: Final = 24  # comparisons are spread among boards of which everybody plays so many, about
WINDOW: Final = 240  # but among no more boards than these
PASSES: Final = 4
EFFORT: Final = 1_000_000  # changes of a count, about: with many tables everybody is compared often enough anyway
Held = list[list[int]]  # one board: by seat, who holds its cards
Vertex = tuple[str, int, int]


def in_seats(boards: Sequence[Sequence[int]], entrants: int, seats: int) -> list[Held]:
    """Each of these boards with as many players in each seat, and each player in each seat equally often, or once less.

    Seats are colours of a bipartite graph: a player's boards, `seats` at a time, against the places of a board, `seats`
    at a time. No vertex has more edges than there are colours, so a proper colouring exists (Kőnig's theorem).
    """
    colouring = _Colouring(seats)
    played = [0] * entrants
    for number, board in enumerate(boards):
        for place, who in enumerate(board):
            colouring.add(("player", who, played[who] // seats), ("board", number, place // seats))
            played[who] += 1
    colours = iter(colouring.colours)
    laid: list[Held] = []
    for board in boards:
        held: Held = [[] for _ in range(seats)]
        for who in board:
            held[next(colours)].append(who)
        laid.append(held)
    _Comparisons(entrants).spread(laid)
    return laid


class _Colouring:
    """A proper edge colouring that grows edge by edge; `colours` by edge."""

    def __init__(self, count: int) -> None:
        self.colours: list[int] = []
        self._count = count
        self._ends: list[tuple[Vertex, Vertex]] = []
        self._at: dict[Vertex, list[int | None]] = {}  # edge by colour

    def add(self, left: Vertex, right: Vertex) -> None:
        """One more edge, in a colour free at both ends, or else in one that is made free."""
        here, there = self._free(left), self._free(right)
        colour = next((colour for colour in here if colour in there), here[0])
        if colour not in there:
            self._turn(right, colour, there[0])
        edge = len(self.colours)
        self.colours.append(colour)
        self._ends.append((left, right))
        self._put(edge, edge)

    def _free(self, vertex: Vertex) -> list[int]:
        at = self._at.setdefault(vertex, [None] * self._count)
        return [colour for colour, edge in enumerate(at) if edge is None]

    def _turn(self, vertex: Vertex, taken: int, free: int) -> None:
        """Change both colours along the path that begins here: it never comes back, nor to the new edge's other end."""
        path: list[int] = []
        colour = taken
        while (edge := self._at[vertex][colour]) is not None:
            path.append(edge)
            left, right = self._ends[edge]
            vertex = right if vertex == left else left
            colour = free if colour == taken else taken
        for edge in path:
            self._put(edge, None)
        for edge in path:
            self.colours[edge] = free if self.colours[edge] == taken else taken
            self._put(edge, edge)

    def _put(self, edge: int, value: int | None) -> None:
        for end in self._ends[edge]:
            self._at[end][self.colours[edge]] = value


class _Comparisons:
    """How often each two held the same cards, and how to spread that while everybody keeps the same seats as often."""

    def __init__(self, entrants: int) -> None:
        self._counts = [[0] * entrants for _ in range(entrants)]
        self._left = 0

    def spread(self, boards: Sequence[Held]) -> None:
        """Two players with each other's seats at another board exchange them at both, where that is more even."""
        for held in boards:
            for same in held:
                for a, b in combinations(same, 2):
                    self._count(a, b, 1)
        size = min(WINDOW, -(-EACH * len(self._counts) // sum(map(len, boards[0]))))
        for begin in range(0, len(boards), size):
            window = boards[begin : begin + size]
            self._left = EFFORT * len(window) // len(boards)
            for _ in range(PASSES):
                if self._left < 0 or not self._pass(window):
                    break

    def _pass(self, boards: Sequence[Held]) -> bool:
        better = False
        at = [{who: seat for seat, same in enumerate(held) for who in same} for held in boards]
        for one, other in combinations(range(len(boards)), 2):
            for x, y in _crossed(at[one], at[other]) if self._left > 0 else ():
                s, t = at[one][x], at[one][y]
                if s == t or (at[other][x], at[other][y]) != (t, s):
                    continue  # it was, before an exchange just made
                if self._exchange(boards[one], s, t, x, y) + self._exchange(boards[other], t, s, x, y) < 0:
                    better = True
                    for seats in (at[one], at[other]):
                        seats[x], seats[y] = seats[y], seats[x]
                else:
                    self._exchange(boards[one], t, s, x, y)
                    self._exchange(boards[other], s, t, x, y)
        return better

    def _exchange(self, held: Held, s: int, t: int, x: int, y: int) -> int:
        """x from seat s to t, y the other way; the change of the sum of squares of counts."""
        held[s].remove(x)
        held[t].remove(y)
        change = sum(self._count(x, who, -1) + self._count(y, who, 1) for who in held[s])
        change += sum(self._count(y, who, -1) + self._count(x, who, 1) for who in held[t])
        held[s].append(y)
        held[t].append(x)
        return change

    def _count(self, a: int, b: int, step: int) -> int:
        self._left -= 1
        was = self._counts[a][b]
        self._counts[a][b] = self._counts[b][a] = was + step
        return 2 * was * step + 1


def _crossed(one: Mapping[int, int], other: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    """Pairs who have each other's seats at the other board; both boards as seat by player."""
    by_seats: dict[tuple[int, int], list[int]] = {}
    for who, seat in one.items():
        if who in other:
            by_seats.setdefault((seat, other[who]), []).append(who)
    for (s, t), these in by_seats.items():
        if s < t:
            yield from product(these, by_seats.get((t, s), ()))


def at_tables(boards: Sequence[Held], entrants: int) -> tuple[Table, ...]:
    """Each board's tables one after the other, in seat order: those sit together who have met least."""
    met = [[0] * entrants for _ in range(entrants)]
    laid = []
    for held in boards:
        tables = _tables(met, held)
        for table in tables:
            for a, b in combinations(table, 2):
                met[a][b] += 1
                met[b][a] += 1
        laid.append(tuple(who for table in tables for who in table))
    return tuple(laid)


def _tables(met: Sequence[Sequence[int]], held: Held) -> list[list[int]]:
    """Begin as they come, and let two holders of the same cards change tables for as long as that is better."""
    tables = [list(table) for table in zip(*held, strict=True)]
    better = True
    while better:
        better = False
        for seat in range(len(held)):
            for a, b in combinations(tables, 2):
                here, there = (_met(met, a, seat, a[seat]), _met(met, b, seat, b[seat]))
                swapped = (_met(met, a, seat, b[seat]), _met(met, b, seat, a[seat]))
                if sum(swapped) < here + there:
                    a[seat], b[seat] = b[seat], a[seat]
                    better = True
    return tables


def _met(met: Sequence[Sequence[int]], table: Sequence[int], seat: int, who: int) -> int:
    """How often `who` has met the others of this table, sitting there."""
    return sum(met[who][other] for place, other in enumerate(table) if place != seat)
