"""Record what objects of a real MindSpore show after construction: public attributes, `repr` and `str`.

    PYTHON tests/oracle/names/attributes.py

PYTHON is the interpreter of an environment with a real MindSpore. For each line of `constructions.txt`,
`attributes-RELEASE.json.gz` holds the attributes without a leading underscore that are not methods, the texts, and the
public classes that it inherits from; or the class of the error that constructing raises.
"""

import contextlib
import gzip
import inspect
import io
import json
import re
import tempfile
from collections import OrderedDict
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
LINES = [line for line in (HERE / "constructions.txt").read_text().splitlines() if line and line[0] != "#"]
MAX_SHOWN = 16
VARYING = {"arguments_key", "create_time", "total_instance_count"}


def namespace() -> dict[str, Any]:
    """Return the names that constructions may use."""
    import mindspore as ms
    import mindspore.dataset as ds
    import mindspore.experimental.optim
    import numpy as np
    from mindspore import Parameter, Tensor, amp, experimental, mint, nn, ops, train
    from mindspore.common import dtype as mstype
    from mindspore.common import initializer
    from mindspore.dataset import audio, text, transforms, vision

    def w() -> list[Parameter]:
        return [Parameter(Tensor(np.ones(2, np.float32)), name="w")]

    def groups() -> list[dict[str, Any]]:
        other = Parameter(Tensor(np.ones(3, np.float32)), name="v")
        return [{"params": w(), "lr": 0.1, "weight_decay": 0.2}, {"params": [other]}]

    names = {name: getattr(initializer, name) for name in initializer.__all__}
    known = {"ms": ms, "ds": ds, "np": np, "Tensor": Tensor, "OrderedDict": OrderedDict, "mstype": mstype}
    rooms = {"amp": amp, "experimental": experimental, "mint": mint, "nn": nn, "ops": ops, "train": train}
    data = {"audio": audio, "text": text, "transforms": transforms, "vision": vision}
    return {**names, **known, **rooms, **data, "w": w, "groups": groups}


def shown(value: Any, depth: int = 0) -> Any:
    """Return what JSON can hold of a value: plain values, dtypes, shapes, constant Tensors, names of classes."""
    import mindspore as ms
    import numpy as np

    if value is None or (isinstance(value, bool | int | str) and not isinstance(value, Enum)):
        return value if type(value) in (type(None), bool, int, str) else [type(value).__name__, str(value)]
    if isinstance(value, float):
        return [type(value).__name__, repr(float(value))]
    if isinstance(value, ms.Parameter):
        return ["Parameter", re.sub(r"#\d+", "#", value.name), value.requires_grad, of_array(value.asnumpy())]
    if isinstance(value, ms.Tensor):
        return ["Tensor", of_array(value.asnumpy() if value.dtype != ms.bfloat16 else value.float().asnumpy())]
    if isinstance(value, np.ndarray | np.generic):
        return [type(value).__name__, of_array(np.asarray(value))]
    if isinstance(value, list | tuple | set) and depth < 3:
        items = sorted(value, key=str) if isinstance(value, set) else value
        return [type(value).__name__, [shown(item, depth + 1) for item in list(items)[:MAX_SHOWN]]]
    if isinstance(value, dict) and depth < 3:
        return [type(value).__name__, [[str(key), shown(item, depth + 1)] for key, item in value.items()]]
    if inspect.isclass(value) or inspect.isroutine(value):
        return ["named", "class" if inspect.isclass(value) else "function", value.__name__]
    return ["object", type(value).__name__, text(value) if type(value).__module__.endswith("typing") else ""]


def of_array(array: Any) -> list[Any]:
    """Return dtype and shape of an array, and its values where these are few or all the same."""
    values = array.reshape(-1)
    is_drawn = values.size > 1 and len(set(values.tolist())) > 1 and array.dtype.kind == "f"
    return [str(array.dtype), list(array.shape), "" if is_drawn else [str(each) for each in values[:MAX_SHOWN]]]


def text(value: Any, make: Any = repr) -> str:
    """Return `repr` or `str` without addresses and numbers that count objects."""
    try:
        found = make(value)
    except Exception as error:
        return f"raises {type(error).__name__}"
    return re.sub(r"0x[0-9a-f]+", "0x", re.sub(r"Parameter#\d+", "Parameter#", found))[:3000]


def attribute_names(value: Any) -> Iterator[str]:
    """Iterate over the names of public attributes that are not methods."""
    found = {*getattr(value, "__dict__", ()), *dir(type(value))}
    for held in ("_params", "_cells", "_buffers"):
        with contextlib.suppress(Exception):
            found |= set(getattr(value, held))
    for name in sorted(found):
        static = inspect.getattr_static(type(value), name, None)
        is_method = inspect.isroutine(static) or isinstance(static, staticmethod | classmethod)
        if name in VARYING:
            continue
        if not name.startswith("_") and not (is_method and name not in getattr(value, "__dict__", ())):
            yield name


def attribute(value: Any, name: str) -> Any:
    """Return what is shown of an attribute, or the class of the error that reading it raises."""
    try:
        return shown(getattr(value, name))
    except Exception as error:
        return ["raises", type(error).__name__]


def public_bases(value: Any) -> list[str]:
    """Return the names of the classes that an object's class inherits from."""
    owner = value if inspect.isclass(value) else type(value)
    return [base.__name__ for base in owner.__bases__]


def look(line: str, names: dict[str, Any]) -> dict[str, Any]:
    """Construct what a line says, and return what it shows."""
    try:
        value = eval(line, names)
    except Exception as error:
        return {"raises": type(error).__name__}
    found = {name: attribute(value, name) for name in attribute_names(value)}
    found = {name: one for name, one in found.items() if one != ["raises", "AttributeError"]}
    return {"attributes": found, "repr": text(value), "str": text(value, str), "bases": public_bases(value)}


def main() -> None:
    """Ask the MindSpore of this interpreter."""
    import mindspore

    names = namespace()
    record = {line: look(line, names) for line in LINES}
    content = json.dumps(record, indent=0, sort_keys=True)
    (HERE / f"attributes-{mindspore.__version__}.json.gz").write_bytes(gzip.compress(content.encode(), 9, mtime=0))


if __name__ == "__main__":
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.chdir(folder),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        main()
