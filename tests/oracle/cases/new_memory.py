"""New tensors on a chosen device, Tensors that take over memory of others, primitives called by their inputs' names."""

import inspect

import numpy as np
from mindspore import Tensor, train

from tests.oracle.case import Case, rand

NUMBERS = "Tensor(np.arange(12).astype('f4'))"


def taking(source: str = "", *, dtype: str = "f4") -> str:
    """Return the expression of a Tensor that takes over memory."""
    return f"(lambda y: Tensor(np.ones(1, {dtype!r})).set_({source}))({NUMBERS})"


def called(primitive: object) -> list[str]:
    """Return the names of what is called."""
    return list(inspect.signature(primitive).parameters)


def evaluated(name: str, predicted: list, true: list, **options: object) -> tuple[str, str]:
    """Return the names of the class and of the dtype of what a metric evaluates to."""
    metric = getattr(train, name)(**{key: value for key, value in options.items() if key != "average"})
    metric.clear()
    metric.update(Tensor(np.array(predicted, "f4")), Tensor(np.array(true)))
    result = metric.eval(average=True) if "average" in options else metric.eval()
    return type(result).__name__, str(getattr(result, "dtype", None))


CASES = [
    *(
        Case(f"mint.empty({arguments}).shape")
        for arguments in ("(2, 3), device='CPU'", "2, 3, device='cpu', pin_memory=False", "(2,), pin_memory=False")
    ),
    Case("mint.empty((2,), device='GPU')", raises=ValueError, says="device"),
    Case("mint.empty((2,), device='cpu:0')", raises=ValueError, says="device"),
    Case("mint.empty((2,), device=1)", raises=TypeError, says="device"),
    Case("mint.empty((2,), pin_memory=1)", raises=TypeError, says="pin_memory"),
    Case("mint.empty_like(x, device='CPU').shape", x=rand(2, 3)),
    Case("mint.empty_like(x, dtype=ms.int32, device='CPU').dtype", x=rand(2, 3)),
    Case("x.new_empty((4,), device='CPU').shape", x=rand(2, 3)),
    Case("x.new_empty((4,), device='x')", raises=ValueError, says="device", x=rand(2, 3)),
    *(
        Case(taking(source))
        for source in (
            "y",
            "y, 2, (2, 2), (3, 1)",
            "y, 2, (2, 2)",
            "source=y, storage_offset=1, size=(2,), stride=(2,)",
            "",
            "y.storage(), 1, (2,), (1,)",
            "y.untyped_storage(), 3, (2, 3)",
            "y.reshape(3, 4)",
        )
    ),
    Case(taking("y", dtype="i4"), raises=RuntimeError, says="Int32"),
    Case(taking("y, 2"), raises=TypeError, says="set_"),
    Case(taking("1"), raises=TypeError, says="set_"),
    Case("ops.shape_(x=x)", x=rand(2, 3)),
    Case("ops.tensor_slice(input=x, begin=(0, 1), size=(2, 2))", x=rand(2, 3)),
    Case("ops.composite.matmul(x1=x, x2=y)", x=rand(2, 3), y=rand(3, 2)),
    Case("ops.composite.matmul(x1=x, x2=y, dtype=ms.float16)", x=rand(2, 3), y=rand(3, 2)),
    Case("ops.composite.zeros_like(x=x)", x=rand(2, 3)),
    Case("ops.auto_generate.narrow(input=x, dim=1, start=1, length=2)", x=rand(2, 3)),
    Case("ops.ScalarCast()(input_x=2.7, input_y=ms.int64)"),
    *(Case(f"called({primitive})") for primitive in ("ops.ReduceSum()", "ops.MatMul()", "ops.Add", "ops.ReduceSum")),
    *(
        Case(f"evaluated({name!r}, [[0.2, 0.5], [0.3, 0.1], [0.9, 0.6]], [1, 0, 1]{options})")
        for name, options in {
            "Accuracy": "",
            "Precision": ", eval_type='classification'",
            "Recall": ", average=True",
            "Fbeta": ", beta=1, average=True",
            "F1": "",
            "Top1CategoricalAccuracy": "",
        }.items()
    ),
    *(Case(f"evaluated({name!r}, [[0.2, 0.5], [0.3, 0.1]], [[0.1, 0.5], [0.3, 0.2]])") for name in ("MAE", "MSE")),
]
