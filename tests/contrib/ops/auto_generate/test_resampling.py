"""Images of another size, against torch."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from msbridge import Tensor
from msbridge.contrib.ops import auto_generate as gen

DRAW = np.random.default_rng(0)
ROWS = [
    ("Nearest1D", "nearest", (7,), (1.5,), {}),
    ("Nearest2D", "nearest", (5, 7), (1.5, 2.0), {}),
    ("Linear1D", "linear", (7,), (1.5,), {"align_corners": True}),
    ("Bilinear2D", "bilinear", (5, 7), (1.5, 2.0), {"align_corners": False}),
    ("Bicubic2D", "bicubic", (5, 7), (1.5, 2.0), {"align_corners": True}),
]


@pytest.mark.parametrize(("name", "mode", "size", "factors", "corners"), ROWS, ids=[row[0] for row in ROWS])
@pytest.mark.parametrize("by_size", [True, False])
def test_an_image_and_its_gradient(
    name: str, mode: str, size: tuple, factors: tuple, corners: dict[str, bool], by_size: bool
) -> None:
    shape = (1, 2, 4, 5)[: 2 + len(size)]
    image = torch.from_numpy(DRAW.normal(size=shape).astype(np.float32)).requires_grad_()
    given = (size, None) if by_size else (None, factors)
    wanted = F.interpolate(image, *given, mode, **corners)
    seed = torch.rand_like(wanted)
    (slope,) = torch.autograd.grad(wanted, image, seed)
    settings = (*given, *corners.values())
    assert np.allclose(getattr(gen, f"Upsample{name}")()(Tensor(image.detach()), *settings), wanted.detach())
    found = getattr(gen, f"Upsample{name}Grad")()(Tensor(seed), shape, *settings)
    assert np.allclose(found, slope, atol=1e-6)
