"""run_check: whether the installation computes."""

import torch

from msbridge.core.context import context
from msbridge.core.releases.release import release
from msbridge.core.runtime import standard_streams
from msbridge.core.tensor.tensor import Tensor


def run_check() -> None:
    """Multiply on the context's device, and say whether the result is right.

    Follows: mindspore.run_check (2.10).
    """
    x = Tensor(torch.full((2, 2), 3.0, device=context.torch_device()))
    is_right = torch.equal((x._data @ x._data).cpu(), torch.full((2, 2), 18.0))
    version = "{}.{}.0".format(*release())
    outcome = "is correct" if is_right else "is WRONG"
    standard_streams.print_now(
        f"MindSpore version:  {version} (msbridge on torch {torch.__version__})\n"
        f"The result of multiplication calculation {outcome}, on platform [{context.device_target()}]."
    )
