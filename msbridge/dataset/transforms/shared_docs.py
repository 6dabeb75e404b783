"""Shared docstring sections of transforms, for `core/runtime/shared_sections.py`."""

from msbridge.core.runtime.shared_sections import Families

FAMILIES: Families = {
    "audio filter": {
        "Inputs": "waveform: an ndarray of shape (..., time), Float32 or Float64, with values in [-1, 1].",
        "Outputs": "An ndarray of the same shape and dtype.",
    },
    "color transform": {
        "Inputs": "image: an ndarray (H, W, C) of uint8; PIL images and floats, where the transform has them.",
        "Outputs": "An image of the same shape and dtype.",
    },
    "geometric transform": {
        "Inputs": "image: an ndarray (H, W) or (H, W, C); PIL images, where the transform has them.",
        "Outputs": "An image of the same dtype, with the same channels.",
    },
}
