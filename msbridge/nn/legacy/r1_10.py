"""Layers of 1.10."""

from msbridge.core.releases.overrides import Part
from msbridge.nn import transformer
from msbridge.nn.cell.flags import Flags

OVERRIDES = {
    "nn.Cell.to_float": Part(Flags, "to_float", Flags.to_float),  # with the flags, as in 1.0.0 and today
    "nn.Transformer": transformer.Transformer,
    "nn.TransformerDecoder": transformer.TransformerDecoder,
    "nn.TransformerDecoderLayer": transformer.TransformerDecoderLayer,
    "nn.TransformerEncoder": transformer.TransformerEncoder,
    "nn.TransformerEncoderLayer": transformer.TransformerEncoderLayer,
}
