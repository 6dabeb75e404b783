"""Start-up hook of `msbridge run`, in the script's process and in every Python process below it.

It only watches for `mindspore`: a process that never imports it pays nothing, and torch is not imported. The folder
leaves `sys.path` again, so the script sees the path that plain Python sets, while PYTHONPATH passes the hook on to
child processes. A sitecustomize that the environment has of its own runs afterwards, as it would have without us.

PYTHONPATH reaches Pythons of other environments, too, one of which may have the real MindSpore: there the hook does
nothing. So any Python has to be able to read this file: no annotations, no f-strings.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - importing pathlib here would double the start-up
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))  # noqa: PTH120 - the folder that holds msbridge
VARIABLE = "MSBRIDGE_ENVIRONMENT"  # what `msbridge run` was started in, as `environment` spells it


def environment():  # type: () -> str
    """Return a key that distinguishes this Python and its environment from others: version and folder."""
    return "%d.%d %s" % (sys.version_info[0], sys.version_info[1], os.path.realpath(sys.prefix))  # noqa: UP031


class OnDemand:
    """Installs the drop-in when `mindspore` is imported for the first time."""

    serves_mindspore = True
    reports = dict.fromkeys(("ledger", "data_report", "device_report", "estimate"), "")

    @classmethod
    def begin(cls):  # type: () -> None
        """Watch for `mindspore`, and take from the environment what is for this process and not for its children."""
        for name in cls.reports:
            cls.reports[name] = os.environ.pop("MSBRIDGE_" + name.upper(), "")
        for own, launcher in (("RANK_ID", "RANK"), ("RANK_SIZE", "SIZE"), ("DEVICE_ID", "LOCAL_RANK")):
            if "OMPI_COMM_WORLD_" + launcher in os.environ:  # started by mpirun; MindSpore sets it for scripts, too
                os.environ[own] = os.environ["OMPI_COMM_WORLD_" + launcher]
        sys.meta_path.insert(0, cls)

    @classmethod
    def find_spec(cls, fullname, path=None, target=None):  # type: ignore[no-untyped-def]  # the comment form has no Any
        """Delegate `mindspore` to the real finder, which takes this one's place."""
        if fullname != "mindspore" and not fullname.startswith("mindspore."):
            return None
        from importlib.util import find_spec

        if find_spec("msbridge") is None:
            if VARIABLE not in os.environ:  # a script has passed only PYTHONPATH on, perhaps to another environment
                return None
            sys.path.append(ROOT)
        sys.meta_path.remove(cls)
        try:
            from msbridge.dropin.importing.startup import begin

            finder = begin(**cls.reports)
        except BaseException:  # a second attempt must fail in the same way, and not find another mindspore
            sys.meta_path.insert(0, cls)
            raise
        sys.modules.pop("mindspore")  # import would take the spec of what is there, and run msbridge a second time
        return finder.find_spec(fullname, path, target)


def chain():  # type: () -> None
    """Run the environment's own sitecustomize, if it has one, in our place."""
    if sys.version_info < (3, 5):  # noqa: UP036 - a child's
        import imp

        try:
            found = imp.find_module("sitecustomize")
        except ImportError:
            return
        imp.load_module("sitecustomize", *found)
        return
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec

    spec = PathFinder.find_spec("sitecustomize")
    if spec is not None and spec.loader is not None:
        module = module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


sys.path[:] = [folder for folder in sys.path if os.path.abspath(folder) != HERE]  # noqa: PTH100
if os.environ.get(VARIABLE, environment()) == environment():
    OnDemand.begin()
chain()
