"""Pairs of a type and a format, which descriptions of kernels are made of.

Follows: mindspore.ops.DataType (2.10).
"""

from collections.abc import Mapping

_FORMATS = {
    "None": ("",),
    "Default": ("DefaultFormat",),
    "5HD": ("NC1HWC0",),
    "FracZ": ("FRACTAL_Z",),
    "FracNZ": ("FRACTAL_NZ",),
    "FracZNLSTM": ("FRACTAL_ZN_LSTM",),
    "FracZNRNN": ("FRACTAL_ZN_RNN",),
    "ND_RNNBIAS": ("ND_RNN_BIAS",),
    "Default_Tuple": ("DefaultFormat", "tuple"),
    "Default_List": ("DefaultFormat", "list"),
}
_EVERY = "None Default 5HD FracZ FracNZ C1HWNCoC0 NCHW NHWC HWCN NDHWC ChannelLast Default_Tuple Default_List"
_WIDER = {
    "I8 U8": "NCDHW NDC1HWC0 NC1HWC0",
    "I32": "NDC1HWC0 NCDHW",
    "F16 F32 BF16": "NCDHW DHWCN NDC1HWC0 FRACTAL_Z_3D FracZNLSTM FracZNRNN ND_RNNBIAS",
}
_TYPES = {
    "BOOL": "bool",
    **{f"{short}{bits}": f"{kind}{bits}" for short, kind in (("I", "int"), ("U", "uint")) for bits in (8, 16, 32, 64)},
    "F16": "float16",
    "F32": "float32",
    "F64": "float64",
    "BF16": "bfloat16",
}


def _pairs() -> Mapping[str, tuple[str, ...]]:
    formats = {short: _EVERY.split() for short in _TYPES}
    for shorts, more in _WIDER.items():
        for short in shorts.split():
            formats[short] = formats[short] + more.split()
    types = {"": "", **_TYPES, "C64": "complex64", "C128": "complex128"}
    formats |= {"": ["None", "Default"], "C64": ["Default", "Default_Tuple"], "C128": ["Default", "Default_Tuple"]}
    return {
        f"{short or 'None'}_{layout}": (types[short], *_FORMATS.get(layout, (layout,)))
        for short, layouts in formats.items()
        for layout in layouts
    }


DataType = type(
    "DataType", (), {"__doc__": "Pairs of type and format, e.g. `F32_Default`.", "__module__": __name__, **_pairs()}
)
