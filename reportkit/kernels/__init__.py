"""Kernels that are forked from a process which has a report's imports done: Linux, Python kernels.

    papermill ──► engine ──► provisioner ──► server.py ──► kernel
                                 └── cannot be forked ──► a process of its own, as everywhere

A kernel is forked only where it begins as a process of its own would begin: the same interpreter,
environment and current folder. REPORTKIT_FORK=0 leaves it out.
"""

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import psutil

# What other tools find by name: `papermill --engine reportkit`, and for a kernel's specification.
ENTRY_POINTS = {
    "papermill.engine": {"reportkit": "reportkit.kernels.engine:ForkEngine"},
    "jupyter_client.kernel_provisioners": {
        "reportkit-fork": "reportkit.kernels.provisioner:ForkProvisioner"
    },
}
VARIABLE = "REPORTKIT_JOB"  # the folder with a kernel's job, set by a build (loading.handover)
SERVER = os.path.join(os.path.dirname(__file__), "server.py")


def starter() -> "psutil.Process | None":
    """The process that started this one; of a kernel that is forked, the one that asked for it."""
    import psutil

    parent = psutil.Process().parent()
    if parent is not None and SERVER in parent.cmdline():
        return parent.parent()
    return parent
