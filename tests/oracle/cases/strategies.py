"""Strategies, Layouts, AutoParallel and the parallel context, on one device: what is given back, what is refused."""

import importlib

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

from tests.oracle.case import Case, each

Layout = importlib.import_module("mindspore.parallel").Layout
Shard = importlib.import_module("mindspore.parallel.shard").Shard
AutoParallel = importlib.import_module("mindspore.parallel.auto_parallel").AutoParallel
utils = importlib.import_module("mindspore.parallel._utils")
X = Tensor(np.arange(12).reshape(4, 3), ms.float32)
AB = Layout((2, 2), ("a", "b"))


class Product(nn.Cell):
    def __init__(self, strategy: object = None) -> None:
        super().__init__()
        self.weight = ms.Parameter(Tensor(np.ones((3, 2)), ms.float32), name="weight")
        self.matmul = ops.MatMul().shard(strategy)

    def construct(self, x: Tensor) -> Tensor:
        return self.matmul(x, self.weight)


class Morphed(nn.Cell):
    def __init__(self, *given: object) -> None:
        super().__init__()
        self.morph = ops.Morph(*given)

    def construct(self, x: Tensor) -> Tensor:
        return self.morph(x)


def double(x: Tensor) -> Tensor:
    return x * 2


def any_number(*x: Tensor) -> tuple:
    return x


def with_default(x: object = 1) -> object:
    return x


def same(x: object) -> object:
    return x


def fivefold(x: Tensor, out: Tensor, dout: Tensor) -> tuple:
    return (dout * 5,)


MORPH = ops.Morph(double, same, same)


@ms.jit
def morphed(x: Tensor) -> Tensor:
    return MORPH(x)


def in_graph_mode(action: object) -> object:
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        return action()
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def asked(method: str, *args: object, **kwargs: object) -> object:
    """Call a method of AutoParallel."""
    return getattr(AutoParallel(Product()), method)(*args, **kwargs)


def attrs(primitive: ops.Primitive) -> dict:
    return {name: value for name, value in primitive.attrs.items() if "strategy" in name or "layout" in name}


def context(*names: str, **settings: object) -> list:
    ms.set_auto_parallel_context(**settings)
    try:
        return [ms.get_auto_parallel_context(name) for name in names or settings]
    finally:
        ms.reset_auto_parallel_context()


def told(name: str, *args: object, **settings: object) -> object:
    """Call one of the questions about the parallel context."""
    ms.set_auto_parallel_context(**settings)
    try:
        return getattr(utils, name)(*args)
    finally:
        ms.reset_auto_parallel_context()


