"""Pairs of programs by kind of change, made from a seed."""

import dataclasses
import random

# These declare the kinds.
import inputs  # noqa: F401
import names  # noqa: F401
import options  # noqa: F401
import programs
import resources  # noqa: F401
import several  # noqa: F401
from kinds import KINDS

# The pairs of each kind, and the programs of which they are made.
EACH = 2
PROGRAMS = 40


@dataclasses.dataclass
class Pair:
    """A program that was deployed and a changed one, with flags for the preview, and edits of the
    state: each is the URN of a resource with members for it."""

    kind: str
    number: int
    before: programs.Program
    after: programs.Program
    flags: list = dataclasses.field(default_factory=list)
    edits: list = dataclasses.field(default_factory=list)

    @property
    def name(self):
        return f"{self.kind}-{self.number}"


def of_kind(kind, each=EACH):
    """The pairs of a kind, from those programs that it can change."""
    change = KINDS[kind]
    seeds = list(range(PROGRAMS))
    random.Random(kind).shuffle(seeds)
    found = []
    for seed in seeds:
        if len(found) == each:
            break
        program = programs.make(seed)
        pair = Pair(kind, len(found), program, program.copy())
        rng = random.Random(f"{kind} {seed}")
        if change(pair, rng) is not False and not is_repeated(pair, found):
            found.append(pair)
    return found


def is_repeated(pair, others):
    return any((pair.before, pair.after) == (other.before, other.after) for other in others)


def all_pairs(each=EACH):
    """All pairs, those that were made first of each kind before the others."""
    kinds = [of_kind(kind, each) for kind in KINDS]
    return [pairs[number] for number in range(each) for pairs in kinds if number < len(pairs)]


def some_pairs(count):
    """One pair of so many kinds, spread over all of them."""
    kinds = list(KINDS)
    chosen = {kinds[number * len(kinds) // count] for number in range(count)}
    return [of_kind(kind, 1)[0] for kind in kinds if kind in chosen]
