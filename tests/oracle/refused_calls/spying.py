"""The calls that scripts make of msbridge's public names, as data: templates of calls that the real one is asked.

    python -m tests.oracle.refused_calls.spying OUT [FAMILY …]

Every case of the oracle that returned something is run here, with a spy around every public face.
"""

import contextlib
import importlib
import inspect
import io
import pickle
import signal
import sys
import warnings
import weakref
from collections import defaultdict
from pathlib import Path

import msbridge

msbridge.install()
import mindspore as ms  # noqa: E402
import mindspore.dataset as ds  # noqa: E402

from msbridge.strict_mode.faces import Faces  # noqa: E402
from tests.oracle.refused_calls.specs import NotDataError, encode  # noqa: E402

MODULES = (
    *("ops", "mint", "mint.nn", "mint.nn.functional", "mint.linalg", "mint.special", "nn", "numpy", "numpy.fft"),
    *("ops.operations", "scipy.linalg", "dataset", "dataset.vision", "dataset.transforms", "dataset.audio"),
    *("dataset.text", "nn.probability.distribution", "nn.probability.bijector", "train", "experimental.optim", ""),
)
SKIPPED = {"grad", "vmap", "jit", "value_and_grad", "GradOperation", "vjp", "jvp", "asnumpy"}
_DUNDERS = (
    "add sub mul truediv floordiv mod pow matmul and or xor lt le gt ge eq ne neg invert abs radd rsub rmul rtruediv "
    "rfloordiv rmod rpow iadd isub imul itruediv lshift rshift getitem setitem"
)
DUNDERS = _DUNDERS.split()
MAX_PER_FACE = 400
LIMIT_S = 20


def faces():
    """Return the names of all public faces."""
    names = {}
    seen = set()
    for path in MODULES:
        try:
            module = importlib.import_module(f"mindspore.{path}" if path else "mindspore")
        except ImportError:
            continue
        for name in dir(module):
            value = None if name.startswith("_") or name in SKIPPED else getattr(module, name, None)
            home = str(getattr(value, "__module__", "")).partition(".")[0]
            if not callable(value) or inspect.ismodule(value) or home not in ("mindspore", "msbridge"):
                continue
            if not path and name not in ("Tensor", "tensor", "ops", "is_tensor", "from_numpy"):
                continue  # settings, files, gradients: their arguments are no numbers
            if path and value is ms.Tensor:
                continue
            face = f"{path}.{name}" if path else name
            if isinstance(value, type):
                if value in seen or not hasattr(value, "__init__") or issubclass(value, Exception | ms.Parameter):
                    continue
                seen.add(value)
                names[face] = None
                if "__call__" in dir(value):
                    names[f"{face}()"] = None
            elif not path or path != "train":
                names[face] = None
    for name in dir(ms.Tensor):
        inner = name.strip("_")
        is_public = not name.startswith("_") or (name == f"__{inner}__" and inner in DUNDERS)
        if is_public and name not in SKIPPED and callable(getattr(ms.Tensor, name)):
            names[f"Tensor.{name}"] = None
    for name in dir(ds.Dataset):
        if not name.startswith("_") and callable(getattr(ds.Dataset, name)):
            names[f"dataset.Dataset.{name}"] = None
    return list(names)


class Spy:
    """Notes the calls of a script's own code."""

    def __init__(self):
        self.calls = defaultdict(dict)  # of each face: the call, and nothing
        self.made = {}  # objects that faces made, by identity: a weak reference and their data

    def around(self, face, function, args, kwargs):
        if sys._getframe(2).f_globals.get("__name__", "").startswith(("msbridge.", "torch")):
            return function(*args, **kwargs)
        spec = None
        with contextlib.suppress(NotDataError, Exception):
            spec = self._spec(face, function, args, kwargs)
        result = function(*args, **kwargs)
        if spec is not None:
            if len(self.calls[face]) < MAX_PER_FACE:
                self.calls[face][spec] = None
            self._note(face, function, args, result, spec)
        return result

    def _spec(self, face, function, args, kwargs):
        named = tuple((key, encode(value, self.data_of)) for key, value in kwargs.items())
        if face.endswith("()"):
            data = self.data_of(args[0])
            if data is None or data[0] != "object":
                return None
            return face, data[2:], tuple(encode(each, self.data_of) for each in args[1:]), named
        given = args[1:] if function.__name__ == "__init__" else args
        return face, None, tuple(encode(each, self.data_of) for each in given), named

    def _note(self, face, function, args, result, spec):
        if function.__name__ == "__init__":
            made, data = args[0], ("object", face, spec[2], spec[3])
        elif isinstance(result, ds.Dataset):
            made = result
            name = face.rpartition(".")[2]
            data = (
                ("method", spec[2][0], name, spec[2][1:], spec[3])
                if ".Dataset." in face
                else ("object", face, *spec[2:])
            )
        else:
            return
        with contextlib.suppress(TypeError):
            self.made[id(made)] = weakref.ref(made), data

    def data_of(self, value):
        found = self.made.get(id(value))
        return found[1] if found and found[0]() is value else None


def main():
    from tests.oracle.case import load
    from tests.oracle.families import FAMILIES, JUDGED_ELSEWHERE
    from tests.oracle.outcome import read

    warnings.simplefilter("ignore")
    out, chosen = Path(sys.argv[1]), sys.argv[2:]
    spy = Spy()
    around = Faces(faces(), spy.around)
    records = Path(__file__).parents[1] / "records"

    def late(*_):
        raise TimeoutError

    signal.signal(signal.SIGALRM, late)
    for family in chosen or [each for each in FAMILIES if each not in JUDGED_ELSEWHERE]:
        try:
            module, cases = load(family)
        except Exception as error:
            print(family, error, file=sys.stderr)
            continue
        outcomes = read(records / f"{family}.json.gz")[1]
        around.put()
        try:
            for case in cases:
                if "num_workers=" in case.expression or not isinstance(
                    outcomes.get(case.name), dict | list | int | float
                ):
                    continue
                msbridge.install()
                ms.set_context(mode=ms.PYNATIVE_MODE)
                signal.alarm(LIMIT_S)
                with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception):
                    case.run(module)
                signal.alarm(0)
        finally:
            around.take()
            spy.made = {key: value for key, value in spy.made.items() if value[0]() is not None}
        print(family, sum(map(len, spy.calls.values())), len(spy.calls), flush=True)
    out.write_bytes(pickle.dumps([spec for specs in spy.calls.values() for spec in specs]))


if __name__ == "__main__":
    main()
