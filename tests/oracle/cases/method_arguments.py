"""Arguments by place and by name, where a method and a function of one name differ; what is required; errors' texts."""

import numpy as np
from mindspore import Tensor  # noqa: F401
from mindspore.dataset import RandomSampler, Shuffle, vision  # noqa: F401
from mindspore.mindrecord.common import exceptions  # noqa: F401
from mindspore.scipy import ops as scipy_ops  # noqa: F401

from tests.oracle.case import Case, rand


def said(error: Exception) -> tuple[str, str, int]:
    return str(error), error.error_msg, error.error_code  # type: ignore[attr-defined]


LOOKUP = "nn.EmbeddingLookup(4, 3, 'normal', 'CPU', 'batch_slice', None, None, True, ms.float16)"
WITHOUT = (
    "MRMOpenError",
    "MRMCommitError",
    "MRMBuildSchemaError",
    "MRMGetMetaError",
    "MRMFetchDataError",
    "UnknownError",
)
WITH_DETAIL = (
    *("ParamValueError", "ParamMissError", "PathNotExistsError", "DbConnectionError", "MRMInvalidSchemaError"),
    *("MRMValidateDataError", "MRMDefineIndexError", "MRMDefineBlobError", "MRMUnsupportedSchemaError"),
    "MRMDefineCategoryError",
)
CASES = [
    Case("x.addr(Tensor([1.0, 2.0]), Tensor([1.0, 2.0, 3.0]), 2, 3)", x=rand(2, 3), grad=True),
    Case("x.addr(Tensor([1.0, 2.0]), Tensor([1.0, 2.0, 3.0]), beta=2)", x=rand(2, 3)),
    Case("ops.addr(x, Tensor([1.0, 2.0]), Tensor([1.0, 2.0, 3.0]), 2, 3)", x=rand(2, 3), raises=TypeError),
    Case("x.softmax(0, ms.float16)", x=rand(2, 3)),
    Case("x.softmax(axis=1, dtype=ms.float32)", x=rand(2, 3), grad=True),
    Case("x.softmax()", x=rand(2, 3), raises=TypeError),
    Case("x.reverse_sequence(Tensor([1, 2]), 1)", x=rand(2, 3)),
    Case("x.reverse_sequence(Tensor([1, 2, 1]), batch_dim=1)", x=rand(2, 3)),
    Case("x.reverse_sequence(Tensor([1, 2]))", x=rand(2, 3), raises=ValueError),
    Case("Tensor.diff(self=x)", x=rand(2, 3), grad=True),
    Case("x.tile(dims=(2, 1))", x=rand(2, 3), grad=True),
    Case("x.tile(dims=Tensor([2, 1]))", x=rand(2, 3)),
    Case("x.tile(reps=(2, 1))", x=rand(2, 3)),
    Case("x.tile(2, 1)", x=rand(2, 3)),
    Case("x.tile(dims=(2, -1))", x=rand(2, 3), raises=ValueError),
    Case("x.tile((2,), reps=(2,))", x=rand(2, 3), raises=TypeError),
    Case("x.tile()", x=rand(2, 3), raises=TypeError),
    Case("Parameter(x).tile(dims=(1, 2))", x=rand(2, 3)),
    Case("ops.range(0, 5)", raises=TypeError),
    Case("ops.mirror_pad(x, Tensor([[1, 1], [1, 1]]))", x=rand(2, 3), raises=TypeError),
    Case("ops.mirror_pad(x, Tensor([[1, 1], [1, 1]]), 'SYMMETRIC')", x=rand(2, 3)),
    Case(f"{LOOKUP}.embedding_table.dtype"),
    Case("vision.not_random(func=max_of).random"),
    *(Case(f"mint.nn.{name}(True)", raises=TypeError) for name in ("Tanh", "Sigmoid", "LogSigmoid")),
    *(
        Case(f"ops.{name}()", raises=TypeError)
        for name in ("AdaptiveAvgPool3D", "AdaptiveMaxPool2D", "DeformableOffsets", "MaxUnpool2D", "MaxUnpool3D")
    ),
    Case("scipy_ops.Eig().compute_v"),
    Case("scipy_ops.Eig()(Tensor([[2.0, 0.0], [0.0, 3.0]]))[0]"),
    Case("scipy_ops.Eig(False)(Tensor([[2.0, 0.0], [0.0, 3.0]]))"),
    Case("str(RandomSampler().shuffle)"),
    *(Case(f"str(RandomSampler(shuffle={level}).shuffle)") for level in ("Shuffle.FILES", "'infile'")),
    *(
        Case(f"RandomSampler(shuffle={level})", raises=TypeError)
        for level in ("None", "True", "False", "Shuffle.FALSE", "'all'")
    ),
    *(Case(f"said(exceptions.{name}())") for name in WITHOUT),
    *(Case(f"said(exceptions.{name}('x'))") for name in WITH_DETAIL),
    *(Case(f"exceptions.{name}()", raises=TypeError) for name in WITH_DETAIL),
    Case("said(exceptions.ParamTypeError('x', 'int'))"),
]


def max_of(x: np.ndarray) -> np.ndarray:
    return x.max()
