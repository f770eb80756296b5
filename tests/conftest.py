"""Every run draws the same examples: a failure on one machine is a failure on all."""

import os

from hypothesis import settings

# Most notebooks of tests are small, and need none of the imports that kernels are forked with; what
# is said of forked kernels sets it to 1.
os.environ.setdefault("REPORTKIT_FORK", "0")

settings.register_profile("same-every-time", derandomize=True, deadline=None)
settings.load_profile("same-every-time")

# no tests: what tests share, and scripts that run with a harness of their own
collect_ignore = ["support"]
