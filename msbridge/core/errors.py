"""What went wrong inside an operator, in the words and the class that its caller expects.

Runs only after a failure, so it may look at everything.
"""

import re
from collections.abc import Callable, Mapping

import numpy as np
import torch

Check = Callable[[str, Mapping[str, object], str], Exception | None]


def explain(error: Exception, op: str, **arguments: object) -> Exception:
    """Turn a failure inside an op into the error that its caller should see.

    Args:
        error: what was raised.
        op: the name of the op, as the user knows it.
        arguments: the op's arguments by name.

    Returns:
        The error to raise; `error` itself where it speaks for itself.
    """
    foreign = type(error).__module__ != "builtins"  # out of memory, torch's signals to itself: not for us to change
    if foreign or getattr(error, "explained", False):
        return error
    found = next(filter(None, (check(op, arguments, str(error)) for check in CHECKS)), None)
    if found is None:
        kind = type(error) if type(error) in (TypeError, ValueError, IndexError) else RuntimeError
        found = kind(f"For '{op}': {error}")
    found.explained = True  # type: ignore[attr-defined]
    return found


def describe(value: object) -> str:
    """Name a value in a message: tensors by shape and dtype, the rest by repr and type."""
    data = getattr(value, "_data", None)
    if isinstance(data, torch.Tensor):
        return f"{type(value).__name__} of shape {tuple(data.shape)} and dtype {_dtype_name(data)}"
    if isinstance(value, np.ndarray | torch.Tensor):
        return (
            f"{type(value).__module__.split('.')[0]} array of shape {tuple(value.shape)}; wrap it in mindspore.Tensor"
        )
    return f"{value!r} ({type(value).__name__})"


def _dtype_name(data: torch.Tensor) -> str:
    return str(data.dtype).removeprefix("torch.")


def _tensors(arguments: Mapping[str, object]) -> dict[str, torch.Tensor]:
    found = {name: getattr(value, "_data", None) for name, value in arguments.items()}
    return {name: data for name, data in found.items() if isinstance(data, torch.Tensor)}


def _not_a_tensor(op: str, arguments: Mapping[str, object], message: str) -> Exception | None:
    for name, value in arguments.items():
        if name in ("input", "x", "self", "weight", "logits", "labels", "tensors") and not hasattr(value, "_data"):
            if isinstance(value, list | tuple) and value and all(hasattr(item, "_data") for item in value):
                continue
            return TypeError(f"For '{op}', {name} must be a Tensor, got {describe(value)}.")
    if "object has no attribute '_data'" in message:
        return TypeError(f"For '{op}', a Tensor is needed; got {_listing(arguments)}.")
    return None


def _axis_out_of_range(op: str, arguments: Mapping[str, object], message: str) -> Exception | None:
    if "Dimension out of range" not in message and "out of bounds for" not in message:
        return None
    for name in ("axis", "dim", "axes"):
        if name in arguments:
            data = next(iter(_tensors(arguments).values()), None)
            if data is None:
                return None
            limits = f"[-{data.dim()}, {data.dim()})"
            return ValueError(
                f"For '{op}', {name} must be in {limits}, got {arguments[name]!r} for shape {tuple(data.shape)}."
            )
    return None


def _shapes_do_not_broadcast(op: str, arguments: Mapping[str, object], message: str) -> Exception | None:
    if "must match the size of tensor" not in message and "not broadcastable" not in message:
        return None
    shapes = " and ".join(f"{name}.shape {tuple(data.shape)}" for name, data in _tensors(arguments).items())
    return ValueError(f"For '{op}', {shapes} need to broadcast: each axis must be equal, or 1 in one of them.")


def _wrong_dtype(op: str, arguments: Mapping[str, object], message: str) -> Exception | None:
    patterns = (
        r"not implemented for '",
        r"expected (m1 and m2|scalar type|.* to have the same dtype)",
        r"same dtype",
        r"Input type .* and (weight|bias) type",
        r"can't be cast to the desired output type",
        r"should be the same",
        r"only (supports|Tensors of) floating",
        r"Got: (\w+)$",
        r"not (currently )?supported for (integral|bool)",
        r"Subtraction, the `-` operator",
        r"Negation, the `-` operator",
        r"result type \w+ can't be cast",
        r"Can only calculate the mean of",
        r"is not supported for|does not support",
        r"Promotion for",
    )
    if not any(re.search(pattern, message) for pattern in patterns):
        return None
    kinds = ", ".join(f"{name} {_dtype_name(data)}" for name, data in _tensors(arguments).items())
    return TypeError(f"For '{op}', the dtypes ({kinds}) do not go together: {message}")


def _unsupported_argument(op: str, arguments: Mapping[str, object], message: str) -> Exception | None:
    if (
        "unsupported operand type" in message
        or "must be Tensor, not" in message
        or "received an invalid comb" in message
    ):
        return TypeError(f"Failed calling {op}: the arguments ({_listing(arguments)}) do not fit.")
    return None


def _listing(arguments: Mapping[str, object]) -> str:
    return ", ".join(f"{name}={describe(value)}" for name, value in arguments.items())


CHECKS: tuple[Check, ...] = (
    _not_a_tensor,
    _axis_out_of_range,
    _shapes_do_not_broadcast,
    _wrong_dtype,
    _unsupported_argument,
)
