"""Every layer with parameters under every way of mixed precision, in both modes: types and values, gradients too."""

from tests.oracle.case import Case
from tests.oracle.cases._precise import WAYS, i, precise, x  # noqa: F401  used by the expressions

LAYERS = """
nn.Dense(3, 2) | x(4, 3)
nn.Dense(3, 2, has_bias=False) | x(4, 3)
nn.Dense(3, 2, activation='relu') | x(2, 4, 3)
nn.BiDense(3, 2, 2) | x(4, 3), x(4, 2)
nn.Conv1d(2, 3, 2) | x(1, 2, 5)
nn.Conv2d(2, 3, 2) | x(1, 2, 4, 4)
nn.Conv2d(2, 3, 2, has_bias=True, pad_mode='valid') | x(1, 2, 4, 4)
nn.Conv3d(1, 2, 2) | x(1, 1, 3, 3, 3)
nn.Conv1dTranspose(2, 3, 2) | x(1, 2, 5)
nn.Conv2dTranspose(2, 3, 2) | x(1, 2, 4, 4)
nn.Conv2dTranspose(2, 3, 2, has_bias=True) | x(1, 2, 4, 4)
nn.Conv3dTranspose(1, 2, 2) | x(1, 1, 3, 3, 3)
nn.Embedding(5, 3) | i(1, 4, 0)
nn.Embedding(5, 3, use_one_hot=True) | i(1, 4, 0)
nn.BatchNorm1d(3) | x(4, 3)
nn.BatchNorm2d(2) | x(2, 2, 3, 3)
nn.BatchNorm3d(2) | x(2, 2, 2, 2, 2)
nn.LayerNorm((3,)) | x(4, 3)
nn.GroupNorm(2, 4) | x(1, 4, 3, 3)
nn.PReLU() | x(2, 3)
nn.PReLU(3) | x(2, 3)
nn.LSTM(2, 3) | x(4, 2, 2)
nn.LSTM(2, 3, bidirectional=True, batch_first=True) | x(2, 4, 2)
nn.GRU(2, 3) | x(4, 2, 2)
nn.RNN(2, 3) | x(4, 2, 2)
nn.LSTMCell(2, 3) | x(4, 2), (x(4, 3), x(4, 3))
nn.GRUCell(2, 3) | x(4, 2), x(4, 3)
nn.RNNCell(2, 3) | x(4, 2), x(4, 3)
nn.MultiheadAttention(4, 2) | x(3, 2, 4), x(3, 2, 4), x(3, 2, 4)
nn.MultiheadAttention(4, 2, batch_first=True) | x(2, 3, 4), x(2, 3, 4), x(2, 3, 4)
nn.TransformerEncoderLayer(4, 2, 8, 0.0) | x(3, 2, 4)
nn.TransformerDecoderLayer(4, 2, 8, 0.0) | x(3, 2, 4), x(2, 2, 4)
nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8, 0.0), 2) | x(3, 2, 4)
nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 8, 0.0), 2) | x(3, 2, 4), x(2, 2, 4)
nn.Transformer(4, 2, 1, 1, 8, 0.0) | x(3, 2, 4), x(2, 2, 4)
nn.SequentialCell(nn.Dense(3, 2), nn.ReLU(), nn.LayerNorm((2,))) | x(4, 3)
nn.SequentialCell(nn.Conv2d(2, 3, 2), nn.BatchNorm2d(3), nn.ReLU(), nn.Flatten(), nn.Dense(48, 2)) | x(1, 2, 4, 4)
mint.nn.Linear(3, 2) | x(4, 3)
mint.nn.GroupNorm(2, 4) | x(1, 4, 3, 3)
mint.nn.PReLU() | x(2, 3)
nn.ReLU() | x(2, 3)
nn.Softmax() | x(2, 3)
nn.GELU() | x(2, 3)
nn.Sigmoid() | x(2, 3)
nn.AvgPool2d(2) | x(1, 2, 4, 4)
nn.MaxPool2d(2) | x(1, 2, 4, 4)
nn.MSELoss() | x(2, 3), x(2, 3)
nn.L1Loss() | x(2, 3), x(2, 3)
nn.SmoothL1Loss() | x(2, 3), x(2, 3)
nn.BCEWithLogitsLoss() | x(2, 3), x(2, 3)
nn.CrossEntropyLoss() | x(2, 3), i(1, 2)
nn.SoftmaxCrossEntropyWithLogits(True) | x(2, 3), i(1, 2)
nn.SoftmaxCrossEntropyWithLogits() | x(2, 3), x(2, 3)
nn.CosineEmbeddingLoss() | x(2, 3), x(2, 3), i(1, -1)
nn.KLDivLoss() | x(2, 3), x(2, 3)
"""
# What the CPU build of 2.10 cannot do, of bfloat16 all: (way, mode) by the beginning of a row.
_IN_GRAPHS = frozenset({("O2", 0), ("O3", 0), ("float16", 0)})
REFUSED = {
    "nn.BiDense": _IN_GRAPHS,
    "nn.GRUCell": _IN_GRAPHS,
    "nn.RNNCell": _IN_GRAPHS,
    "mint.nn.GroupNorm": _IN_GRAPHS,
    "nn.LSTMCell": _IN_GRAPHS | {("O1", 0), ("O1", 1)},
    "nn.MultiheadAttention": frozenset({("O1", 0)}),
}
OPEN = {  # docs/divergences.md
    ("nn.SequentialCell(nn.Conv2d", "O1", 1): "set_train does not reach the BatchNorm of a rewritten network there",
    ("nn.SequentialCell(nn.Conv2d", "O1", 0): "set_train does not reach the BatchNorm of a rewritten network there",
    ("nn.LSTM(", "O2", 1): "the gradient of LSTM in Float16 is zero there",
    ("nn.LSTM(", "O3", 1): "the gradient of LSTM in Float16 is zero there",
    ("nn.LSTM(", "float16", 1): "the gradient of LSTM in Float16 is zero there",
}


def why_open(layer: str, way: str, mode: int) -> str:
    return next((why for (start, *rest), why in OPEN.items() if layer.startswith(start) and rest == [way, mode]), "")


def is_refused(layer: str, way: str, mode: int) -> bool:
    return any(layer.startswith(start) and (way, mode) in ways for start, ways in REFUSED.items())


CASES = [
    Case(f"precise({layer}, '{way}', {mode}, {inputs})", tolerance=5e-2, xfail=why_open(layer, way, mode))
    for layer, inputs in (line.split(" | ") for line in LAYERS.strip().splitlines())
    for way in WAYS
    for mode in (1, 0)
    if not is_refused(layer, way, mode)
]
