"""Networks as `.mindir` files of the real MindSpore, with inputs and what it computes from its own file."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn

from tests.oracle.case import Case
from tests.oracle.cases.dataset import _files
from tests.zoo.exported import CASES as NETWORKS
from tests.zoo.exported import UNKNOWN_SHAPES


@contextlib.contextmanager
def case_context() -> Iterator[None]:
    before = ms.get_context("mode")
    ms.set_context(mode=ms.GRAPH_MODE, device_target="CPU")
    with _files.case_context():
        yield
    ms.set_context(mode=before)


def exported(name: str) -> dict[str, Any]:
    """Export a network; return the file, the inputs, and the outputs of what is loaded from it."""
    np.random.seed(1)
    network, *inputs = NETWORKS[name]()
    for parameter in network.get_parameters():  # statistics by chance, which those of an untrained network are not
        if "moving_" in parameter.name:
            parameter.set_data(Tensor(np.random.rand(*parameter.shape) + 0.5, parameter.dtype))
    is_unknown = name in UNKNOWN_SHAPES
    given = [Tensor(shape=UNKNOWN_SHAPES[name], dtype=ms.float32)] if is_unknown else inputs
    ms.export(network.set_train(False), *given, file_name=name, file_format="MINDIR")
    runs = nn.GraphCell(ms.load(f"{name}.mindir"))
    outputs = flat(runs(*inputs))
    return {"file": Path(f"{name}.mindir").read_bytes(), "in": [one.asnumpy() for one in inputs], "out": outputs}


def flat(values: Any) -> list[Any]:
    if isinstance(values, (tuple, list)):
        return [one for value in values for one in flat(value)]
    return [values.asnumpy() if isinstance(values, Tensor) else np.array(repr(values))]


CASES = [Case(f"exported({name!r})", may_raise=True) for name in NETWORKS]
