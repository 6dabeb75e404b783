"""Private and young names of torch that msbridge uses: no other file touches one, so that a release is checked here.

Private names are in every torch from 2.6, the oldest release that msbridge installs with; public ones that came later
are in YOUNG, with the release and what stands in before it. `tests/core/test_torch_private.py` looks each one up in the
torch that is installed. What is listed by its module only is imported at its first use, for `torch._dynamo`,
`torch._inductor` and fake tensors take a second to load.
"""

import importlib
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch
from torch._C import DisableTorchFunction, DisableTorchFunctionSubclass, TensorBase, _functorch
from torch._C._functorch import TransformType, is_batchedtensor, maybe_get_level, peek_interpreter_stack
from torch.nn import functional
from torch.utils import checkpoint as _checkpoints
from torch.utils._mode_utils import no_dispatch
from torch.utils._python_dispatch import TorchDispatchMode, _get_current_dispatch_mode_stack
from torch.utils._pytree import tree_flatten, tree_leaves, tree_map, tree_map_only, tree_unflatten

__all__ = [
    "DisableTorchFunction",
    "DisableTorchFunctionSubclass",
    "TensorBase",
    "TorchDispatchMode",
    "TransformType",
    "dispatch_modes",
    "is_batchedtensor",
    "maybe_get_level",
    "no_dispatch",
    "peek_interpreter_stack",
    "storage_id",
    "tree_flatten",
    "tree_leaves",
    "tree_map",
    "tree_map_only",
    "tree_unflatten",
]

# Operators of `torch` itself, here without their underscore.
OPERATORS = (
    *("ctc_loss", "neg_view", "standard_gamma", "standard_gamma_grad", "unique2"),
    *("foreach_abs", "foreach_add", "foreach_add_", "foreach_addcdiv_", "foreach_addcmul", "foreach_addcmul_"),
    *("foreach_clamp_max_", "foreach_clamp_min", "foreach_clamp_min_", "foreach_copy_", "foreach_div", "foreach_div_"),
    *("foreach_lerp_", "foreach_maximum_", "foreach_minimum_", "foreach_mul", "foreach_mul_", "foreach_neg"),
    *("foreach_norm", "foreach_pow", "foreach_reciprocal_", "foreach_sign", "foreach_sign_", "foreach_sqrt"),
    *("foreach_sqrt_", "foreach_sub_", "foreach_zero_"),
    *("fused_adam_", "fused_adamw_", "fused_sgd_"),
)
# Functions and classes of the engine, by the name that they have here.
ENGINE = {
    "AutoDispatchBelowADInplaceOrView": (torch._C, "_AutoDispatchBelowADInplaceOrView"),
    "get_mkldnn_enabled": (torch._C, "_get_mkldnn_enabled"),
    "len_torch_dispatch_stack": (torch._C, "_len_torch_dispatch_stack"),
    "len_torch_function_stack": (torch._C, "_len_torch_function_stack"),
    "make_wrapper_subclass": (torch.Tensor, "_make_wrapper_subclass"),
    "set_grad_enabled": (torch._C, "_set_grad_enabled"),
    "storage_use_count": (torch._C, "_storage_Use_Count"),
    "set_vmap_fallback_warning_enabled": (_functorch, "_set_vmap_fallback_warning_enabled"),
}
_END_OF_POOL = next(  # torch 2.6 has it under the other name
    (name for name in ("_cuda_endAllocateToPool", "_cuda_endAllocateCurrentStreamToPool") if hasattr(torch._C, name)),
    "_cuda_endAllocateToPool",
)
# What is imported at its first use, with the module that has it; None is the module itself.
LATE = {
    "BuiltinVariable": ("torch._dynamo.variables.builtin", "BuiltinVariable"),
    "CustomGraphPass": ("torch._inductor.custom_graph_pass", "CustomGraphPass"),
    "DataDependentOutputException": ("torch._subclasses.fake_tensor", "DataDependentOutputException"),
    "DynamicOutputShapeException": ("torch._subclasses.fake_tensor", "DynamicOutputShapeException"),
    "FakeTensorMode": ("torch._subclasses.fake_tensor", "FakeTensorMode"),
    "NormBase": ("torch.nn.modules.batchnorm", "_NormBase"),
    "TorchDynamoException": ("torch._dynamo.exc", "TorchDynamoException"),
    "UserDefinedObjectVariable": ("torch._dynamo.variables", "UserDefinedObjectVariable"),
    "always_optimize_code_objects": ("torch._dynamo.eval_frame", "always_optimize_code_objects"),
    "collate": ("torch.utils.data._utils.collate", "collate"),
    "convert_frame": ("torch._dynamo.convert_frame", None),
    "cpp_builder": ("torch._inductor.cpp_builder", None),
    "cuda_end_allocate_to_pool": ("torch._C", _END_OF_POOL),
    "decomposition_table": ("torch._decomp", "decomposition_table"),
    "dynamo_config": ("torch._dynamo.config", None),
    "engine_run_backward": ("torch.autograd.graph", "_engine_run_backward"),
    "inductor_exc": ("torch._inductor.exc", None),
    "lookup_backend": ("torch._dynamo", "lookup_backend"),
    "make_fx": ("torch.fx.experimental.proxy_tensor", "make_fx"),
    "onnx_exporter_core": ("torch.onnx._internal.exporter._core", None),
    "onnx_higher_order_operators": ("torch.onnx._internal.exporter._torchlib.ops.hop", None),
    "profiler_enabled": ("torch.autograd", "_profiler_enabled"),
}


