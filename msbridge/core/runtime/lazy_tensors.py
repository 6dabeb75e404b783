"""Lazy tensors of torch: zeros without memory, conjugates and negatives that are only noted.

Nothing can be written to a lazy tensor, and `tolist` (torch 2.13) reads it without its note. Sums and products settle
it on their own; where a tensor leaves torch for a script or the host, `materialize` does.
"""

import torch

__all__ = ["materialize"]


def materialize(data: torch.Tensor) -> torch.Tensor:
    """Return a tensor whose memory holds its numbers: `data`, where that is so already."""
    if data._is_zerotensor():
        return data.clone()
    return data.resolve_conj().resolve_neg() if data.is_conj() or data.is_neg() else data
