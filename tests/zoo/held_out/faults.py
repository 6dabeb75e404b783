"""Faults of migration that people make, each in one network: where it is, and words of which one must name it.

Written before any of them was compared, and without a look at how causes are found; some expectations turned out to be
wrong and were corrected. A place is the name of a layer,
"after LAYER" for an operator behind it, "before LAYER" for what a layer gets, or "at the beginning". Several are given
where two names are one place (what is computed after one layer reaches the next), or where the fault is at several.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import torch

import msbridge as ms
from tests.zoo.held_out.attention import (
    bert_inputs,
    encoder,
    gpt,
    llama,
    mixer,
    pixel_attention,
    sinusoid,
    vit,
)
from tests.zoo.held_out.images import (
    clip3d,
    convnext,
    densenet,
    detector,
    discriminator,
    generator,
    inception,
    lenet,
    mobilenet,
    pyramid,
    resnet,
    resnext,
    shufflenet,
    spatial_attention,
    spatial_transformer,
    squeeze_excite,
    style_transfer,
    super_resolution,
    unet,
)
from tests.zoo.held_out.mixed import (
    auto_encoder,
    duel,
    factorisation,
    graph,
    highway,
    metric_head,
    points,
    recommender,
    siamese,
    vae,
)
from tests.zoo.held_out.mixed import (
    field as radiance_field,
)
from tests.zoo.held_out.sequences import (
    captioner,
    conv_lstm,
    crnn,
    keyword_spotter,
    sentiment,
    tagger,
    temporal,
    text_cnn,
    translator,
    wavenet,
)

IMAGES = [
    lenet,
    resnet,
    resnext,
    mobilenet,
    squeeze_excite,
    spatial_attention,
    unet,
    pyramid,
    super_resolution,
    generator,
    discriminator,
    style_transfer,
    detector,
    inception,
    densenet,
    shufflenet,
    clip3d,
    spatial_transformer,
    convnext,
]
SEQUENCES = [
    tagger,
    sentiment,
    translator,
    text_cnn,
    wavenet,
    crnn,
    keyword_spotter,
    captioner,
    conv_lstm,
    temporal,
]
ATTENTION = [encoder, gpt, vit, mixer, llama, bert_inputs, pixel_attention, sinusoid]
MIXED = [
    vae,
    siamese,
    recommender,
    factorisation,
    auto_encoder,
    duel,
    points,
    graph,
    highway,
    radiance_field,
    metric_head,
]
FAMILIES = IMAGES + SEQUENCES + ATTENTION + MIXED

Weights = dict[str, torch.Tensor]


@dataclass(frozen=True)
class Fault:
    """A fault of a migration, and what must be said of it.

    Attributes:
        family: the builder of the network.
        name: what the builder is told, or "" where the Cell is right and its weights are not.
        places: where it may be said to be; see the top of the file.
        causes: regular expressions, of which one must be found in the cause.
        label: what happens to the weights, in a word.
        damage: changes the Cell's weights, given by name; they are then taken as they are.
        options: further arguments of the comparison.
    """

    family: Callable
    name: str
    places: tuple[str, ...]
    causes: tuple[str, ...]
    label: str = ""
    damage: Callable[[Weights], Weights] | None = None
    options: Mapping[str, object] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The network and its fault."""
        return f"{self.family.__name__}: {self.name or self.label}"


def weights(family: Callable, label: str, damage: Callable[[Weights], Weights], place: str, *causes: str) -> Fault:
    """Return a fault that is in the weights of a Cell only."""
    return Fault(family, "", tuple(place.split(", ")), causes, label, damage)


def fault(family: Callable, name: str, place: str, *causes: str, **options: object) -> Fault:
    """Return a fault that is in what the Cell computes; `place` has its places between commas."""
    return Fault(family, name, tuple(place.split(", ")), causes, options=options)


