"""Record what every layer of a MindSpore network gets and returns, for `msbridge verify --expected`.

Copy this file to the machine with MindSpore (an Ascend, for instance); it needs nothing but MindSpore and numpy:

    from record_layers import record
    record(net, [mindspore.Tensor(images)], "ascend.npz")
"""

import mindspore
import numpy as np


def record(net, inputs, path):
    """Run a Cell on some Tensors in PyNative mode, and save the inputs and outputs of all its innermost Cells."""
    mindspore.set_context(mode=mindspore.PYNATIVE_MODE)
    net.set_train(False)
    arrays, calls, handles = {}, {}, []

    def watch(name, cell):
        def keep(cell, given, output):
            calls[name] = calls.get(name, 0) + 1
            label = name if calls[name] == 1 else f"{name} (call {calls[name]})"
            arrays.update(named(label + ":input", given))
            arrays[label] = as_array(tensors(output)[0])

        handles.append(cell.register_forward_hook(keep))

    for name, cell in net.cells_and_names():
        if name and not list(cell.cells()):
            watch(name, cell)
    output = net(*inputs)
    for handle in handles:
        handle.remove()
    arrays.update(named("input", inputs))
    arrays.update(named("output", output))
    np.savez_compressed(path, **arrays)


def named(name, value):
    """Name one array by the name only, several by numbers behind it."""
    data = [as_array(one) for one in tensors(value)]
    return {name: data[0]} if len(data) == 1 else {f"{name}.{number}": one for number, one in enumerate(data)}


def tensors(value):
    """Give the Tensors in nested tuples and lists."""
    if isinstance(value, mindspore.Tensor):
        return [value]
    return [one for item in value for one in tensors(item)] if isinstance(value, (list, tuple)) else []


def as_array(tensor):
    """Give a numpy array; numpy has no bfloat16."""
    return (tensor.float() if tensor.dtype == mindspore.bfloat16 else tensor).asnumpy()
