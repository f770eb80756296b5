"""Every number of an eval under the name it has in numbers.tex."""

from reportkit.formatting import Units, count, fixed, format_p_value, units_of
from reportkit.results import EvalResult


def numbers(r: EvalResult) -> list[tuple[str, str, str, str]]:
    """Every number for prose, as (eval, model, what, text); a pair is "A - B" in place of the model."""
    u = units_of(r)
    found = [(r.eval, "", "questions", count(r.n_questions))]
    if r.clustered:
        found.append((r.eval, "", "clusters", count(r.n_clusters)))
    for m in r.means:
        texts = {
            "mean": u.number(m.mean), "se": u.error(m.se), "ci": u.interval(m.ci_low, m.ci_high),
            "cilow": u.number(m.ci_low), "cihigh": u.number(m.ci_high), "n": count(m.n_questions),
        }  # fmt: skip
        found += [(r.eval, m.model, what, text) for what, text in texts.items()]
    for d in r.differences:
        texts = {
            "difference": u.number(d.difference, sign=True), "se": u.error(d.se),
            "ci": u.interval(d.ci_low, d.ci_high, sign=True), "p": format_p_value(d.p_value),
            "adjustedp": format_p_value(d.p_adjusted), "correlation": fixed(d.correlation, 2),
            "mde": u.error(d.mde), "n": count(d.n_questions),
        }  # fmt: skip
        found += [(r.eval, f"{d.model} - {d.baseline}", what, text) for what, text in texts.items()]
    for c in r.certificates:
        name = f"{c.model} - {c.baseline}" if c.baseline else c.model
        found.append((r.eval, name, "coverage", Units(True, 1).number(c.coverage)))
    return found
