"""Start-up hook of `msbridge run`, in the script's process and in every Python process below it.

It only watches for `mindspore`: a process that never imports it pays nothing, and torch is not imported. The folder
leaves `sys.path` again, so the script sees the path that plain Python gives, while PYTHONPATH hands the hook on to
child processes. A sitecustomize that the environment has of its own runs afterwards, as it would have without us.
"""

import os
import sys
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec, module_from_spec

HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - importing pathlib here would double the start-up
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))  # noqa: PTH120 - the folder that holds msbridge
LEDGER = os.environ.pop("MSBRIDGE_LEDGER", "")  # for this process, not for its children
DATA_REPORT = os.environ.pop("MSBRIDGE_DATA_REPORT", "")
DEVICE_REPORT = os.environ.pop("MSBRIDGE_DEVICE_REPORT", "")

for own, launcher in (("RANK_ID", "RANK"), ("RANK_SIZE", "SIZE"), ("DEVICE_ID", "LOCAL_RANK")):
    if f"OMPI_COMM_WORLD_{launcher}" in os.environ:  # started by mpirun; MindSpore tells scripts so, too
        os.environ[own] = os.environ[f"OMPI_COMM_WORLD_{launcher}"]


class OnDemand:
    """Installs the drop-in when `mindspore` is imported for the first time."""

    serves_mindspore = True

    @classmethod
    def find_spec(cls, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Delegate `mindspore` to the real finder, which takes this one's place."""
        if fullname != "mindspore" and not fullname.startswith("mindspore."):
            return None
        sys.meta_path.remove(cls)
        if find_spec("msbridge") is None:
            sys.path.append(ROOT)
        try:
            from msbridge.dropin.startup import begin

            finder = begin(ledger=bool(LEDGER), data_report=bool(DATA_REPORT), device_report=DEVICE_REPORT)
        except BaseException:  # a second attempt must fail in the same way, and not find another mindspore
            sys.meta_path.insert(0, cls)
            raise
        sys.modules.pop("mindspore")  # import would take the spec of what stands there, and run msbridge a second time
        return finder.find_spec(fullname, path, target)  # type: ignore[arg-type]  # importing typing takes 2 ms


def chain() -> None:
    """Run the environment's own sitecustomize, if it has one, in our place."""
    spec = PathFinder.find_spec("sitecustomize")
    if spec is not None and spec.loader is not None:
        module = module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


sys.path[:] = [folder for folder in sys.path if os.path.abspath(folder) != HERE]  # noqa: PTH100
sys.meta_path.insert(0, OnDemand)
chain()
