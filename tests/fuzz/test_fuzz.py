"""The fuzzer for six seconds; `make fuzz` runs it for an hour."""

import random
import time

from fuzz.corpus import corpus
from fuzz.mutations import mutated
from fuzz.trial import trial

SECONDS = 6.0
# Mutated scores folders are left to `make fuzz`: loading/store tests them bit by bit.
OF = ",".join(sorted({name.split()[0] for name in corpus()} - {"store"}))


def test_a_trial_is_the_same_again():
    known = corpus()
    for name in known:
        one, again = (mutated(known[name], known, random.Random("1 2")) for _ in range(2))
        assert one == again


def test_most_mutations_change_something():
    known = corpus()
    changed = [
        mutated(known[n], known, random.Random(f"{n} {k}")) != known[n]
        for n in known
        for k in range(5)
    ]
    assert sum(changed) > 0.8 * len(changed)


def test_no_mutated_input_ends_in_what_a_user_may_not_see(tmp_path):
    """No traceback, hang, wrong status, half-written folder, or memory beyond its multiple."""
    end, number, found = time.monotonic() + SECONDS, 0, []
    while time.monotonic() < end:
        found += trial(0, number, tmp_path, OF)
        number += 1
    assert number > 5 and not found, "\n".join(map(str, found))
