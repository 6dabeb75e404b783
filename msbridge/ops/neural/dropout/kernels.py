"""Computations that the faces of dropout share."""

import torch

from msbridge.core.context.context import torch_device
from msbridge.core.errors.explain import explain
from msbridge.core.jit.compiler import rewrite_graphs
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.kernel_calls.eager_checks import is_compared

_library = torch.library.Library("msbridge", "FRAGMENT")  # torch forgets the operators of a library that nothing holds
_POWERS = torch.tensor([1, 2, 4, 8, 16, 32, 64, 128], dtype=torch.uint8)


def drop_elements(data: torch.Tensor, p: float) -> torch.Tensor:
    """Zero each element with probability `p` and divide the rest by 1 - p.

    On a CPU torch's own draws for each element by itself and branches on it, which takes 5 to 14 ns, most where `p` is
    near 0.5; words of 64 bits take 2 (torch 2.13).
    """
    if not _draws_words(data, p):
        return torch.dropout(data, p, True)
    return data * _draw_kept(data, p).to(data.dtype).mul_(1 / (1 - p))


def draw_seeded_mask(data: torch.Tensor, p: float, seed: int) -> torch.Tensor:
    """Draw zeros with probability `p` and ones from a stream that `seed` starts."""
    generator = torch.Generator(device=data.device).manual_seed(seed)
    if _draws_words(data, p):
        return _draw_kept(data, p, generator).to(data.dtype)
    return torch.empty_like(data).bernoulli_(1 - p, generator=generator)


def dropout_with_mask(input: Tensor, p: float) -> tuple[Tensor, Tensor]:
    """Return the result of `dropout`, and the ones and zeros it drew, as `input`'s dtype."""
    try:
        data = input._data
        if _draws_words(data, p):
            mask = _draw_kept(data, p).to(data.dtype)
            return wrap(data * (mask / (1 - p))), wrap(mask)
        result, mask = torch.native_dropout(data, p, True)
    except Exception as error:
        raise explain(error, "Dropout", input=input, p=p) from error
    return wrap(result), wrap(mask.to(result.dtype))


def channel_dropout_with_mask(input: Tensor, p: float) -> tuple[Tensor, Tensor]:
    """Zero whole channels with probability `p`: (result, Bool mask of the shape of `input`)."""
    try:
        data = input._data
        kept = torch.rand(*data.shape[:2], *(1,) * (data.dim() - 2), device=data.device) >= p
        mask = kept.expand_as(data)
        return wrap(data * mask / max(1 - p, 1e-38)), wrap(mask.contiguous())
    except Exception as error:
        raise explain(error, "Dropout2D", input=input, p=p) from error


def draw_bits(count: int, keep_prob: float) -> Tensor:
    """Draw `count` bits, ones with probability `keep_prob`, eight to a UInt8, in whole blocks of 128."""
    bits = torch.rand(-(-count // 128) * 16, 8, device=torch_device()) < keep_prob
    return wrap((bits * _POWERS.to(bits.device)).sum(1).to(torch.uint8))


def apply_bits(input: Tensor, mask: Tensor, keep_prob: float) -> Tensor:
    """Zero the elements whose bit is zero, and divide the rest by `keep_prob`."""
    try:
        data = input._data
        bits = (mask._data[:, None] & _POWERS.to(data.device)).flatten()[: data.numel()] > 0
        return wrap(data * bits.reshape(data.shape) / keep_prob)
    except Exception as error:
        raise explain(error, "DropoutDoMask", input=input, mask=mask) from error


def _draws_words(data: torch.Tensor, p: float) -> bool:
    """Whether `_draw_kept` may draw for `data`: an ordinary tensor of the CPU, of which a part stays."""
    return type(data) is torch.Tensor and data.is_cpu and 0 < p < 1 and not is_compared()


def _draw_kept(data: torch.Tensor, p: float, generator: torch.Generator | None = None) -> torch.Tensor:
    """Draw Falses with probability `p` and Trues, of the shape of `data`, from 32 random bits each."""
    count = data.numel()
    words = torch.empty((count + 1) // 2, dtype=torch.int64).random_(-(2**63), None, generator=generator)
    return words.view(torch.int32)[:count].view(data.shape) >= round(p * 2**32) - 2**31


def _replace_draws(graph: torch.fx.Graph) -> None:
    """Put an operator of ours in place of torch's draws in a compiled graph, which draw as slowly there."""
    for node in graph.find_nodes(op="call_function", target=torch.ops.aten.bernoulli.p):
        value = node.meta.get("val")
        is_plain = isinstance(value, torch.Tensor) and value.is_cpu and value.is_contiguous() and not node.kwargs
        if is_plain and 0 < node.args[1] < 1:
            node.target = torch.ops.msbridge.bernoulli.default


def _draw_in_graph(like: torch.Tensor, p: float) -> torch.Tensor:
    return _draw_kept(like, 1 - p).to(like.dtype)


_library.define("bernoulli(Tensor like, float p) -> Tensor", tags=(torch.Tag.nondeterministic_seeded,))
_library.impl("bernoulli", _draw_in_graph, "CPU")
_library.impl("bernoulli", lambda like, p: like.new_empty(like.shape), "Meta")
rewrite_graphs(_replace_draws)
