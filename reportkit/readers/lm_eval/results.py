"""The results file of lm-eval: its groups with the tasks in them, and its own means and errors."""

from functools import cached_property
from typing import Any

from reportkit.inputs.files import BrokenFile, File
from reportkit.readers.parsing import as_dict, as_list, load_json, number

# in groups that hold one another; a suite of 100 groups of 1000 tasks takes a hundredth
MOST_STEPS = 10**7


class Results(dict[str, Any]):
    """A results file, its groups walked once."""

    @property
    def numbers(self) -> dict[str, Any]:
        """Each task's means and errors."""
        return as_dict(self.get("results"))

    @cached_property
    def groups(self) -> list[str]:
        """Groups that lm-eval gives a number for."""
        return [
            group
            for group, numbers in as_dict(self.get("groups")).items()
            if self._children.get(group) and metrics_of(numbers)
        ]

    @cached_property
    def leaves(self) -> dict[str, dict[str, str]]:
        """For each group with a number the tasks below it, each with the nested group right below
        that one that it is in.
        """
        children = {
            g: list(dict.fromkeys(c for c in below if isinstance(c, str)))
            for g, below in self._children.items()
        }
        return {group: _below(children, group) for group in self.groups}

    @cached_property
    def _children(self) -> dict[str, list[Any]]:
        return {g: as_list(below) for g, below in as_dict(self.get("group_subtasks")).items()}

    def without(self, tasks: set[str]) -> list[str]:
        """Tasks that the results name, and that are not among these."""
        return [t for t in self.numbers if not self._children.get(t) and t not in tasks]

    def category(self, name: str) -> str:
        """The outermost group with a number that a task or group is in, or is."""
        own = self.leaves.get(name, {}).keys() or {name}
        over = {g: len(leaves) for g, leaves in self.leaves.items() if own <= leaves.keys()}
        return max(over, key=over.__getitem__, default="")

    def lower(self, task: str) -> set[str]:
        """Metrics, without their filters, of which lower is better."""
        higher = as_dict(as_dict(self.get("higher_is_better")).get(task))
        return {metric for metric, is_higher in higher.items() if is_higher is False}

    def check_groups(self, path: str) -> None:
        """BrokenFile where walking the groups would take for ever."""
        if sum(map(len, self._children.values())) * len(self.groups) > MOST_STEPS:
            raise BrokenFile(
                f"{path}: its {len(self._children)} groups hold one another far more often than "
                "those of any suite; leave the file out"
            )


def load(file: File) -> Results:
    results = Results(load_json(file))
    results.check_groups(file.path)
    return results


def metrics_of(numbers: object) -> dict[str, tuple[float, float]]:
    """Mean and SE by a metric's full name, such as exact_match,flexible-extract. "N/A" is nan."""
    known, out = as_dict(numbers), {}
    for key, value in known.items():
        name, comma, filtered = key.partition(",")
        is_mean = comma and not name.endswith("_stderr") and name != "bypass"
        if is_mean and isinstance(value, int | float):
            out[key] = (number(value), number(known.get(f"{name}_stderr,{filtered}")))
    return out


def _below(children: dict[str, list[str]], group: str) -> dict[str, str]:
    out: dict[str, str] = {}
    seen = {group}  # a group may hold itself, and many groups the same one
    for child in children[group]:
        stack = [child]
        while stack:
            name = stack.pop()
            if name in seen:
                continue
            seen.add(name)
            if below := children.get(name):
                stack += below[::-1]
            else:
                out[name] = child if name != child else ""
    return out
