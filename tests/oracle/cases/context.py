"""Context, seeds, release: what can be set, what is read back, what is refused."""

import random  # noqa: F401  used by the expressions

import mindspore as ms
import numpy as np
from mindspore import context

from tests.oracle.case import Case, each


def read_back(**options: object) -> list:
    """Set, read, and set back."""
    before = {name: context.get_context(name) for name in options}
    context.set_context(**options)
    found = [context.get_context(name) for name in options]
    context.set_context(**before)
    return found


def parallel(**options: object) -> list:
    context.set_auto_parallel_context(**options)
    found = [context.get_auto_parallel_context(name) for name in options]
    context.reset_auto_parallel_context()
    return found


def repeated(draw: object) -> bool:
    ms.set_seed(5)
    first = draw()
    ms.set_seed(5)
    return bool(np.array_equal(first, draw()))


@ms.jit
def compiled(x: ms.Tensor) -> ms.Tensor:
    total = x * 0
    for i in range(3):
        if i != 1:
            total = total + x * i
    while total.sum() < 20:
        total = total * 2
    return total


@ms.jit
def structure(x: ms.Tensor) -> tuple:
    return x, [x + 1], {"a": x}, 3, None


class Graph(ms.nn.Cell):
    @ms.jit
    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return x * 2


def in_graph_mode(action: object) -> object:
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        return action()
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


INSIDE = (
    *("aoe_job_type", "atomic_clean_policy", "bias_add_comm_swap", "compute_communicate_fusion_level"),
    *("conv_allow_hf32", "cur_step_num", "dataset_broadcast_opt_level", "enable_allreduce_slice_to_reducescatter"),
    *("enable_begin_end_inline_opt", "enable_concat_eliminate_opt", "enable_flash_attention_load_balance"),
    *("enable_fused_cast_add_opt", "enable_ge", "enable_grad_comm_opt", "enable_interleave_parallel_branch"),
    *("enable_interleave_split_concat_branch", "enable_offloading_packed_experts", "enable_opt_shard_comm_opt"),
    *("enable_parallel_split", "enable_task_opt", "ge_options", "hccl_watchdog", "infer_boost"),
    *("interleaved_layernorm_comm", "interleaved_matmul_comm", "jit_compile", "last_triggered_step"),
    *("matmul_allow_hf32", "matmul_grad_comm_overlap", "need_ckpt", "op_precision_mode", "pp_1f1b_overlap"),
    *("precision_mode", "recompute_allgather_overlap_fagrad", "recompute_comm_overlap", "save_checkpoint_steps"),
)


CASES = [
    *each("""
        [ms.get_context(name) for name in INSIDE]
        ms.GRAPH_MODE, ms.PYNATIVE_MODE, context.GRAPH_MODE, context.PYNATIVE_MODE
        context.get_context('mode'), ms.get_context('mode')
        context.get_context('device_id'), context.get_context('device_target')
        context.get_context('max_call_depth'), context.get_context('save_graphs'), context.get_context('deterministic')
        context.get_context('enable_graph_kernel'), context.get_context('jit_syntax_level')
        context.set_context(mode=1)
        read_back(mode=0)
        read_back(mode=0, device_target='CPU')
        read_back(max_call_depth=500)
        read_back(device_target='CPU')
        read_back(enable_graph_kernel=False)
        context.set_context is ms.set_context
        parallel(parallel_mode='data_parallel', gradients_mean=True)
        parallel(parallel_mode=ms.ParallelMode.SEMI_AUTO_PARALLEL, device_num=8)
        parallel(parallel_mode='stand_alone')
        context.get_auto_parallel_context('parallel_mode'), context.get_auto_parallel_context('device_num')
        context.get_auto_parallel_context('gradients_mean'), context.get_auto_parallel_context('global_rank')
        ms.ParallelMode.STAND_ALONE, ms.ParallelMode.DATA_PARALLEL, ms.ParallelMode.HYBRID_PARALLEL
        ms.ParallelMode.SEMI_AUTO_PARALLEL, ms.ParallelMode.AUTO_PARALLEL, context.ParallelMode.MODE_LIST
        ms.communication.get_rank(), ms.communication.get_group_size()
        (ms.set_seed(7), ms.get_seed())[1]
        repeated(lambda: np.random.rand(3))
        repeated(lambda: random.random())
        repeated(lambda: ops.uniform((3,), ms.Tensor(0.0), ms.Tensor(1.0)).asnumpy())
        repeated(lambda: ms.common.initializer.initializer('normal', [3]).init_data().asnumpy())
        repeated(lambda: ops.standard_normal((3,)).asnumpy())
        repeated(lambda: nn.Dense(2, 2).weight.asnumpy())
        repeated(lambda: ops.dropout(ops.ones((50,)), 0.5).asnumpy())
        compiled(ms.Tensor([1.0, 2.0]))
        structure(ms.Tensor([1.0]))
        Graph()(ms.Tensor([1.0]))
        in_graph_mode(lambda: nn.ReLU()(ms.Tensor([1.0, -1.0])))
        in_graph_mode(lambda: ms.get_context('mode'))
        ms.__version__.split('.')[0]
        ms.run_check is not None
    """),
    *each(
        """
        context.set_context(mode=5)
        context.set_context(device_target='TPU')
        context.set_context(device_target='cpu')
        context.set_context(device_id=-1)
        context.set_context(device_id=5000)
        context.set_context(foo=1)
        context.get_context('foo')
        context.set_context(max_call_depth=0)
        context.set_auto_parallel_context(foo=1)
        context.get_auto_parallel_context('foo')
        context.set_auto_parallel_context(parallel_mode='foo')
        context.set_auto_parallel_context(device_num=0)
        ms.set_seed(-1)
        ms.set_seed(2**32)
    """,
        raises=ValueError,
    ),
    *each(
        """
        context.set_context(mode='a')
        context.set_context(0)
        context.set_context(device_id='a')
        ms.set_seed(1.5)
        ms.set_seed('a')
        ms.set_seed(True)
    """,
        raises=TypeError,
    ),
    Case("ms.hal.is_initialized('CPU'), ms.hal.is_available('CPU')"),
    Case("context.set_context(mode=7)", raises=ValueError, says="mode"),
    Case("context.set_context(nonsense=7)", raises=ValueError, says="nonsense"),
]
