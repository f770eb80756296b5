"""What was given for a plan and changes nothing in it, or takes something from it, each with the
reason.
"""

import math

from reportkit.analysis.planning.answered import DEFAULT, GIVEN, PILOT, PUBLIC
from reportkit.analysis.planning.basis import Observation
from reportkit.analysis.planning.ground import KINDS, Ground
from reportkit.analysis.planning.pilot import Pilot
from reportkit.analysis.planning.piloted import lacking
from reportkit.analysis.planning.public import public_range
from reportkit.plans import Asked
from reportkit.text.numbers import counted, fixed, share_of

VALUES = ("mean", "correlation", "noise", "spread", "other_se", "icc", "icc_scores")
SIZE = "cluster_size"
OTHER_SE = "other_se"


def unused(a: Asked, ground: Ground) -> tuple[str, ...]:
    """A sentence for each number that was given and is not used: of what a user gives, a plan tells
    all that it does not take.
    """
    used = {k.name for k in ground.known if k.source == GIVEN}
    names = [n for n in VALUES if _given(a, n) and n not in used]
    if a.paired and _given(a, "other_questions"):
        names.append("other_questions")
    if a.cost_cluster and not ground.shape.grouped:
        names.append("cost_cluster")
    if a.cost_models > 2.0 and not a.of_many:
        names.append("cost_models")
    told = [f"{n} = {getattr(a, n):g} changes nothing: {_why(a, ground, n)}." for n in names]
    if KINDS[a.answers] not in ("binary", ground.answers) and not _given(a, "omega2"):
        told.append(
            f"answers = {a.answers} changes nothing: the pilot's scores show what they are, and a "
            "declared range where their scale ends."
        )
    return tuple(told)


def without_range(a: Asked, ground: Ground, pilot: Pilot | None) -> tuple[str, ...]:
    """A sentence where a plan takes single values of a pilot whose own uncertainty is left out of
    it, or takes nothing as others are given.
    """
    if pilot is None or isinstance(ground.basis, Observation):
        return ()
    shown = [k for k in ground.known if k.source == PILOT and k.name in VALUES]
    given = [n for n in ("mean", "correlation", "spread", "omega2") if _given(a, n)]
    if given and not shown:
        alike = " but the size of its clusters" * (ground.shape.grouped and not _given(a, SIZE))
        return (
            f"{' and '.join(given)} given in place of the pilot's: the plan takes nothing from the "
            f"scores of its {counted(pilot.n, 'question')}{alike}.",
        )
    # the mean of scores in part says how they vary only against a published one
    by_mean = ground.answers == "binary" or not math.isnan(a.published_questions)
    left = {"mean"} if by_mean else set()
    if ground.together is None:  # of one model's scores the ICC counts where these are alone
        left |= set(VALUES) - {"mean", *(["icc_scores"] if a.paired else [])}
    certain = [k for k in shown if not k.low < k.high and k.name in left]
    if not certain:
        return ()
    without = "the numbers have no range"
    if ground.ends(ground.shape) or ground.least is not None:  # some have that of noise alone
        without = "no range tells of it"
    lacks = lacking(pilot) if any(k.name == "correlation" for k in certain) else ""
    why = f", as {lacks}" if lacks else ""
    taken = f"{' and '.join(given)} given in place of the pilot's: what else its"
    if not given:
        taken = f"{OTHER_SE} given, which no pilot shows: what its"
    if not given and not _given(a, OTHER_SE):
        taken = "What the pilot's"
    return (
        f"{taken} {counted(pilot.n, 'question')} show is taken as certain, and {without}{why}.",
    )


def lowered(ground: Ground, pilot: Pilot | None) -> tuple[str, ...]:
    """A sentence where answer noise leaves less correlation than public evals, or the pilot, have:
    that of two models is independent, so that their scores correlate by at most 1 - noise; and one
    where the mean that is given leaves more than the pilot has.
    """
    values = {k.name: k for k in ground.known}
    r, noise = values.get("correlation"), values.get("noise")
    if r is not None and r.source == PILOT and pilot and r.value > pilot.correlation + 1e-9:
        return (
            f"The pilot's two models correlate by {fixed(pilot.correlation, 2)}. Right-or-wrong "
            f"answers with the mean that was given correlate by {fixed(r.value, 2)} at least: the "
            "plan takes that.",
        )
    if r is None or noise is None or noise.source not in (GIVEN, PILOT):
        return ()
    share, most = share_of(noise.value), f"{1.0 - noise.value:.2f}"
    public = public_range("correlation", ground.answers).middle
    if r.source == PILOT and r.value > 1.0 - noise.value:
        text = (
            f"The pilot's two models correlate by {r.value:.2f} with one answer each, more than "
            f"the {most} that answer noise of {share} leaves: both are estimates, and err."
        )
        if ground.basis.variances(ground.shape.cluster_size).omega2 == 0.0:
            text += " What more answers would leave of the variance is not known."
        return (text,)
    if r.source in (PUBLIC, DEFAULT) and r.value < public:
        return (
            f"The correlation is assumed to be {r.value:.2f}, lower than in public evals "
            f"({public:.2f}): answer noise of {share} leaves {most} at most. If it is lower still, "
            "more questions are needed; give your own.",
        )
    return ()


def _given(a: Asked, name: str) -> bool:
    return bool(getattr(a, name) == getattr(a, name))


def _why(a: Asked, ground: Ground, name: str) -> str:
    if name in ("icc", "icc_scores", "cost_cluster") and not ground.shape.grouped:
        return "the plan has no clusters, as cluster_size is 1"
    if name == OTHER_SE and not a.paired and not _given(a, "other_questions"):
        return "it is that of a published mean, whose number of questions is other_questions"
    if name == OTHER_SE and ground.answers == "binary":
        return (
            "the mean and other_questions say it of right-or-wrong answers; of scores in part, say "
            "answers = shares, and give spread"
        )
    if name in ("other_questions", OTHER_SE) and a.paired:
        return "both models answer the same questions"
    if name == "cost_models":
        return "only one model is run"
    if name == "correlation" and not a.paired:
        return "the models have no question in common"
    if name == "icc" and not a.paired:
        return "the models have no question in common; icc_scores says how alike clusters are"
    if name == "spread" and ground.answers == "binary":
        return "the mean says how much right-or-wrong answers vary; of scores in part, say shares"
    if name == "mean" and ground.answers == "free":
        return "scores in units of their own vary as spread says, whatever their mean"
    return "the pilot shows it"
