"""The module paths of r1.x and 2.x that scripts import from, and an object that each must give."""

import importlib
import pkgutil

import pytest

from msbridge.dropin.importing.module_map import origins_of_brought
from tests.processes import msbridge

pytestmark = pytest.mark.usefixtures("mindspore_is_msbridge")

# MindSpore path, name, and the path of the same object in the newest tree (where names agree).
PATHS = [
    ("mindspore", "FileWriter", "mindspore.mindrecord"),
    ("mindspore", "SUCCESS", "mindspore.mindrecord"),
    ("mindspore", "get_log_config", "mindspore.log"),
    ("mindspore", "set_algo_parameters", "mindspore.parallel.algo_parameter_config"),
    ("mindspore.amp", "jit", "mindspore"),
    ("mindspore.common", "Tensor", "mindspore"),
    ("mindspore.common", "set_seed", "mindspore"),
    ("mindspore.boost.adasum", "AdaSum", "mindspore.boost"),
    ("mindspore.boost.dim_reduce", "DimReduce", "mindspore.boost"),
    ("mindspore.common.api", "jit", "mindspore"),
    ("mindspore.common.storage", "UntypedStorage", "mindspore.common"),
    ("mindspore.numpy.array_creations", "full", "mindspore.numpy"),
    ("mindspore.numpy.array_ops", "expand_dims", "mindspore.numpy"),
    ("mindspore.numpy.logic_ops", "isnan", "mindspore.numpy"),
    ("mindspore.numpy.math_ops", "matrix_power", "mindspore.numpy"),
    ("mindspore.onnx.onnx_export", "export", "mindspore.onnx"),
    ("mindspore.common.dtype", "float32", "mindspore"),
    ("mindspore.common.initializer", "TruncatedNormal", "mindspore.common.initializer"),
    ("mindspore.common.parameter", "ParameterTuple", "mindspore"),
    ("mindspore.common.seed", "set_seed", "mindspore"),
    ("mindspore.common.tensor", "Tensor", "mindspore"),
    ("mindspore.common.symbol", "Symbol", "mindspore"),
    ("mindspore.communication.management", "get_group_size", "mindspore.communication"),
    ("mindspore.context", "set_context", "mindspore"),
    ("mindspore.dataset.engine", "GeneratorDataset", "mindspore.dataset"),
    ("mindspore.dataset.transforms.c_transforms", "TypeCast", "mindspore.dataset.transforms"),
    ("mindspore.dataset.vision.c_transforms", "Resize", "mindspore.dataset.vision"),
    ("mindspore.dataset.vision.utils", "Inter", "mindspore.dataset.vision"),
    ("mindspore.nn", "Accuracy", "mindspore.train"),
    ("mindspore.nn.cell", "Cell", "mindspore.nn"),
    ("mindspore.nn.layer", "CellList", "mindspore.nn"),
    ("mindspore.nn.layer.conv", "Conv2d", "mindspore.nn"),
    ("mindspore.nn.loss", "MSELoss", "mindspore.nn"),
    ("mindspore.nn.loss.loss", "LossBase", "mindspore.nn"),
    ("mindspore.nn.metrics", "Accuracy", "mindspore.train"),
    ("mindspore.nn.optim", "Momentum", "mindspore.nn"),
    ("mindspore.nn.optim.momentum", "Momentum", "mindspore.nn"),
    ("mindspore.nn.wrap", "WithLossCell", "mindspore.nn"),
    ("mindspore.nn.wrap.cell_wrapper", "WithLossCell", "mindspore.nn"),
    ("mindspore.nn.wrap.grad_reducer", "DistributedGradReducer", "mindspore.nn"),
    ("mindspore.ops.composite", "GradOperation", "mindspore.ops"),
    ("mindspore.ops.composite", "MultitypeFuncGraph", "mindspore.ops"),
    ("mindspore.ops.functional", "grad", "mindspore.ops"),
    ("mindspore.ops.functional", "depend", "mindspore.ops"),
    ("mindspore.ops.operations", "ReLU", "mindspore.ops"),
    ("mindspore.ops", "all_reduce", "mindspore.ops.communication"),
    ("mindspore.ops", "isend", "mindspore.mint.distributed"),
    ("mindspore.ops", "gather", "mindspore.ops.function"),
    ("mindspore.ops.function.comm_func", "gather", "mindspore.ops.communication"),
    ("mindspore.ops", "prim_arg_register", "mindspore.ops.primitive"),
    ("mindspore.ops", "tensor_operator_registry", "mindspore.common._register_for_tensor"),
    ("mindspore.nn", "opt_init_args_register", "mindspore.nn.optim.optimizer"),
    ("mindspore.parallel._utils", "_get_device_num", "mindspore.parallel._utils"),
    ("mindspore.parallel._utils", "_is_pynative_parallel", "mindspore.parallel._utils"),
    ("mindspore.train.amp", "auto_mixed_precision", "mindspore.amp"),
    ("mindspore.train.callback", "LossMonitor", "mindspore.train"),
    ("mindspore.train.dataset_helper", "connect_network_with_dataset", "mindspore"),
    ("mindspore.train.loss_scale_manager", "FixedLossScaleManager", "mindspore.amp"),
    ("mindspore.train.model", "Model", "mindspore.train"),
    ("mindspore.train.serialization", "load_checkpoint", "mindspore"),
    ("mindspore.utils", "from_dlpack", "mindspore.utils.dlpack"),
]


