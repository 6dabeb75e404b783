"""Small names of MindSpore's private modules that scripts and libraries import beside the public ones."""

import contextlib
import os
from collections.abc import Mapping, MutableSequence
from itertools import count
from numbers import Number
from typing import Any, NoReturn

import numpy as np

from msbridge.core.context import context
from msbridge.core.parameter.parameter import PARAMETER_NAME_DEFAULT
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.cell.compile_checks import check_compilation, is_compiled
from msbridge.ops import operations

# mindspore.common.api
ARG_SPECIFIED, TOTAL_ARG_LEN, BROADCAST_PHASE = "arg_specified_infos", "total_arg_length", "_broadcast_"
cells_compile_cache: dict[int, set[Any]] = {}  # what scripts write for their copies of Cells, and nothing reads here
# mindspore.common.generator: the commands to a generator
STEP, SEED, GET_STATE, SET_STATE, MANUAL_SEED, INITIAL_SEED = range(6)
# mindspore.common.seed: the constants of Philox
keyConstant = [3528531795, 2654435769, 3449720151, 3144134277]
# mindspore.common.tensor
np_types = tuple(
    getattr(np, name)
    for name in (
        *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
        *("float16", "float32", "float64", "bool_", "complex64", "complex128"),
    )
)
# mindspore.default_config: how MindSpore was built
__backend__, __package_name__ = "ms", "mindspore"
# mindspore.train.serialization: sizes in bytes of what is written at once
PROTO_LIMIT_SIZE, TOTAL_SAVE, PARAMETER_SPLIT_SIZE = 1 << 21, 1 << 20, 1 << 30
ENCRYPT_BLOCK_SIZE, SLICE_SIZE, INT_64_MAX = 1 << 16, 1 << 19, (1 << 63) - 1
np_type_convert = {name: getattr(np, name) for name in ("int32", "float32", "float16", "float64")}
safetensors_to_mstype = {"Int4": mstype.qint4x2}
mindir_to_tensor_type = {
    1: mstype.float32,
    2: mstype.uint8,
    3: mstype.int8,
    4: mstype.uint16,
    5: mstype.int16,
    6: mstype.int32,
    7: mstype.int64,
    10: mstype.float16,
    11: mstype.float64,
    12: mstype.uint32,
    13: mstype.uint64,
}
# mindspore.train.amp: the primitives that O1 computes in half precision, and in full; those that are here
_LOWERED = (
    "Conv2D Conv3D Conv2DExt Conv3DExt ConvTranspose2D Conv2DTranspose Conv3DTranspose Convolution MatMul MatMulExt "
    "BatchMatMul BatchMatMulExt PReLU Einsum Dense Addmm Addbmm Addmv Baddbmm Mv"
)
_KEPT = (
    "Pow ACos Asin Cosh Erfinv Exp Expm1 Log Log10 Log1p Log2 Reciprocal Rsqrt Sinh Tan Softplus SoftplusExt LayerNorm "
    "LayerNormExt BatchNorm BatchNormExt GroupNorm Norm KLDivLoss SmoothL1Loss MultilabelMarginLoss SoftMarginLoss "
    "TripletMarginLoss MultiMarginLoss BCEWithLogitsLoss Pdist Cdist Renorm ReduceProd Softmax LogSoftmax "
    "LogSoftmaxExt CumProd CumSum CumsumExt ProdExt SumExt L1LossExt MSELossExt NLLLoss NLLLoss2d"
)


def _present(names: str) -> list[type]:
    return [found for name in names.split() if (found := getattr(operations, name, None)) is not None]


AMP_AUTO_WHITE_LIST, AMP_AUTO_BLACK_LIST = _present(_LOWERED), _present(_KEPT)

_seeds: dict[tuple[str, int], int] = {}


def get_op_seed(op_seed: int, kernel_name: str) -> int:
    """Return the seed of an operator, which is the same for each of its kind.

    Follows: mindspore.common.seed._get_op_seed (2.10).
    """
    return _seeds.setdefault((kernel_name, op_seed), op_seed)


def convert_python_data(data: Any) -> Any:
    """Return data whose Tensors are Python's, as they all are; lists and dicts are the same objects.

    Follows: mindspore.common.api._convert_python_data (2.10).
    """
    if type(data) is tuple:
        return tuple(convert_python_data(one) for one in data)
    if type(data) is list:
        _convert_in_place(data)
    elif type(data) is dict:
        for name in data:
            data[name] = convert_python_data(data[name])
    return data


def _convert_in_place(data: MutableSequence[Any]) -> None:
    for number, one in enumerate(data):
        data[number] = convert_python_data(one)


def null_context_fn() -> tuple[Any, Any]:
    """Return two blocks that do nothing.

    Follows: mindspore.common.recompute.null_context_fn (2.10).
    """
    return contextlib.nullcontext(), contextlib.nullcontext()


def amp_cast(value: Any, dtype: Type) -> Any:
    """Return a floating Tensor in another type, and anything else as it is.

    Follows: mindspore.train.amp.amp_cast (2.10).
    """
    return value.astype(dtype) if isinstance(value, Tensor) and value.dtype in mstype.float_type else value


amp_cast_op = amp_cast


