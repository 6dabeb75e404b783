"""The element types of tensors, and what each format calls them."""

from dataclasses import dataclass

import torch

from msbridge.converters.errors import CheckpointError
from msbridge.core import torch_private

TEXT = "str"  # the type of an entry that is a text, in a .ckpt


@dataclass(frozen=True, slots=True)
class Element:
    """One element type."""

    name: str  # MindSpore's word for it, as it stands in a `.ckpt`
    dtype: torch.dtype  # the torch dtype whose bytes are the same
    code: str | None  # its name in safetensors; None where safetensors has no such type
    numpy: str | None  # its descriptor in a `.npy` header; None where numpy has no such type
    size: int  # bytes of one element


# Int4 (MindSpore's qint4x2) and HiFloat8 take one byte an element, whose meaning is the operator's. numpy writes
# bfloat16 (of the ml_dtypes package) as a two-byte void. Order: as the safetensors library orders a file, widest first.
ELEMENTS = (
    Element("Complex128", torch.complex128, None, "<c16", 16),
    Element("UInt64", torch.uint64, "U64", "<u8", 8),
    Element("Int64", torch.int64, "I64", "<i8", 8),
    Element("Float64", torch.float64, "F64", "<f8", 8),
    Element("Complex64", torch.complex64, "C64", "<c8", 8),
    Element("Float32", torch.float32, "F32", "<f4", 4),
    Element("UInt32", torch.uint32, "U32", "<u4", 4),
    Element("Int32", torch.int32, "I32", "<i4", 4),
    Element("BFloat16", torch.bfloat16, "BF16", "<V2", 2),
    Element("Float16", torch.float16, "F16", "<f2", 2),
    Element("UInt16", torch.uint16, "U16", "<u2", 2),
    Element("Int16", torch.int16, "I16", "<i2", 2),
    Element("Float8E8M0FNU", torch_private.float8_e8m0fnu, "F8_E8M0", None, 1),
    Element("Float8E4M3FN", torch.float8_e4m3fn, "F8_E4M3", None, 1),
    Element("Float8E5M2", torch.float8_e5m2, "F8_E5M2", None, 1),
    Element("Int8", torch.int8, "I8", "|i1", 1),
    Element("UInt8", torch.uint8, "U8", "|u1", 1),
    Element("Bool", torch.bool, "BOOL", "|b1", 1),
    Element("HiFloat8", torch.uint8, None, None, 1),
    Element("Int4", torch.int8, None, None, 1),
)
BY_NAME = {element.name: element for element in ELEMENTS}
BY_CODE = {element.code: element for element in ELEMENTS if element.code}
# Where two share a dtype, the first stays; before torch 2.7 Float8E8M0FNU, too, is kept as bytes.
BY_DTYPE = {element.dtype: element for element in reversed(ELEMENTS)} | {torch.uint8: BY_NAME["UInt8"]}
FLOATS = {  # what users call floating-point types → MindSpore's word
    "float16": "Float16",
    "fp16": "Float16",
    "half": "Float16",
    "bfloat16": "BFloat16",
    "bf16": "BFloat16",
    "float32": "Float32",
    "fp32": "Float32",
    "float64": "Float64",
    "fp64": "Float64",
}
# What MindSpore 2.10 has, and what its load_checkpoint refuses in a file, with all that is beside it.
UNREAD_BY_MINDSPORE = {"Complex128", "Complex64", "Float8E8M0FNU", "Float8E4M3FN", "Float8E5M2", "HiFloat8"}
RANK = {element.name: i for i, element in enumerate(ELEMENTS)}


def floating_type(word: str | None) -> str | None:
    """Return MindSpore's word for the floating-point type that a user's word means; None for None.

    Raises:
        CheckpointError: the word is not known.
    """
    if word is None or word in BY_NAME:
        return word
    if str(word).lower() not in FLOATS:
        raise CheckpointError(f"the dtype must be one of {', '.join(FLOATS)}, got {word!r}.")
    return FLOATS[word.lower()]


def of_dtype(dtype: torch.dtype, name: str) -> Element:
    """Find the element type of a torch dtype, for the tensor called `name`.

    Raises:
        CheckpointError: no format has this dtype.
    """
    try:
        return BY_DTYPE[dtype]
    except KeyError:
        raise CheckpointError(f"{name!r} is of {dtype}, which no checkpoint format has; convert it first.") from None