ORDER = ("order", "swap", "exchang", "permut", "transpos", "axes", "layout", "revers")
ABSENT = ("missing", "omitted", "left out", "absent", "not called", "unused", "nothing", "no such")
WIRING = (*ORDER, "wiring", "instead of that of", "it gets")
FACTOR = ("scale", "scaling", "factor", "constant", "times", "multipl", r"\bmul\b", r"\bdiv\b")

ATTENDING = r"after layers.\d.k, after layers.\d.q, after layers.\d.v, before layers.\d.o"
IN_CODE = [
    fault(lenet, "padding", "conv1", "pad"),
    fault(lenet, "flatten order", "after conv2, before fc1", *ORDER),
    fault(resnet, "eps", "layer2.0.bn1", r"\beps"),
    fault(
        resnet,
        "no residual",
        "after layer2.1.bn2, before layer2.1.relu, in layer2.1",
        *ABSENT,
        "residual",
        r"\badd\b",
        "skip",
    ),
    fault(
        resnet,
        "relu before the sum",
        "after layer2.1.bn2, before layer2.1.relu, in layer2.1, layer2.1.relu, after layer2.1.relu",
        *ORDER,
        "relu",
        "activation",
        "before",
    ),
    fault(resnext, "stride", "conv1", "stride"),
    fault(resnext, "same", "conv2", "pad"),
    fault(mobilenet, "relu", "act", "relu6", "activation", "other layer", "kind"),
    fault(mobilenet, "activation before norm", "bn2, before bn2, after depthwise, act, before act", *ORDER, "before"),
    fault(squeeze_excite, "hard sigmoid", "after up", "sigmoid", "activation"),
    fault(squeeze_excite, "max", "pool, after conv, before down", "max", "pool", "mean"),
    fault(spatial_attention, "order", "before conv, after stem", *ORDER),
    fault(unet, "ceil mode", "pool", "ceil"),
    fault(unet, "align corners", "up", "align"),
    fault(unet, "skip order", "before join, after reduce", *ORDER),
    fault(pyramid, "dilation", "branches.1.0", "dilat"),
    fault(pyramid, "dropout", "dropout, before project, after dropout", "dropout", "random", "training"),
    fault(super_resolution, "pad mode", "head, pad, before head", "reflect", "mode"),
    fault(super_resolution, "slope", "act", "slope", "alpha"),
    fault(super_resolution, "depth to space", "shuffle, after tail", *ORDER, "shuffle"),
    fault(generator, "same", "main.6", "pad"),
    fault(generator, "output padding", "main.6", "pad"),
    fault(generator, "no tanh", "main.7", *ABSENT, "tanh", "activation"),
    fault(discriminator, "slope", "model.1", "slope", "alpha"),
    fault(discriminator, "batch norm", "model.3", "batch ?norm", "instance ?norm", "statistics", "other layer"),
    fault(style_transfer, "symmetric", "pad", "pad", "symmetric", "reflect"),
    fault(style_transfer, "bilinear", "before conv3, after in2", "bilinear", "nearest", "interpol", "mode"),
    fault(detector, "no permute", "after cls", *ABSENT, *ORDER),
    fault(detector, "swapped", "lateral1, lateral2, before lateral1, before lateral2", *WIRING, "input", "other"),
    fault(inception, "count pad", "pool", "count_include_pad", "count"),
    fault(inception, "branch order", "before last, after one, after three, after tall, after pooled", *ORDER),
    fault(inception, "softmax", "after last", "softmax", "activation"),
    fault(densenet, "max pool", "pool", "max", "avg", "other layer"),
    fault(densenet, "no relu", "after norm2, before conv2", *ABSENT, "relu", "activation"),
    fault(shufflenet, "groups", "gn", "group"),
    fault(shufflenet, "silu", "after gn", "silu", "swish", "activation"),
    fault(shufflenet, "shuffle", "after gn, before conv2", *ORDER, "shape", "shuffle"),
    fault(clip3d, "no bias", "conv1", "bias"),
    fault(spatial_transformer, "grid sample corners", "after localise, before conv", "align"),
    fault(convnext, "eps", "norm", r"\beps"),
    fault(convnext, "tanh", "act", "tanh", "approximat", "gelu"),
    fault(tagger, "softmax axis", "after hidden2tag", "axis", "dim"),
    fault(sentiment, "first step", "after gru, before norm", "step", "index", "slice", "item", "select"),
    fault(sentiment, "batch first", "gru, before gru, after embed", "batch_first", "axis", *ORDER, *ABSENT),
    fault(translator, "softmax axis", "after decoder, softmax, before combine", "axis", "dim"),
    fault(translator, "no state", "decoder, before decoder", "state", "input", "argument", *ABSENT),
    fault(translator, "order", "before combine, after decoder", *ORDER),
    fault(text_cnn, "default padding", "convs.0", "pad"),
    fault(text_cnn, "mean", "after convs.0", "mean", "max"),
    fault(wavenet, "pads the end", "after start, before filters.0, before gates.0", "pad"),
    fault(
        wavenet,
        "gates swapped",
        "after filters.0, after gates.0, before skips.0",
        *WIRING,
        "tanh",
        "sigmoid",
        "activation",
    ),
    fault(crnn, "height first", "after pool, before rnn", *ORDER),
    fault(keyword_spotter, "count pad", "pool", "count"),
    fault(keyword_spotter, "selu", "elu", "selu", "activation", "other layer"),
    fault(keyword_spotter, "momentum", "bn1", "momentum", train_steps=2),
    fault(captioner, "no tanh", "after start, before cell", *ABSENT, "tanh", "activation"),
    fault(captioner, "cell state", "cell, before cell", "wiring", "input", "state", "argument"),
    fault(conv_lstm, "gate order", "after conv", *WIRING, "tanh", "sigmoid", "activation"),
    fault(temporal, "chomps the start", "after conv1, before conv2", "slice", "index", "item", "cut", "start", "pad"),
    fault(encoder, "scale", ATTENDING, *FACTOR),
    fault(
        encoder,
        "heads",
        ATTENDING,
        *ORDER,
        *ABSENT,
        "shape",
        "head",
    ),
    fault(
        encoder,
        "mask sign",
        ATTENDING,
        "mask",
        r"\beq\b",
    ),
    fault(
        encoder,
        "pre-norm",
        r"layers.\d.norm1, before layers.\d.norm1, before layers.\d.ff1, "
        r"after layers.\d.o, after layers.\d.norm1, after layers.\d.ff2",
        *ORDER,
        "norm",
        "residual",
    ),
    fault(encoder, "relu", r"after layers.\d.ff1", "relu", "gelu", "activation"),
    fault(gpt, "looks ahead", "after qkv, before proj", "mask", "constant"),
    fault(gpt, "exact gelu", "after fc, act", "approximat", "tanh", "gelu"),
    fault(gpt, "no scale", "after qkv, before proj", *FACTOR, *ABSENT),
    fault(gpt, "positions from one", "wpe, before wpe", "input", "index", "indices", "position", "constant", "shift"),
    fault(gpt, "qkv order", "after qkv, before proj", *ORDER),
    fault(gpt, "no second norm", "ln_2", *ABSENT),
    fault(vit, "tanh", "mlp.1", "tanh", "approximat", "gelu"),
    fault(vit, "heads", "attn", "head"),
    fault(vit, "token last", "before norm1, after patch", *ORDER),
    fault(vit, "no positions", "before norm1, after patch", *ABSENT, "pos_embed", r"\badd\b"),
    fault(vit, "mean pool", "before head, after mlp.2, after mlp", "mean", "item", "index", "select"),
    fault(mixer, "default eps", "norm2", r"\beps"),
    fault(mixer, "no transpose", "after norm1, before token1", *ABSENT, *ORDER),
    fault(mixer, "no residual", "after token2, before norm2", *ABSENT, r"\badd\b", "residual"),
    fault(llama, "eps", "post_norm, in post_norm, before gate_proj, after o_proj", r"\beps", *FACTOR, "add"),
    fault(llama, "tiled keys", "after k_proj, after q_proj, after v_proj, before o_proj", "repeat", "tile", *ORDER),
    fault(
        llama,
        "rotary sign",
        "after q_proj, after k_proj, before k_proj, before v_proj, before o_proj",
        "sign",
        "negated",
        "minus",
        "times -1",
    ),
    fault(
        llama,
        "silu on up",
        "after gate_proj, after up_proj, before down_proj",
        *WIRING,
        "input",
    ),
    fault(bert_inputs, "no types", "token_type, before norm, after position, after word, after token_type", *ABSENT),
    fault(pixel_attention, "no transpose", "after value, after key, after query", *ABSENT, *ORDER),
    fault(pixel_attention, "no gamma", "after value, at the end", *ABSENT, *FACTOR, "gamma"),
    fault(sinusoid, "halves", "after embedding, before encoder(.self_attn)?", "constant", "table", "buffer", *ORDER),
    fault(
        sinusoid,
        "norm first",
        r"encoder(\..+)?, before encoder\..+, after encoder\..+, in encoder",
        "norm_first",
        *ORDER,
        "norm",
    ),
    fault(sinusoid, "no scale", "after embedding, before encoder(.self_attn)?", *FACTOR, *ABSENT),
    fault(vae, "swapped heads", "after mu, after logvar, mu, logvar", *WIRING),
    fault(vae, "variance", "after logvar, before decode", *FACTOR, *ABSENT),
    fault(vae, "no activation", "after decode, before out", *ABSENT, "relu", "activation"),
    fault(siamese, "squared", "after fc, before out", "square", "abs", "pow"),
    fault(siamese, "second way", "after bn, before fc", *ABSENT, "relu", "activation"),
    fault(recommender, "sum", "after item, after user", r"\badd\b", r"\bsum\b", r"\bmul\b", "product"),
    fault(
        recommender,
        "ids swapped",
        "user_mlp, item_mlp, before user_mlp, before item_mlp",
        *ORDER,
        "input",
    ),
    fault(factorisation, "no half", "after factors", *FACTOR, *ABSENT),
    fault(factorisation, "no bias", "after deep, after deep.3, after linear", *ABSENT, "bias", r"\badd\b"),
    fault(auto_encoder, "relu", "encoder.1", "relu", "softplus", "activation", "other layer"),
    fault(
        auto_encoder,
        "half precision",
        r"after encoder(\.\d)?, encoder\.\d, before decoder.0",
        "precision",
        "dtype",
        "float16",
        "half",
        "cast",
    ),
    fault(duel, "mean axis", "after advantage, after value", "axis", "dim"),
    fault(duel, "no scaling", "before conv, at the beginning", *FACTOR, "255"),
    fault(points, "norm after relu", "bn1, before bn1, after conv1, after bn1", *ORDER, "before"),
    fault(points, "min", "after conv2, before fc", r"\bmin", r"\bmax"),
    fault(graph, "transposed", "after lin1, before lin1, at the beginning", *ORDER),
    fault(graph, "not normalised", "after lin1, before lin1, at the beginning", *ABSENT, *FACTOR, "norm", "input"),
    fault(highway, "carry", "after transforms.0, after gates.0", *WIRING),
    fault(radiance_field, "cosine first", "before first, at the beginning", *ORDER),
    fault(radiance_field, "relu density", "after density", "softplus", "relu", "activation"),
    fault(metric_head, "slope", "after dense", "slope", "alpha"),
    fault(metric_head, "normalised axis", "after bn2", "axis", "dim"),
    fault(metric_head, "centres not normalised", "after bn2", *ABSENT, "norm", r"\bdiv\b"),
]