FUNCTIONS = [
    *(("mindspore.common", name) for name in ("lazy_inline", "mutable", "no_inline", "recompute", "seed", "tensor")),
    ("mindspore.nn.metrics", "auc"),
    ("mindspore.ops", "op_info_register"),
    ("mindspore.train.metrics", "auc"),
]


@pytest.mark.process
def test_functions_have_the_names_of_the_modules_they_were_in() -> None:  # as in MindSpore 2.10
    lines = ["import mindspore.ops.op_info_register"]  # the function stays when the module is imported first
    lines += [f"from {package} import {name}; print(type({name}).__name__)" for package, name in FUNCTIONS]
    done = msbridge("run", "-c", "\n".join(lines))
    assert done.stdout.split() == ["function"] * len(FUNCTIONS)


@pytest.mark.parametrize(("path", "name", "home"), PATHS)
def test_the_path_gives_the_object(path: str, name: str, home: str) -> None:
    found: dict[str, object] = {}
    exec(f"from {path} import {name}", found)
    assert found[name] is getattr(importlib.import_module(home), name)


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("array_ops", "Concat"),
        ("other_ops", "Load"),
        ("linalg_ops", "Svd"),
    ],
)
def test_modules_are_attributes_of_ops(module: str, name: str) -> None:
    from mindspore import ops

    assert callable(getattr(getattr(ops, module), name))


def test_the_classes_of_dtypes_are_where_scripts_take_them() -> None:
    from mindspore import dtype
    from mindspore._c_expression import typing

    assert isinstance(dtype.float16, typing.Float)
    assert isinstance(dtype.uint8, typing.UInt)
    assert not isinstance(dtype.int32, typing.Float)
    assert isinstance(dtype.tensor_type, typing.TensorType)


def test_processes_are_torch_s() -> None:
    from mindspore import multiprocessing
    from mindspore.multiprocessing.queue import Queue
    from mindspore.multiprocessing.reductions import init_reductions
    from torch.multiprocessing import queue

    assert multiprocessing.get_start_method() in multiprocessing.get_all_start_methods()
    assert Queue is queue.Queue
    assert callable(init_reductions)
    assert multiprocessing.reducer.ForkingPickler


def test_star_hands_out_what_higher_rooms_have() -> None:
    names: dict[str, object] = {}
    exec("from mindspore.ops import *", names)
    operators = importlib.import_module("mindspore.ops")
    collectives = importlib.import_module("mindspore.ops.communication")
    assert names["all_reduce"] is collectives.all_reduce
    assert names["gather"] is operators.gather is not collectives.gather
    assert names["ReLU"] is operators.ReLU
    assert not set(collectives.__all__) - names.keys()


def test_modules_hand_on_what_they_import() -> None:
    wrong = []
    for (path, name), origin in origins_of_brought().items():
        above, _, last = origin.rpartition(".")
        try:
            wanted = importlib.import_module(origin)
        except ModuleNotFoundError:
            wanted = getattr(importlib.import_module(above), last)
        if getattr(importlib.import_module(path), name) is not wanted:
            wrong.append(f"{path}.{name}")
    assert wrong == []


def test_what_modules_hand_on_is_no_name_of_theirs() -> None:
    assert "np" not in dir(importlib.import_module("mindspore.nn.cell"))
    assert "Tensor" not in importlib.import_module("mindspore.mint").__all__


@pytest.mark.parametrize(
    ("private", "public"),
    [
        ("mindspore.nn.cell.GraphCell", "mindspore.nn.GraphCell"),
        ("mindspore.common.mindir_util.load_mindir", "mindspore.load_mindir"),
        ("mindspore.dataset.engine.obs.sync_wait_for_dataset", "mindspore.dataset.sync_wait_for_dataset"),
    ],
)
def test_what_a_private_module_defines_is_what_the_public_one_hands_on(private: str, public: str) -> None:
    there, here = map(pkgutil.resolve_name, (private, public))
    assert there is here
