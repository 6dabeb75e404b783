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
    """Run an LSTM over a sequence: (y, h, c, i, j, f, o, tanh(c)) of every step.

    Args:
        x: shape (T, N, I); Float16.
        w: shape (I + H, 4·H).
        b: shape (4·H,).
        seq_length: None.
        init_h: shape (1, N, H); None for zeros.
        init_c: likewise.
        cell_type: "LSTM".
        direction: "UNIDIRECTIONAL".
        cell_depth: 1.
        use_peephole: False.
        keep_prob: 1.
        cell_clip: -1.
        num_proj: 0.
        time_major: True.
        activation: "tanh".
        forget_bias: added to the forget gate.
        is_training: without effect.

    Returns:
        Eight Tensors of shape (T, N, H).
    """
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
    """Run a GRU over a sequence: (y, h, update, reset, new, hidden part of new) of every step.

    Args:
        x: shape (T, N, I); Float16.
        weight_input: shape (I, 3·H).
        weight_hidden: shape (H, 3·H).
        bias_input: shape (3·H,); None for zeros.
        bias_hidden: likewise.
        seq_length: None.
        init_h: shape (N, H); None for zeros.
        direction: "UNIDIRECTIONAL".
        cell_depth: 1.
        keep_prob: 1.
        cell_clip: -1.
        num_proj: 0.
        time_major: True.
        activation: "tanh".
        gate_order: "rzh" or "zrh": how the weights lie side by side.
        reset_after: True.
        is_training: without effect.

    Returns:
        Six Tensors of shape (T, N, H).
    """
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
    """Run layers of an LSTM: (outputs, h, c, and twice what MindSpore's backward pass keeps, here the state).

    Args:
        input: shape (T, N, I).
        h: shape (layers·directions, N, H).
        c: likewise.
        w: all weights and biases in one, (size, 1, 1).
        input_size: I.
        hidden_size: H.
        num_layers: how many.
        has_bias: whether `w` has biases.
        bidirectional: whether a second direction runs from the end.
        dropout: 0.
        proj_size: 0.

    Returns:
        Outputs (T, N, directions·H), and four Tensors of the shape of `h`.
    """
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
