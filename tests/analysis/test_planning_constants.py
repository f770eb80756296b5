"""Constants of plans, at values on both sides of each."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from reportkit.analysis.planning import plan, public
from reportkit.analysis.planning.basis import Observation, Shape
from reportkit.analysis.planning.fewer import STEPS
from reportkit.analysis.planning.ground import ground_of
from reportkit.analysis.planning.layouts import search
from reportkit.analysis.planning.pilot import pilot_of
from reportkit.analysis.planning.reasons import Reason
from reportkit.analysis.planning.solve import _without_ends
from reportkit.analysis.planning.work import ends_of, work_of
from reportkit.decisions import Decisions
from reportkit.errors import PlanError
from reportkit.plans import asked_of
from reportkit.tables.planning.answers import _once
from reportkit.tables.planning.beside import apart
from reportkit.tables.planning.telling import Told


def test_the_rows_of_a_plan():
    """Round numbers on both sides of what is asked; of differences, of the scale, 1 to 10 points
    and the four nearest as curves; of costs, from half to four times of it.
    """
    p = plan(difference=0.03, mean=0.8, cluster_size=5, icc=0.1, cost_question=5, cost_answer=1)
    assert [n.difference for n in p.needs] == [0.01, 0.02, 0.03, 0.05, 0.1]
    assert [c.difference for c in p.curves] == [0.01, 0.02, 0.03, 0.05]
    sizes = {100, 200, 500, 1000, 2000, 5000}
    assert {f.questions for f in p.founds} == sizes | {p.need.questions}
    times = [c.difference / 0.03 for c in p.cheapest]
    assert times == pytest.approx([0.5, 0.7, 1.0, 1.4, 2.0, 3.0, 4.0])
    answers = {a.epochs_a for a in p.answers if not a.name}
    assert answers >= {1, 2, 3, 4, 6, 8, 10, 16, 32} and len(answers) <= 10  # the cheapest too
    curve = [k for k, _ in p.epochs_curve]
    assert curve == [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, math.inf]
    clusters = {row.cluster_size for row in p.layouts}
    assert clusters >= {1, 2, 5, 10, 20, 50} and len(clusters) <= 7
    own = plan(difference=4.0, spread=10.0, answers="own-units")
    assert [n.difference for n in own.needs] == [2.0, 4.0, 8.0, 16.0]


@pytest.mark.parametrize(("number", "wanted"), [(1.04, False), (1.06, True), (0.94, True)])
def test_a_number_that_is_5_percent_from_its_formulas_wants_a_reason(number, wanted):
    assert apart(number, 1.0) is wanted


def test_questions_where_a_search_ended_are_those_of_the_first_power_that_it_found():
    """n / far^2 is 100 in the middle: less than 30% of it is where the search stopped."""
    far = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    each = np.array([29.0, 31.0, 100.0, 100.0, 100.0])
    found = _without_ends(each * far**2, far)
    assert found.tolist() == [31.0, 124.0, 900.0, 1600.0, 2500.0]


@pytest.mark.parametrize(("shares", "evals"), [(4, 10), (5, 5)])
def test_quartiles_of_five_evals_of_a_kind_stand_by_themselves(monkeypatch, shares, evals):
    kinds = ["share"] * shares + ["binary"] * (10 - shares)
    every = tuple(SimpleNamespace(answers=k, icc=(0.1, 0.2, 0.3)) for k in kinds)
    monkeypatch.setattr(public, "public_evals", lambda: every)
    assert public.public_range("icc", "share").evals == evals


def test_an_icc_that_nobody_gave_is_at_most_nine_tenths_of_what_noise_leaves():
    """.9 * .03 / .12."""
    pair = SimpleNamespace(omega2=0.03, variance=lambda: 0.12)
    assert public.most_icc(pair) == pytest.approx(0.225)


def a_pilot(questions):
    """Two models with one answer each, of no clusters."""
    rng = np.random.default_rng(5)
    frames = [
        pd.DataFrame({"model": m, "question_id": range(questions), "score": rng.random(questions)})
        for m in "AB"
    ]
    return pilot_of(pd.concat(frames, ignore_index=True), Decisions())


def test_the_low_end_of_what_noise_leaves_is_a_hundredth_of_it(monkeypatch):
    """1 + (0.5 - 1) / 0.3 is below 0; 1 + (1.5 - 1) / 0.3 = 8/3."""
    asked = asked_of({"difference": 0.05})
    w = work_of(asked, ground_of(asked, a_pilot(40)))
    monkeypatch.setattr(Observation, "part", lambda self, shape: 0.3)
    low, high = ends_of(replace(w, factors=(0.5, 1.5)), Shape())
    assert 3.0 / 8.0 * high.variance == pytest.approx(100.0 * low.variance)


def test_a_pilot_has_two_questions_or_more():
    assert a_pilot(2).result.n_questions == 2
    with pytest.raises(PlanError, match="the pilot has one question"):
        a_pilot(1)


@pytest.mark.parametrize(("letters", "again"), [(40, True), (41, False)])
def test_a_reason_of_more_than_forty_letters_is_said_once(letters, again):
    p = SimpleNamespace(noise_assumed=False)
    every = [Told("", "-", "", "", "", why=Reason("x" * letters)) for _ in range(2)]
    first, second = (t.answer for t in _once(p, every, short=False))
    assert "x" * letters in first
    assert (second == first) is again and second.endswith("as above") is not again


def test_every_number_of_answers_up_to_64_is_looked_at():
    asked = asked_of({"difference": 0.05, "mean": 0.7, "correlation": 0.3, "noise": 0.3})
    [designs] = search(work_of(asked, ground_of(asked, None)), [0.05])
    assert [x.shape.epochs_a for x in designs] == list(range(1, 65))
    assert [k for k in STEPS if k > 64] == [96, 128, 192, 256, 384, 512, 768, 1024, math.inf]
