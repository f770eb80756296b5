"""What jupyter_client asks for a kernel: one that is forked, and where it cannot be, one that is
started as everywhere.
"""

import os
import tempfile
from importlib.metadata import EntryPoint
from typing import Any
from uuid import uuid4

from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner

from reportkit.kernels import ENTRY_POINTS
from reportkit.kernels.client import fork

GROUP = "jupyter_client.kernel_provisioners"
[(NAME, _HOME)] = ENTRY_POINTS[GROUP].items()
_LONGEST = 100  # bytes of a socket's path: macOS takes 103 of them, Linux 107


class ForkProvisioner(LocalProvisioner):
    """As jupyter_client's own, but for where the process comes from."""

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:
        plain = not kwargs.keys() & {"stdin", "stdout", "stderr", "independent"}
        folder = os.path.abspath(kwargs.get("cwd") or os.getcwd())
        forked = fork(cmd, kwargs["env"], folder) if plain else None
        if forked is None:
            return await super().launch_kernel(cmd, **kwargs)
        self.process: Any = forked
        self.pid = self.pgid = forked.pid
        self.cwd = folder
        return self.connection_info


class ForkManager(AsyncKernelManager):
    """A manager whose kernels are forked, where their specification says nothing else.

    They talk through socket files. A port is chosen first and taken later, perhaps by another
    kernel, and one that finds its port for outputs taken neither answers nor ends.
    """

    def _transport_default(self) -> str:
        path = os.fsencode(f"{self._socket_files()}-5")
        return "ipc" if os.name == "posix" and len(path) <= _LONGEST else "tcp"

    def _ip_default(self) -> str:
        return self._socket_files() if self.transport == "ipc" else super()._ip_default()

    def _socket_files(self) -> str:
        """How their paths begin, in the folder of the connection file."""
        return os.path.join(tempfile.gettempdir(), f"reportkit-{uuid4().hex[:12]}")

    @property
    def kernel_spec(self) -> KernelSpec | None:
        spec = super().kernel_spec
        if spec is not None:
            spec.metadata.setdefault("kernel_provisioner", {"provisioner_name": NAME})
        return spec


def offer() -> None:
    """To jupyter_client, also where reportkit is on the path and not installed."""
    KernelProvisionerFactory.instance().provisioners.setdefault(
        NAME, EntryPoint(NAME, _HOME, GROUP)
    )
