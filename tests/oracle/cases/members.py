"""What layers, losses, optimizers and training steps have besides what they compute with: operators and settings."""

import numpy as np
from mindspore import Parameter, Tensor, nn

from tests.oracle.case import each, rand
from tests.oracle.cases._fixed import fixed


def seen(owner: object, names: str) -> dict[str, object]:
    """The class of each operator, Cell or function, the dtype and value of each Tensor, and plain values."""
    return {name: shown(getattr(owner, name)) for name in names.split()}


def shown(value: object) -> object:
    if isinstance(value, Parameter):
        return value.name
    if isinstance(value, Tensor):
        return value.dtype, value
    if isinstance(value, tuple | list):
        return [shown(one) for one in value]
    is_plain = value is None or isinstance(value, bool | int | float | str)
    return value if is_plain else getattr(value, "__name__", type(value).__name__)


def weights(count: int = 1) -> list[Parameter]:
    return [Parameter(Tensor(np.ones(2, np.float32)), name=f"w{index}") for index in range(count)]


def groups() -> list[dict]:
    first, second = weights(2)
    return [{"params": [first], "weight_decay": 0.01, "grad_centralization": True}, {"params": [second]}]


def conv1d(x: Tensor) -> tuple:
    one = fixed(nn.Conv1d(2, 3, 3, has_bias=True))
    result = one.bias_add(one.conv2d(one.expand_dims(x, 2), one.weight), one.bias)
    return one.squeeze(result), one(x), one.shape(result)


def conv3d(x: Tensor) -> tuple:
    one = fixed(nn.Conv3d(2, 3, 2, has_bias=True))
    return one.bias_add(one.conv3d(x, one.weight), one.bias), one(x)


def conv2d_transpose(x: Tensor) -> tuple:
    one = fixed(nn.Conv2dTranspose(2, 3, 3, stride=2))
    return one.conv2d_transpose(x, one.weight, (1, 3, 10, 12)), one(x)


def embedding(ids: Tensor) -> Tensor:
    one = fixed(nn.Embedding(5, 3))
    flat = one.reshape_flat(ids, one.shp_flat)
    rows = one.array_mul(one.one_hot(flat, one.vocab_size, one.on_value, one.off_value), one.embedding_table)
    return one.reshape(rows, (*one.get_shp(ids), one.embedding_size))


def updated(x: Tensor) -> Parameter:
    one = nn.Momentum(weights(), 0.1, 0.9)
    one.opt(one.params[0], one.moments[0], one.get_lr(), x, one.momentum)
    return one.params[0]


CASES = [
    *each(
        """
        seen(nn.Conv1d(2, 3, 3), 'conv2d bias_add expand_dims squeeze shape')
        seen(nn.Conv2d(2, 3, 3, dilation=2), 'conv2d bias_add _dilation')
        seen(nn.Conv3d(2, 3, 3), 'conv3d bias_add concat split_0 split_1 shape')
        seen(nn.Conv1dTranspose(2, 3, 3), 'conv2d_transpose bias_add expand_dims squeeze shape is_pad is_same is_valid')
        seen(nn.Conv2dTranspose(2, 3, 3), 'conv2d_transpose bias_add shape is_pad is_same is_valid padding_top')
        seen(nn.Conv2dTranspose(2, 3, 3, pad_mode='pad', padding=(1, 2, 0, 1)), 'padding_top padding_bottom is_pad')
        seen(nn.Conv2dTranspose(2, 3, 3, pad_mode='pad', padding=(1, 2, 0, 1)), 'padding_left padding_right')
        seen(nn.Conv3dTranspose(2, 3, 3), 'conv3d_transpose bias_add shape')
        seen(nn.BatchNorm2d(3), 'bn_train bn_infer reshape shape square sqrt cast dtype reduce_mean assign_sub_mean')
        seen(nn.BatchNorm1d(3), 'mul_mean sub_var gamma_init beta_init moving_mean_init moving_var_init parallel_mode')
        seen(nn.InstanceNorm2d(3), 'instance_bn shape')
        seen(nn.MaxPool1d(2), 'max_pool expand squeeze shape reduce_mean use_pad')
        seen(nn.AvgPool1d(2), 'avg_pool expand squeeze shape reduce_mean slice is_expand_3d')
        seen(nn.LPPool1d(2, 3), 'norm_type kernel_size stride ceil_mode')
        seen(nn.MaxUnpool2d(2), 'kernel_size stride padding')
        seen(nn.AdaptiveAvgPool2d(2), 'adaptive_avgpool2d')
        seen(nn.AdaptiveMaxPool1d(2), 'expand squeeze shape dtype')
        seen(nn.Embedding(5, 3), 'array_mul concat expand get_shp off_value on_value one_hot reshape_flat shp_flat')
        seen(nn.EmbeddingLookup(5, 3), 'forward_unique gather_revert gatherv2 reshape_first shape unique')
        seen(nn.LSTM(3, 4, 2, bidirectional=True), 'w_ih_list w_hh_list b_ih_list b_hh_list reverse reverse_sequence')
        seen(nn.GLU(), 'dim sigmoid spilt'), seen(nn.PReLU(), 'prelu'), seen(nn.LogSigmoid(), 'add exp log mul rec')
        seen(nn.Upsample(size=(4, 4)), 'size scale_factor mode align_corners recompute_scale_factor')
        seen(nn.TransformerEncoderLayer(4, 2), 'nhead activation1 layernorm_eps batch_first d_model dropout_num')
        seen(nn.FocalLoss(), 'expand_dims gather_d squeeze tile reduce_mean mul cast')
        seen(nn.SoftmaxCrossEntropyWithLogits(), 'is_cpugpu on_value off_value one_hot softmax_cross_entropy')
        seen(nn.Momentum(weights(), 0.1, 0.9), 'opt hyper_map hyper_map_reverse map_ map_reverse dynamic_decay_flags')
        seen(nn.Adam(weights()), 'opt sparse_opt use_lazy use_locking use_offload use_amsgrad beta1_power')
        seen(nn.Adam(weights(), use_amsgrad=True), 'opt'), seen(nn.RMSProp(weights(), centered=True), 'opt')
        seen(nn.SGD(weights(2)), 'opt nesterov dampening is_group_params_ordered')
        seen(nn.FTRL(weights()), 'opt sparse_opt lr use_locking'), seen(nn.Rprop(weights()), 'etaminus step_size_max')
        seen(nn.AdamWeightDecay(groups()), 'fused_opt group_params group_weight_decay grad_centralization_flags')
        seen(nn.CosineDecayLR(0.01, 0.1, 4), 'cos delta math_pi min'), seen(nn.WarmUpLR(0.1, 2), 'min')
        seen(nn.DynamicLossScaleUpdateCell(8.0, 2, 4), 'const_true less_equal logic_or minimum_loss_scale select max')
        embedding(Tensor([[1, 2], [4, 0]]))
        updated(x[:2])
    """,
        x=rand(4),
    ),
    *each("conv1d(x)", x=rand(2, 2, 6)),
    *each("conv3d(x)", x=rand(1, 2, 3, 4, 4)),
    *each("conv2d_transpose(x)", x=rand(1, 2, 5, 6)),
]
