"""The names of the top level that every program needs; `msbridge` hands them out when the first one is asked for."""

from msbridge import core, nn, ops
from msbridge.core.autograd.grad import get_grad, grad, value_and_grad
from msbridge.core.autograd.jacobians import jacfwd, jacrev, jvp, vjp
from msbridge.core.autograd.saved_tensor_hooks import register_saved_tensors_hooks, saved_tensors_hooks
from msbridge.core.autograd.vmap import vmap
from msbridge.core.context import context
from msbridge.core.context.context import (
    COMPATIBLE,
    GRAPH_MODE,
    LAX,
    PYNATIVE_MODE,
    STRICT,
    ParallelMode,
    get_auto_parallel_context,
    get_context,
    get_current_device,
    get_fl_context,
    get_offload_context,
    get_ps_context,
    reset_auto_parallel_context,
    reset_fl_context,
    reset_ps_context,
    set_auto_parallel_context,
    set_context,
    set_deterministic,
    set_device,
    set_fl_context,
    set_offload_context,
    set_ps_context,
)
from msbridge.core.jit import (
    CompileWarning,
    GraphBreak,
    JitConfig,
    enable_dynamic,
    flops_collection,
    graph_breaks,
    jit,
    jit_class,
    lazy_inline,
    ms_class,
    ms_function,
    ms_memory_recycle,
    mutable,
    no_inline,
    set_recursion_limit,
)
from msbridge.core.parameter.parameter import Parameter, ParameterTuple
from msbridge.core.random.generators import Generator, default_generator, initial_seed, manual_seed, seed, set_rng_state
from msbridge.core.random.seeds import get_rng_state, get_seed, set_seed
from msbridge.core.releases.release import set_release
from msbridge.core.sparse import COOTensor, CSRTensor, RowTensor, SparseTensor
from msbridge.core.tensor.interop import from_dlpack, frombuffer, swap_tensors, to_dlpack
from msbridge.core.tensor.tensor import Tensor, from_numpy, is_tensor, tensor
from msbridge.core.types import dtype
from msbridge.core.types.dtype import *
from msbridge.core.types.symbolic import Symbol
from msbridge.installation_check import run_check
from msbridge.nn.cell.dump_flags import set_dump
from msbridge.nn.cell.recompute import recompute
from msbridge.ops.dispatch_modes import MsDispatchMode
