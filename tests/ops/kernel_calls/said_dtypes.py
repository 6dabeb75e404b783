"""What the docstrings of rows say of dtypes, as dtypes of torch."""

import torch

KINDS = {
    "bool": (torch.bool,),
    "integer": (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64),
    "float": (torch.float16, torch.bfloat16, torch.float32, torch.float64),
    "complex": (torch.complex64, torch.complex128),
}
HALVES = {torch.complex64: torch.float32, torch.complex128: torch.float64}
EIGHT_BITS = {torch.bool, torch.uint8, torch.int8}


def expected(returns, dtype):
    match returns:
        case "bool":
            return torch.bool
        case "float" if not dtype.is_floating_point and not dtype.is_complex:
            return torch.float32
        case "half" if not dtype.is_floating_point and not dtype.is_complex:
            return torch.float16 if dtype in EIGHT_BITS else torch.float32
        case "number" if dtype is torch.bool:
            return torch.int64
        case "real float" if not dtype.is_floating_point:
            return torch.float32
        case "narrow" if dtype is not torch.float16:
            return torch.float32
        case "component":
            return HALVES.get(dtype, dtype)
    return dtype
