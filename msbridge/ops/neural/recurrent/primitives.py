"""Primitives of recurrent networks."""

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.neural.recurrent import kernels
from msbridge.ops.primitive.primitive import REQUIRED, derive


def _refuse(op: str, **settings: tuple[object, object]) -> None:
    """Refuse settings, given as (value, the only one there is).

    Raises:
        ValueError: a value is another one.
    """
    for name, (value, only) in settings.items():
        if value != only:
            raise ValueError(f"For '{op}', msbridge has {name}={only!r} only, got {value!r}.")


def _dynamic_rnn(
    x: Tensor,
    w: Tensor,
    b: Tensor,
    seq_length: Tensor | None = None,
    init_h: Tensor | None = None,
    init_c: Tensor | None = None,
    cell_type: str = "LSTM",
    direction: str = "UNIDIRECTIONAL",
    cell_depth: int = 1,
    use_peephole: bool = False,
    keep_prob: float = 1.0,
    cell_clip: float = -1.0,
    num_proj: int = 0,
    time_major: bool = True,
    activation: str = "tanh",
    forget_bias: float = 0.0,
    is_training: bool = True,
) -> tuple[Tensor, ...]:
    """Run an LSTM over a sequence: (y, h, c, i, j, f, o, tanh(c)) of every step."""
    _refuse(
        "DynamicRNN",
        seq_length=(seq_length, None),
        cell_type=(cell_type, "LSTM"),
        direction=(direction, "UNIDIRECTIONAL"),
        cell_depth=(cell_depth, 1),
        use_peephole=(use_peephole, False),
        keep_prob=(keep_prob, 1.0),
        cell_clip=(cell_clip, -1.0),
        num_proj=(num_proj, 0),
        time_major=(time_major, True),
        activation=(activation, "tanh"),
    )
    return kernels.run_lstm(x, w, b, init_h, init_c, forget_bias)


def _dynamic_gru(
    x: Tensor,
    weight_input: Tensor,
    weight_hidden: Tensor,
    bias_input: Tensor | None = None,
    bias_hidden: Tensor | None = None,
    seq_length: Tensor | None = None,
    init_h: Tensor | None = None,
    direction: str = "UNIDIRECTIONAL",
    cell_depth: int = 1,
    keep_prob: float = 1.0,
    cell_clip: float = -1.0,
    num_proj: int = 0,
    time_major: bool = True,
    activation: str = "tanh",
    gate_order: str = "rzh",
    reset_after: bool = True,
    is_training: bool = True,
) -> tuple[Tensor, ...]:
    """Run a GRU over a sequence: (y, h, update, reset, new, hidden part of new) of every step."""
    _refuse(
        "DynamicGRUV2",
        seq_length=(seq_length, None),
        direction=(direction, "UNIDIRECTIONAL"),
        cell_depth=(cell_depth, 1),
        keep_prob=(keep_prob, 1.0),
        cell_clip=(cell_clip, -1.0),
        num_proj=(num_proj, 0),
        time_major=(time_major, True),
        activation=(activation, "tanh"),
        reset_after=(reset_after, True),
    )
    parameters = (weight_input, weight_hidden, bias_input, bias_hidden)
    return kernels.run_gru(x, *parameters, init_h, gate_order)


def _lstm(
    input: Tensor,
    h: Tensor,
    c: Tensor,
    w: Tensor,
    input_size: int = 1,
    hidden_size: int = 1,
    num_layers: int = 1,
    has_bias: bool = True,
    bidirectional: bool = False,
    dropout: float = 0.0,
    proj_size: int = 0,
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Run layers of an LSTM: (outputs, h, c, and twice what MindSpore's backward pass keeps, here the state)."""
    _refuse("LSTM", dropout=(dropout, 0.0), proj_size=(proj_size, 0))
    settings = (hidden_size, num_layers, has_bias, bidirectional)
    output, hidden, memory = kernels.run_packed_lstm(input, h, c, w, *settings)
    return output, hidden, memory, hidden, memory


DERIVED = (
    derive(
        "DynamicGRUV2",
        _dynamic_gru,
        "direction cell_depth keep_prob cell_clip num_proj time_major activation gate_order reset_after is_training",
    ),
    derive(
        "DynamicRNN",
        _dynamic_rnn,
        "cell_type direction cell_depth use_peephole keep_prob cell_clip num_proj time_major activation forget_bias "
        "is_training",
    ),
    derive(
        "LSTM",
        _lstm,
        "input_size hidden_size num_layers has_bias bidirectional dropout proj_size",
        input_size=REQUIRED,
        hidden_size=REQUIRED,
        num_layers=REQUIRED,
        has_bias=REQUIRED,
        bidirectional=REQUIRED,
        dropout=REQUIRED,
    ),
)
