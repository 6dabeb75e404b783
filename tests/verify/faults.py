"""Single faults put into correct Cells: what people get wrong when they migrate a network, and what should be found."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

import torch

from msbridge import nn, ops
from msbridge.core.types import dtype as mstype
from msbridge.verify import compare
from tests.zoo.pairs import PAIRS, pair

ACTIVATIONS = (nn.ReLU, nn.Tanh, nn.Sigmoid, nn.GELU, nn.SiLU, nn.LeakyReLU)


@dataclass(frozen=True)
class Fault:
    """One fault.

    Attributes:
        name: the kind of fault.
        network: the pair it is put into.
        layers: names of the place that count as right; patterns.
        kinds: causes that count as right.
        do: puts it into (torch module, Cell) and may give another Cell.
        is_weight: whether it is in the values of the weights, which are then checked and not converted.
        make: returns the pair of a network's name.
    """

    name: str
    network: str
    layers: tuple[str, ...]
    kinds: tuple[str, ...]
    do: Callable
    is_weight: bool = False
    make: Callable = pair

    def __str__(self):
        return f"{self.network}-{self.name}-{self.layers[0]}"


def find(fault):
    """Put a fault into its pair; give the comparison."""
    module, cell, inputs = fault.make(fault.network)
    if fault.is_weight:
        compare(module, cell, inputs)
    with torch.no_grad():
        cell = fault.do(module, cell) or cell
    return compare(module, cell, inputs, weights="as is" if fault.is_weight else "convert")


def is_place_right(fault, found):
    first = found.first or next(iter(found.notes), None)
    return first is not None and any(fnmatchcase(first.layer, layer) for layer in fault.layers)


def is_cause_right(fault, found):
    first = found.first or next(iter(found.notes), None)
    return first is not None and first.kind in fault.kinds


def faults() -> Iterator[Fault]:
    """Return every fault that the five networks have room for."""
    for name in PAIRS:
        module, cell, _ = pair(name)
        yield from _settings(name, cell)
        yield from _weights(name, module, cell)
        yield from _around(name, cell)
    yield from _in_construct()


def _settings(network, cell):
    for path, layer in cell.cells_and_names():
        kind = type(layer).__name__
        if kind == "BatchNorm2d":
            for eps in (1e-3, 1e-4, 1e-6):
                yield Fault("eps", network, (path,), ("eps",), _set(path, eps=eps))
            yield Fault("momentum", network, (path,), ("momentum",), _set(path, momentum=0.9))
            yield Fault("batch statistics", network, (path,), ("use_batch_statistics",),
                        _set(path, use_batch_statistics=True))  # fmt: skip
        elif kind == "LayerNorm":
            yield Fault("epsilon", network, (path,), ("epsilon",), _set(path, epsilon=1e-3))
            yield Fault("epsilon", network, (path,), ("epsilon",), _set(path, epsilon=1e-5))
        elif kind in ("GroupNorm", "InstanceNorm2d"):
            yield Fault("eps", network, (path,), ("eps",), _set(path, eps=1e-3))
        elif kind == "Conv2d":
            yield from _convolutions(network, path, layer)
        elif kind == "MaxPool2d":
            calls = (path, f"{path} (call 2)")
            yield Fault("pool kind", network, calls, ("pooling",), _put(path, _average(layer)))
            if layer.pad_mode == "VALID":
                new = nn.MaxPool2d(layer.kernel_size)
                yield Fault("pool stride", network, calls, ("stride",), _put(path, new))
        elif kind == "AvgPool2d":
            yield Fault("pool kind", network, (path,), ("pooling",), _put(path, nn.MaxPool2d(2, 2)))
        elif kind == "Dropout":
            yield Fault("dropout p", network, (path,), ("p",), _put(path, nn.Dropout(0.1)))
            yield Fault("dropout left on", network, (path,), ("dropout left on",), _put(path, _Drops()))
        elif kind == "GELU":
            yield Fault("gelu form", network, (path,), ("approximate",), _put(path, nn.GELU()))
        elif kind == "LeakyReLU":
            yield Fault("alpha", network, (path,), ("alpha",), _put(path, nn.LeakyReLU()))
        elif kind == "Softmax":
            yield Fault("softmax axis", network, (f"softmax after {path.rpartition('.')[0]}.value",), ("axis",),
                        _put(path, nn.Softmax(-2)))  # fmt: skip
        elif kind in ("Dense", "Conv2dTranspose") and layer.has_bias:
            yield Fault("no bias", network, (path,), ("has_bias", "bias"), _without_bias(path))
        if kind in ("Dense", "Conv2d", "LayerNorm", "BatchNorm2d"):
            yield Fault("dtype", network, (path,), ("dtype",), _half(path))
        if kind in {one.__name__ for one in ACTIVATIONS}:
            yield from _activations(network, path, kind)


def _convolutions(network, path, layer):
    inner, outer, kernel = layer.in_channels, layer.out_channels, layer.kernel_size
    padding = layer.padding if layer.pad_mode == "pad" else 0
    size = {"in_channels": inner, "out_channels": outer, "kernel_size": kernel, "has_bias": layer.has_bias}
    if layer.pad_mode == "pad" and layer.stride[0] > 1:
        new = nn.Conv2d(**size, stride=layer.stride, pad_mode="same")
        yield Fault("pad mode", network, (path,), ("padding",), _put(path, new))
    if layer.pad_mode == "pad":
        new = nn.Conv2d(**size, stride=layer.stride, pad_mode="valid")
        yield Fault("pad mode", network, (path,), ("padding",), _put(path, new))
        wide = nn.Conv2d(**size, stride=layer.stride, pad_mode="pad", padding=2 * padding, dilation=2)
        yield Fault("dilation", network, (path,), ("dilation", "padding"), _put(path, wide))
    if layer.pad_mode == "valid" and kernel[0] > 1:
        new = nn.Conv2d(**size, stride=layer.stride, pad_mode="same")
        yield Fault("pad mode", network, (path,), ("padding",), _put(path, new))
    other = 1 if layer.stride[0] == 2 else 2
    new = nn.Conv2d(**size, stride=other, pad_mode=layer.pad_mode, padding=padding)
    yield Fault("stride", network, (path,), ("stride",), _put(path, new))


def _activations(network, path, kind):
    functional = {
        "LeNet": {"relu": tuple(f"relu after {one}" for one in ("conv1", "conv2", "fc1")), "tanh": ("tanh after fc2",)},
        "UNet": {"sigmoid": ("sigmoid after mask",)},
    }
    parent = path.rpartition(".")[0]
    names = (path, f"{path} (call 2)", *functional.get(network, {}).get(path, ()))
    if path.endswith(".act"):
        names = (f"silu after {parent}.norm1",)
    if network == "Bert" and path == "tanh":
        names = ("tanh after pooler",)
    for other in ACTIVATIONS:
        if other.__name__ != kind:
            yield Fault("activation", network, names, ("activation",), _put(path, other()))


def _weights(network, module, cell):
    parameters = dict(cell.parameters_and_names())
    by_shape = {}
    for key, one in parameters.items():
        path, _, leaf = key.rpartition(".")
        by_shape.setdefault(tuple(one.shape), []).append(key)
        if one.ndim == 2 and one.shape[0] == one.shape[1] and leaf == "weight":
            yield Fault("transposed", network, (path,), ("weight transposed",), _change(key, lambda data: data.T), True)
        if leaf in ("bias", "beta"):
            yield Fault(
                "bias not loaded", network, (path,), ("weight not loaded",), _change(key, torch.zeros_like), True
            )
        if leaf in ("weight", "gamma", "embedding_table"):
            yield Fault("weight noise", network, (path,), ("weight values",), _change(key, _nudged), True)
            yield Fault(
                "weight scaled", network, (path,), ("weight values",), _change(key, lambda data: 1.01 * data), True
            )
        if leaf == "weight" and one.ndim == 4 and one.shape[-1] > 1:
            yield Fault("kernel flipped", network, (path,), ("weight values", "weight order"),
                        _change(key, lambda data: data.flip(2, 3)), True)  # fmt: skip
        if leaf == "weight":
            yield Fault("rounded", network, (path,), ("dtype",), _change(key, lambda data: data.half().float()), True)
        if "lstm" in key and leaf.startswith("weight"):
            yield Fault("gate order", network, (path,), ("gate order",), _change(key, _turned_gates), True)
        if leaf == "moving_mean" and network == "ResNet":
            yield Fault("mean for variance", network, (path,), ("weights swapped",),
                        _exchange(key, key.replace("mean", "variance")), True)  # fmt: skip
    for shape, keys in by_shape.items():
        if len(shape) < 2:
            continue
        for one, other in itertools.islice(itertools.pairwise(keys), 6):
            names = tuple(key.rpartition(".")[0] for key in (one, other))
            yield Fault("swapped", network, names, ("weights swapped",), _exchange(one, other), True)


def _around(network, cell):
    """Something too much before or after a layer."""
    for path, layer in cell.cells_and_names():
        kind = type(layer).__name__
        if kind not in ("Dense", "Conv2d", "BatchNorm2d", "LayerNorm"):
            continue
        for name, operator in EXTRAS.items():
            kinds = ("extra layer",) if operator != "flip" else ("layout",)
            if kind == "LayerNorm" and name == "doubled":
                continue  # it returns the same of twice its input
            before = (path, *(f"{operator} {place}" for place in _places(cell, path)))
            yield Fault(f"{name} before", network, before, kinds, _wrap(path, name, True))
            if operator != "flip":
                after = (f"{operator} after {path}.inner",)
                yield Fault(f"{name} after", network, after, kinds, _wrap(path, name, False))


def _places(cell, path):
    """Return how an operator just before a layer is called: after any layer but itself."""
    yield f"in {path}"
    for other, _ in cell.cells_and_names():
        if other and other != path:
            yield from (f"after {other}", f"after {other} (call 2)", f"after {other} (call 3)")


EXTRAS = {"doubled": "mul", "clipped": "clamp", "shifted": "add", "flipped": "flip"}
COMPUTED = {
    "doubled": lambda x: x * 2,
    "clipped": lambda x: ops.clamp(x, -0.1, 0.1),
    "shifted": lambda x: x + 0.25,
    "flipped": lambda x: ops.flip(x, (-1,)),
}


class _Wrapped(nn.Cell):
    def __init__(self, inner, name, is_before):
        super().__init__()
        self.inner = inner
        self.name, self.is_before = name, is_before

    def construct(self, x):
        return self.inner(COMPUTED[self.name](x)) if self.is_before else COMPUTED[self.name](self.inner(x))


def _wrap(path, name, is_before):
    def do(module, cell):
        _put(path, _Wrapped(_at(cell, path), name, is_before))(module, cell)

    return do


def _in_construct():
    def flag(path, value):
        return lambda module, cell: _at(cell, path).__dict__.__setitem__("fault", value)

    missing, extra = ("missing layer",), ("extra layer",)
    for value, name in (
        ("no relu", "relu after conv2"),
        ("no tanh", "tanh after fc2"),
        ("no log_softmax", "log_softmax after fc3"),
    ):
        yield Fault("missing layer", "LeNet", (name,), missing, flag("", value))
    yield Fault("flatten order", "LeNet", ("fc1",), ("layout",), flag("", "flatten order"))
    yield Fault("dropout left on", "LeNet", ("fc3",), ("dropout left on",), flag("", "dropout left on"))
    for block in range(4):
        path = f"layers.{block}"
        yield Fault("missing layer", "ResNet", (f"{path}.relu",), missing, flag(path, "no relu"))
        yield Fault("no residual", "ResNet", (f"add after {path}.bn2",), missing, flag(path, "no residual"))
        yield Fault("extra layer", "ResNet", (f"{path}.relu (call 2)",), extra, flag(path, "relu before add"))
    for layer in range(2):
        path = f"layers.{layer}"
        inner = f"{path}.attention"
        yield Fault("no residual", "Bert", (f"add after {inner}.out",), missing, flag(path, "no residual"))
        yield Fault("no scale", "Bert", (f"div after {inner}.value",), missing, flag(inner, "no scale"))
        yield Fault("no mask", "Bert", (f"add after {inner}.value",), missing, flag(inner, "no mask"))
        yield Fault("heads", "Bert", (f"bmm after {inner}.value",), ("layout",), _set(inner, heads=2))
    yield Fault("wrong token", "Bert", ("pooler",), ("layout", "wiring"), flag("", "last token"))
    yield Fault("positions", "Bert", ("position", "add at the beginning"), extra, flag("", "positions from one"))
    yield Fault(
        "align_corners", "UNet", ("upsample_bilinear2d after up",), ("align_corners",), flag("", "align_corners")
    )
    yield Fault("resize mode", "UNet", ("upsample_bilinear2d after up",), ("other operator", "mode"), flag("", "mode"))
    yield Fault("concat order", "UNet", ("cat after up",), ("order of inputs",), flag("", "concat order"))
    yield Fault("missing layer", "UNet", ("sigmoid after mask",), missing, flag("", "no sigmoid"))


class _Drops(nn.Cell):
    """A Dropout whose author forgot that it should rest in inference."""

    def __init__(self):
        super().__init__()
        self.p = 0.1
        self.drop = nn.Dropout(p=0.1)

    def construct(self, x):
        self.drop.set_train()
        return self.drop(x)


def _average(layer):
    if layer.pad_mode == "PAD":
        return nn.AvgPool2d(layer.kernel_size, layer.stride, pad_mode="pad", padding=1)
    return nn.AvgPool2d(layer.kernel_size, layer.stride)


def _at(cell, path):
    return cell.get_sub_cell(path) if path else cell


def _set(path, **values):
    return lambda module, cell: _at(cell, path).__dict__.update(values)


def _put(path, new):
    parent, _, name = path.rpartition(".")

    def do(module, cell):
        holder = _at(cell, parent)
        if name.isdigit():
            holder[int(name)] = new
        else:
            setattr(holder, name, new)

    return do


def _without_bias(path):
    def do(module, cell):
        layer = _at(cell, path)
        layer.bias = None
        layer.has_bias = False

    return do


def _half(path):
    return lambda module, cell: _at(cell, path).to_float(mstype.float16) and None


def _change(key, fn):
    def do(module, cell):
        parameter = dict(cell.parameters_and_names())[key]
        parameter._data.copy_(fn(parameter._data.clone()))

    return do


def _exchange(one, other):
    def do(module, cell):
        parameters = dict(cell.parameters_and_names())
        first, second = parameters[one]._data, parameters[other]._data
        kept = first.clone()
        first.copy_(second)
        second.copy_(kept)

    return do


def _nudged(data):
    """Change one value by a hundredth of the largest."""
    data.view(-1)[data.numel() // 2] += 0.01 * data.abs().max()
    return data


def _turned_gates(data):
    """Put the gates i f g o in the order i g f o."""
    i, f, g, o = data.chunk(4)
    return torch.cat([i, g, f, o])
