"""Every run draws the same examples: a failure on one machine is a failure on all."""

from hypothesis import settings

settings.register_profile("same-every-time", derandomize=True, deadline=None)
settings.load_profile("same-every-time")

# no tests: what tests share, and scripts that run with a harness of their own
collect_ignore = ["support"]