SCHEDULE = {"pipeline_interleave": False, "pipeline_scheduler": "gpipe"}
CASES = [
    *each(
        """
        Product(((2, 1), (1, 1)))(X)
        AutoParallel(Product(((2, 1), (1, 1))), "sharding_propagation")(X)
        [p.name for p in AutoParallel(Product()).get_parameters()]
        str(AutoParallel(nn.ReLU()))
        asked("get_pipeline_stages")
        asked("pipeline", 2, True, True, "gpipe")
        asked("hsdp", 4, 0, "level3")
        asked("hsdp", True)
        asked("dataset_strategy", "full_batch")
        asked("dataset_strategy", ())
        asked("dataset_strategy", ((1, 2), (1,)))
        asked("dataset_strategy", (AB("a", "b"), (1,)))
        asked("comm_fusion", None)
        asked("comm_fusion", {"anything": 1})
        asked("transformer_opt", None)
        asked("save_operator_strategy_file", "/tmp/a.json")
        ms.shard(3, "x")
        ms.reshard(3, 4)
        attrs(ops.MatMul().shard(((1, 1), (1, 1)), ((1, 1),)))
        attrs(ops.MatMul().shard((AB("a", "b"), AB("None", ("a", "b")))))
        attrs(ops.MatMul().shard(()))
        attrs(ops.MatMul().shard())
        Layout((2, 2), ("a", "interleaved_parallel"))("a", ("interleaved_parallel",)).to_dict()
        Layout((2, 2), ("a", "b"))(("a", "None"), "b").to_dict()
        Layout((2,), ("a",), [3, 4])("a").to_dict()
        Layout((2,), ("a",))().to_dict()
        morphed(X)
        in_graph_mode(lambda: Morphed(double, same, same)(X))
        in_graph_mode(lambda: ms.grad(Morphed(double, same, same))(X))
        ops.Morph(double, same, same).infer_shape([1])
        context("full_batch", "dataset_strategy", dataset_strategy="full_batch")
        context("full_batch", "dataset_strategy", full_batch=True)
        context(comm_fusion={"allreduce": {"mode": "size", "config": 4}})
        context(strategy_ckpt_config={"only_trainable_params": False})
        context(all_reduce_fusion_config=[1, 2])
        context("auto_pipeline", "pipeline_scheduler", "init_param_in_compile", auto_pipeline=True)
        context(force_fp32_communication=True)
        context(dump_local_norm=True, dump_local_norm_path="a", dump_device_local_norm=True)
        told("_get_device_num")
        told("_get_device_num", device_num=8)
        told("_get_device_num", device_num=8, parallel_mode="data_parallel")
        told("_get_global_rank", global_rank=2, parallel_mode="semi_auto_parallel")
        told("_get_global_rank", global_rank=2)
        told("_need_to_full")
        told("_need_to_full", parallel_mode="semi_auto_parallel")
        told("_need_to_full", parallel_mode="auto_parallel", full_batch=True)
        told("_check_full_batch")
        told("_get_grad_accumulation_shard")
        told("_get_grad_accumulation_shard", parallel_optimizer_config={"optimizer_level": "level2"})
        told("_to_full_shapes", [[4, 3], [4]], 2)
        told("_to_full_shapes", [[4, 3]], 2, dataset_strategy=((1, 2),), parallel_mode="semi_auto_parallel")
        told("_origin_shapes", [[4, 3]])
        told("_origin_shapes", [[4, 3]], device_num=2, parallel_mode="semi_auto_parallel")
        told("_to_full_tensor", X, 2, 1)
        told("_to_full_tensor", [X], 2, 1, 1024.0)
        told("_device_number_check", "stand_alone", 1)
        told("_is_parallel_mode")
        """
    ),
    *each(
        """
        AutoParallel(Product(), "semi_auto_parallel")
        asked("dataset_strategy", "full")
        asked("dataset_strategy", None)
        asked("hsdp", 0)
        asked("hsdp", "a")
        asked("hsdp", threshold=-1)
        asked("hsdp", optimizer_level="level4")
        asked("pipeline", 0)
        asked("pipeline", scheduler="x")
        asked("transformer_opt", "/no/such/file.json")
        ops.MatMul().shard(None, ((1,),))
        ops.MatMul().shard(((1,),), (AB("a"),))
        attrs(ops.MatMul().shard((Layout((2,), ("a",)),)))
        Layout((2,), ("",))
        Layout((2, 1), ("interleaved_parallel", "a"))
        Layout((2,), ("a",), [0])
        AB(3)
        ops.Morph(any_number, same, same, fivefold)
        ops.Morph(with_default, same, same, fivefold)
        Shard()(Product(), ((1, 1),), parameter_plan={"weight": (1,)})
        Shard()(Product(), ((1, 1),), parameter_plan={"weight": (2, 1)})
        context(dataset_strategy="x")
        context(search_mode="x")
        context(strategy_ckpt_config={"a": 1})
        context(all_reduce_fusion_config=[])
        context(all_reduce_fusion_config=[2, 1])
        context(all_reduce_fusion_config=[1, 1])
        context(communi_parallel_mode="x")
        context(comm_fusion={"allreduce": {"mode": "size", "config": -1}})
        context(pipeline_config={"a": 1})
        context(pipeline_config={"pipeline_interleave": True, "pipeline_scheduler": "x"})
        context(parallel_optimizer_config={"a": 1})
        context(parallel_optimizer_config={"optimizer_level": "x"})
        context(parallel_optimizer_config={"gradient_accumulation_shard": True, "optimizer_level": "level1"})
        context(parallel_optimizer_config={"parallel_optimizer_threshold": -1})
        context(parallel_optimizer_config={"optimizer_weight_shard_size": 0})
        context(pipeline_stages=0)
        told("_device_number_check", "stand_alone", 2)
        told("_parameter_broadcast_check", "stand_alone", True)
        told("_to_full_tensor", 3, 2, 1)
        told("_to_full_shapes", [[4], [3]], 2, dataset_strategy=((1, 2),), parallel_mode="semi_auto_parallel")
        """,
        raises=ValueError,
    ),
    *each(
        """
        asked("load_param_strategy_file", 3)
        asked("save_param_strategy_file", None)
        asked("save_operator_strategy_file", 3)
        asked("set_group_ckpt_save_file", 3)
        asked("dump_local_norm", 3)
        asked("dataset_strategy", [1])
        asked("dataset_strategy", (1,))
        asked("dataset_strategy", ((1.0,),))
        asked("pipeline", 1.0)
        asked("pipeline", 1, 1)
        asked("pipeline", 1, interleave=1)
        asked("pipeline", scheduler=1)
        asked("comm_fusion", 3)
        ops.MatMul().shard(3)
        ops.MatMul().shard((1, 2))
        ops.MatMul().shard(((1.0,),))
        Layout([1], ("a",))
        Layout((2,), ("a",), (0, 1))
        Layout((2,), ("a",), [0, 1.0])
        Shard()(double, 3)
        Shard()(double, (3,))
        Shard()(double, ((1.0,),))
        Shard()(double, ())
        Shard()(double, ((1,), AB("a")))
        Shard()(double, ((1,),), 3)
        Shard()(double, ((1,),), device=3)
        Shard()(double, ((1,),), level="a")
        Shard()(double, ((1,),), parameter_plan={"a": (1,)})
        Shard()(Product(), ((1, 1),), parameter_plan=3)
        Shard()(Product(), ((1, 1),), parameter_plan={"weight": 3})
        context(dataset_strategy=[1])
        context(dataset_strategy=(1,))
        context(dataset_strategy=((1.0,),))
        context(strategy_ckpt_config={"load_file": 1})
        context(all_reduce_fusion_config=["a"])
        context(comm_fusion={"allreduce": 1})
        context(comm_fusion={"openstate": 1})
        context(pipeline_config={"pipeline_interleave": 1, "pipeline_scheduler": "1f1b"})
        context(pipeline_config=SCHEDULE)
        context(parallel_optimizer_config={"gradient_accumulation_shard": 1})
        context(auto_pipeline=1)
        """,
        raises=TypeError,
    ),
    *each(
        """
        asked("save_operator_strategy_file", "a.json")
        asked("load_operator_strategy_file", "/tmp/a.txt")
        context(comm_fusion={"x": 1})
        context(comm_fusion={"allreduce": {}})
        context(comm_fusion={"allreduce": {"mode": "x", "config": None}})
        context(comm_fusion={"allgather": {"mode": "index", "config": [1]}})
        context(pipeline_config={})
        """,
        raises=KeyError,
    ),
    Case("ops.Morph(double, same, same)(X)", raises=RuntimeError, says="GRAPH_MODE"),
    Case("told('_check_full_batch', full_batch=True)", raises=RuntimeError),
]