def changed(name: str, change: Callable[[torch.Tensor], torch.Tensor]) -> Callable[[Weights], Weights]:
    """Return a damage that changes one weight."""
    return lambda tensors: {name: change(tensors[name])}


def blocks(*order: int) -> Callable[[torch.Tensor], torch.Tensor]:
    """Return a change that puts equal blocks of rows into another order."""

    def change(tensor: torch.Tensor) -> torch.Tensor:
        parts = tensor.chunk(len(order))
        return torch.cat([parts[index] for index in order])

    return change


def every(prefix: str, change: Callable[[torch.Tensor], torch.Tensor]) -> Callable[[Weights], Weights]:
    """Return a damage that changes all weights whose names begin so."""
    return lambda tensors: {name: change(tensor) for name, tensor in tensors.items() if name.startswith(prefix)}


def exchanged(first: str, second: str) -> Callable[[Weights], Weights]:
    """Return a damage that exchanges two weights."""
    return lambda tensors: {first: tensors[second], second: tensors[first]}


SWAPPED = (*ORDER, "other", "belongs")
IN_WEIGHTS = [
    weights(
        resnet,
        "statistics not loaded",
        lambda tensors: {
            "layer1.0.bn2.moving_mean": torch.zeros_like(tensors["layer1.0.bn2.moving_mean"]),
            "layer1.0.bn2.moving_variance": torch.ones_like(tensors["layer1.0.bn2.moving_variance"]),
        },
        "layer1.0.bn2",
        "moving",
        "running",
        "statistic",
    ),
    weights(tagger, "gate order of the LSTM", every("lstm.", blocks(0, 2, 1, 3)), "lstm", "gate", *ORDER),
    weights(sentiment, "gate order of the GRU", every("gru.", blocks(1, 0, 2)), "gru", "gate", *ORDER),
    weights(bert_inputs, "transposed", changed("dense.weight", lambda weight: weight.T), "dense", "transpos"),
    weights(vit, "key before query", every("attn.in_proj", blocks(1, 0, 2)), "attn", *ORDER, "in_proj"),
    weights(detector, "heads exchanged", exchanged("cls.weight", "box.weight"), "cls, box", *SWAPPED),
    weights(discriminator, "bias not loaded", changed("model.0.bias", torch.zeros_like), "model.0", "bias"),
    weights(
        style_transfer,
        "kernel transposed",
        changed("conv2.weight", lambda weight: weight.transpose(2, 3)),
        "conv2",
        "transpos",
        "axes",
        "permut",
        "order",
    ),
    weights(
        gpt,
        "float16",
        changed("head.weight", lambda weight: weight.half().float()),
        "head",
        "float16",
        "precision",
        "round",
        "dtype",
        "half",
    ),
    weights(points, "gamma and beta exchanged", exchanged("bn1.gamma", "bn1.beta"), "bn1", *SWAPPED),
    weights(squeeze_excite, "channels reversed", changed("conv.weight", lambda weight: weight.flip(1)), "conv", *ORDER),
    weights(
        mixer,
        "weight of another layer",
        lambda tensors: {"norm2.gamma": tensors["norm1.gamma"], "norm2.beta": tensors["norm1.beta"]},
        "norm2",
        *SWAPPED,
        "gamma",
        "norm1",
    ),
]
FAULTS = IN_CODE + IN_WEIGHTS


def apply_damage(cell: ms.nn.Cell, damage: Callable[[Weights], Weights]) -> None:
    """Change the weights of a Cell as somebody's own conversion would have."""
    parameters = {parameter.name: parameter for parameter in cell.get_parameters()}
    before = {name: torch.tensor(parameter.asnumpy()) for name, parameter in parameters.items()}
    for name, tensor in damage(before).items():
        parameters[name].set_data(ms.Tensor(tensor.contiguous().numpy()))
