"""Tensors of the checkpoints that the real MindSpore wrote; formulas, so that both sides make the same values."""

KEYS = {"AES-GCM": b"0123456789ABCDEF01234567", "AES-CBC": b"0123456789ABCDEF", "SM4-CBC": b"fedcba9876543210"}
SLICE_KIB = 1

# name, MindSpore's dtype, shape; the elements are counted from one, every third of them negative where there is a sign
DTYPES = [
    ("int8", "int8", (2, 3)),
    ("int16", "int16", (5,)),
    ("int32", "int32", (1, 2, 3)),
    ("int64", "int64", ()),
    ("uint8", "uint8", (4,)),
    ("uint16", "uint16", (4,)),
    ("uint32", "uint32", (2, 1)),
    ("uint64", "uint64", (3,)),
    ("half.weight", "float16", (3, 2)),
    ("brain.weight", "bfloat16", (3, 3)),
    ("single.weight", "float32", (2, 2, 2)),
    ("double.weight", "float64", (2,)),
    ("flag", "bool_", (5,)),
    ("complex64", "complex64", (2,)),
    ("complex128", "complex128", (1,)),
    ("模型.weight", "float32", ()),
]
SMALL = [("fc.weight", "float32", (3, 2)), ("fc.bias", "float32", (3,)), ("step", "int32", (1,))]
LARGE = [("a", "float32", (700,)), ("b", "int16", (512,)), ("c", "float32", (3, 300)), ("d", "float32", (1,))]
APPENDED = {"lr": 0.01, "epoch": 3, "flag": True, "note": "naïve text", "nothing": ""}


def numbers(dtype: str, shape: tuple[int, ...]) -> list:
    """Return the elements of a case as a flat list of numbers."""
    count = 1
    for dim in shape:
        count *= dim
    if dtype == "bool_":
        return [i % 3 != 1 for i in range(count)]
    signed = not dtype.startswith("u")
    found = [-(i + 1) if signed and i % 3 == 2 else i + 1 for i in range(count)]
    if dtype.startswith("int8"):
        return found
    if dtype.startswith("complex"):
        return [complex(x, x / 4) for x in found]
    return [x / 8 for x in found] if "float" in dtype else found