def storage_id(data: torch.Tensor) -> int:
    """Return the identity of a tensor's memory, which a tensor without numbers has, too."""
    identity: int = data.untyped_storage()._cdata
    return identity


def _taking(function: Callable[..., Any], argument: str) -> Callable[..., Any] | None:
    """Return a function if it has an argument."""
    return function if argument in inspect.signature(function).parameters else None


def _checkpoint(function: Callable[..., Any], *args: Any, early_stop: bool, **options: Any) -> Any:
    """Call torch's own, which reads a switch in the first run: blocks within find the same."""
    with _checkpoints.set_checkpoint_early_stop(early_stop and _checkpoints._enable_checkpoint_early_stop is True):
        return _checkpoints.checkpoint(function, *args, **options)


def _disable(function: Callable[..., Any], *, reason: str) -> Any:
    """Call torch's own, which has no word of why a function is left out of graphs."""
    return torch.compiler.disable(function)


def _smooth_l1_loss(input: torch.Tensor, target: torch.Tensor, reduction: str = "mean", beta: float = 1.0) -> Any:
    """Compute torch's own of float16 in float32: its backward pass has no kernel for a CPU."""
    if input.dtype is not torch.float16:
        return functional.smooth_l1_loss(input, target, reduction=reduction, beta=beta)
    return functional.smooth_l1_loss(input.float(), target.float(), reduction=reduction, beta=beta).to(input.dtype)


def _fused_adagrad_(
    p: list[torch.Tensor], g: list[torch.Tensor], acc: list[torch.Tensor], steps: Any, *, lr: Any, **options: Any
) -> None:
    """Call torch's own, which takes numbers for rates: with one in a tensor, a step of rate 1 is scaled."""
    if not isinstance(lr, torch.Tensor):
        torch._fused_adagrad_(p, g, acc, steps, lr=lr, **options)
        return
    moved = [torch.zeros_like(data) for data in p]
    torch._fused_adagrad_(moved, g, acc, steps, lr=1.0, **options)
    torch._foreach_mul_(moved, lr)
    torch._foreach_add_(p, moved)


def _cpu_capabilities() -> Mapping[str, object]:
    """Return of the first processor what /proc/cpuinfo of Linux says, by the names of torch.cpu.get_capabilities."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").partition("\n\n")[0].splitlines()
    except OSError:  # another system
        return {}
    facts = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return {"cpu_name": facts.get("model name", ""), "avx512_vl": "avx512vl" in facts.get("flags", "").split()}


# Public attributes that torch 2.6 lacks: the first release that has each, torch's own, and what stands in before it.
YOUNG = {
    "checkpoint": ("2.9", _taking(_checkpoints.checkpoint, "early_stop"), _checkpoint),
    "disable": ("2.7", _taking(torch.compiler.disable, "reason"), _disable),
    "float8_e8m0fnu": ("2.7", getattr(torch, "float8_e8m0fnu", None), torch.uint8),  # its bytes
    "fused_adagrad_": (
        "2.8",
        torch._fused_adagrad_ if "tensor_lr" in torch.ops.aten._fused_adagrad_.overloads() else None,
        _fused_adagrad_,
    ),
    "get_capabilities": ("2.11", getattr(torch.cpu, "get_capabilities", None), _cpu_capabilities),
    # The stand-in is true also where Dynamo compiles: what is computed there is as for a graph of an exporter.
    "is_exporting": ("2.7", getattr(torch.compiler, "is_exporting", None), torch.compiler.is_compiling),
    "smooth_l1_loss": (
        "2.13",
        functional.smooth_l1_loss if torch.__version__ >= "2.13" else None,  # 2.10 to 2.12 were not asked
        _smooth_l1_loss,
    ),
}
dispatch_modes = _get_current_dispatch_mode_stack
globals().update({name: getattr(torch, f"_{name}") for name in OPERATORS})
globals().update({name: getattr(owner, private) for name, (owner, private) in ENGINE.items()})
globals().update({name: stand_in if own is None else own for name, (_, own, stand_in) in YOUNG.items()})


def __getattr__(name: str) -> Any:
    """Import lazily loaded modules of torch.

    Raises:
        AttributeError: there is no such name, or this release of torch has it no more.
    """
    if name not in LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    place, private = LATE[name]
    try:
        module = importlib.import_module(place)
        value = module if private is None else getattr(module, private)
    except (AttributeError, ImportError) as error:
        raise AttributeError(
            f"torch {torch.__version__} has no {place}.{private or ''}, which msbridge uses."
        ) from error
    globals()[name] = value
    return value
