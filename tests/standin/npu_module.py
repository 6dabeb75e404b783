"""torch.npu over the stand-in, as torch_npu brings it: under torch's key for devices from elsewhere, named npu."""

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any


def install(torch: Any, functions: dict[str, Callable[..., Any]]) -> None:
    """Name the devices, and make their module.

    Args:
        torch: the module.
        functions: what torch.cuda would have, by name.
    """
    torch.utils.rename_privateuse1_backend("npu")
    module = ModuleType("torch.npu")
    vars(module).update(functions, get_amp_supported_dtype=lambda: [torch.float16, torch.bfloat16])
    torch._register_device_module("npu", module)
    sys.modules["torch.npu"] = module
    torch.utils.generate_methods_for_privateuse1_backend(for_tensor=True, for_module=True, for_storage=True)
