"""The engine of papermill that runs notebooks in forked kernels: `papermill --engine reportkit`.

papermill imports this module whenever it is imported itself, so it imports little.
"""

from functools import partial
from typing import Any

from papermill.engines import NBClientEngine, NotebookExecutionManager, papermill_engines

BUILD = "reportkit-build"
NEVER_BEGAN = "Kernel died before replying"  # jupyter_client, of a kernel that did not start


class ForkEngine(NBClientEngine):
    """papermill's own engine, but for where kernels come from. They are forked from one process as
    long as this one lives: the first costs what it costs everywhere, and each further one little.
    """

    @classmethod
    def execute_managed_notebook(cls, nb_man: Any, kernel_name: str, **kwargs: Any) -> Any:
        from reportkit.kernels.client import serve

        serve(["reportkit.documents.make"])
        return _forked(nb_man, kernel_name, **kwargs)


class BuildEngine(NBClientEngine):
    """For a build: it has a server of its own, and needs a notebook when it has ended, which
    papermill writes itself; only one that was cut short by its kernel is written here.
    """

    @classmethod
    def execute_notebook(
        cls, nb: Any, kernel_name: str, output_path: str | None = None, **kwargs: Any
    ) -> Any:
        nb_man = NotebookExecutionManager(nb, None, progress_bar=False)
        nb_man.notebook_start()
        try:
            _forked(nb_man, kernel_name, **{k: v for k, v in kwargs.items() if k not in _OF_SAVING})
        except BaseException:
            nb_man.output_path = output_path
            raise
        finally:
            nb_man.notebook_complete()
        return nb_man.nb


_OF_SAVING = ("progress_bar", "autosave_cell_every")


def _forked(nb_man: Any, kernel_name: str, **kwargs: Any) -> Any:
    from reportkit.kernels.provisioner import ForkManager, offer

    offer()
    run = partial(
        NBClientEngine.execute_managed_notebook,
        nb_man, kernel_name, kernel_manager_class=ForkManager, **kwargs,
    )  # fmt: skip
    try:
        return run()
    except RuntimeError as error:
        if not str(error).startswith(NEVER_BEGAN):
            raise
    # No cell was run. One cause, where kernels have ports: another took one after it was chosen.
    return run()


def register() -> str:
    """Makes the engine of builds known to papermill; its name there."""
    papermill_engines.register(BUILD, BuildEngine)
    return BUILD