class CellGraphExecutor:
    """The executor that compiles and runs a Cell; it runs it.

    Follows: mindspore.common.api._CellGraphExecutor (2.10).
    """

    def compile(
        self,
        obj: Any,
        *args: Any,
        phase: str = "predict",
        do_convert: bool = True,
        auto_parallel_mode: bool = False,
        jit_config_dict: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> tuple[str, bool]:
        """Return MindSpore's name of the graph of a Cell and whether it is new; see `Cell.compile`.

        Args:
            obj: the Cell.
            args: its inputs.
            phase: what the graph is for, the beginning of its name.
            do_convert: whether MindSpore's compiler makes a graph at once; there is none here.
            auto_parallel_mode: asks of releases before 1.5 for Parameters divided over devices; here they are whole.
            jit_config_dict: settings of MindSpore's compiler.
            kwargs: further inputs, by the names of the arguments of `construct`.

        Raises:
            AttributeError: `obj` has no `construct`.
            Exception: anything that a call with these inputs raises.
        """
        if not hasattr(obj, "construct"):
            raise AttributeError(f"The class {type(obj).__name__} does not have method construct")
        return check_compilation(obj, args, kwargs, phase)

    def has_compiled(self, phase: str = "predict") -> bool:
        """Return whether `compile` has returned this name."""
        return is_compiled(phase)

    def run(self, obj: Any, *args: Any, phase: str = "predict") -> Any:
        """Return the Cell's outputs, in any phase: it has no graphs that differ."""
        return obj(*args)

    __call__ = run


Executor = CellGraphExecutor
executor = cell_graph_executor = CellGraphExecutor()


def mock(mock_val: Any, *args: Any) -> Any:
    """Return a value, or what a function returns with the arguments that follow; `mock_val` in MindSpore's simulation.

    Args:
        mock_val: what a simulated run takes, where the variable MS_SIMULATION_LEVEL is set.
        args: a value; or a function and its arguments.

    Follows: mindspore.utils.dryrun.mock (2.10).
    """
    if os.environ.get("MS_SIMULATION_LEVEL"):
        return mock_val
    first, *rest = args
    return first(*rest) if rest or callable(first) else first


def set_simulation() -> NoReturn:
    """Refuse to simulate devices.

    Raises:
        RuntimeError: always.
    """
    raise RuntimeError("dryrun.set_simulation: devices are not simulated here; the script runs as it is without it.")


def sdc_detect_start() -> None:
    """Do nothing, as MindSpore does without an Ascend: nothing looks for silent faults of a chip.

    Follows: mindspore.utils.sdc_detect_start (2.10, CPU).
    """


def sdc_detect_stop() -> None:
    """Do nothing, as `sdc_detect_start`.

    Follows: mindspore.utils.sdc_detect_stop (2.10, CPU).
    """


def get_sdc_detect_result() -> bool:
    """Return False: no silent fault of a chip was found.

    Follows: mindspore.utils.get_sdc_detect_result (2.10, CPU).
    """
    return False


def stress_detect(detect_type: str = "aic") -> int:
    """Refuse to try the machine under load; return 1, "not started", for another kind of test than there is.

    Raises:
        RuntimeError: `detect_type` is "aic" or "hccs", as in MindSpore without an Ascend.

    Follows: mindspore.utils.stress_detect (2.10, CPU).
    """
    if detect_type in ("aic", "hccs"):
        raise RuntimeError("stress_detect: it tries an Ascend chip under load, and there is none.")
    return 1


def check_collective_target_dtype(data_name: str, data_dtype: Type, prim_name: str) -> None:
    """Refuse dtypes that the device's collectives do not take.

    Raises:
        TypeError: `data_dtype` is one of them.

    Follows: mindspore.ops.operations.comm_ops.check_collective_target_dtype (2.10).
    """
    is_gpu = context.get_context("device_target") == "GPU"
    own = getattr(data_dtype, "element_type", lambda: None)() or data_dtype
    if own not in (_OF_GPU if is_gpu else _OF_OTHERS):
        raise TypeError(f"For '{prim_name}', {data_name} must not be of {own} on this device.")


_OF_OTHERS = (mstype.int8, mstype.int32, mstype.float16, mstype.float32, mstype.bfloat16)
_OF_GPU = (
    *(mstype.bool_, mstype.int8, mstype.int32, mstype.int64, mstype.uint32, mstype.uint64),
    *(mstype.float16, mstype.float32, mstype.float64),
)


_unique_keys = count()


def get_unique_parameter_key() -> int:
    """Return the next number of 0, 1, 2 …, which no call before has returned.

    Follows: mindspore.common.parameter._get_unique_parameter_key (2.10).
    """
    return next(_unique_keys)


def is_parameter_generated(param_name: object) -> bool:
    """Return whether a Parameter's name was made up, as `Parameter#3` is.

    Follows: mindspore.common.parameter._is_parameter_generated (2.10).
    """
    return isinstance(param_name, str) and param_name.startswith(f"{PARAMETER_NAME_DEFAULT}#")


def is_in_auto_parallel_mode() -> bool:
    """Return whether operators are divided over devices by strategies.

    Follows: mindspore.common.parameter._is_in_auto_parallel_mode (2.10).
    """
    return context.get_auto_parallel_context("parallel_mode") in ("semi_auto_parallel", "auto_parallel")


def init_to_value(init: str | Number) -> float:
    """Return the number that a constant initializer represents.

    Args:
        init: "zeros", "ones" or a number.

    Raises:
        ValueError: it is something else.

    Follows: mindspore.common.parameter.init_to_value (2.10).
    """
    if isinstance(init, Number):
        return float(init)  # type: ignore[arg-type]
    if init not in ("zeros", "ones"):
        raise ValueError(f"The argument 'init' should be a number, 'zeros' or 'ones', but got {init!r}.")
    return float(init == "ones")
