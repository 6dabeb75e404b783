"""Build every model that `mindcv` lists, run it forward and train it for one step; a line of JSON for each.

msbridge run every_model.py [--largest MILLIONS] [MODEL...]      # in a checkout of mindcv
"""

import argparse
import gc
import json
import sys

import mindspore as ms
import numpy as np
from mindspore import nn

sys.path.append(".")
from mindcv.models import create_model, list_models, model_entrypoint

#: the side of an image, where the repository says it in its configurations only
SIDES = {"inception_v3": 299, "inception_v4": 299, "swinv2_": 256}


def input_size(name: str) -> tuple[int, ...]:
    """Return channels, height and width of what a model takes, as its module says."""
    settings = getattr(sys.modules[model_entrypoint(name).__module__], "default_cfgs", {})
    side = next((side for start, side in SIDES.items() if name.startswith(start)), 224)
    return tuple(settings.get(name, {}).get("input_size") or (3, side, side))


def trained(name: str, largest: float) -> float:
    """Return the loss of a training step on a batch of two."""
    model = create_model(name, num_classes=10)
    millions = sum(parameter.size for parameter in model.get_parameters()) / 1e6
    if millions > largest:
        raise MemoryError(f"left out: {millions:.0f} million parameters are more than --largest")
    rng = np.random.default_rng(0)
    x = ms.Tensor(rng.random((2, *input_size(name)), dtype=np.float32))
    model.set_train(False)
    logits = model(x)
    if logits.shape != (2, 10):
        raise ValueError(f"logits of shape {logits.shape}")

    def forward(x: ms.Tensor, label: ms.Tensor) -> ms.Tensor:
        found = model(x)
        found = found if isinstance(found, tuple) else (found,)
        return sum(nn.CrossEntropyLoss()(one, label) for one in found)

    model.set_train(True)
    weights = model.trainable_params()
    before = weights[-1].asnumpy().copy()
    loss, grads = ms.value_and_grad(forward, None, weights)(x, ms.Tensor([1, 7], ms.int32))
    nn.Momentum(weights, 0.1, 0.9)(grads)
    if not np.isfinite(loss.asnumpy()):
        raise ValueError(f"the loss is {loss}")
    if (weights[-1].asnumpy() == before).all():
        raise ValueError("the step changed nothing")
    return float(loss.asnumpy())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*", metavar="MODEL", help="their names; all, unless given")
    parser.add_argument(
        "--largest", type=float, default=float("inf"), help="leave out models with more million parameters"
    )
    options = parser.parse_args()
    for name in options.models or list_models():
        problem = ""
        try:
            trained(name, options.largest)
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"[:300] or "?"
        print(json.dumps({"case": name, "problem": problem}), flush=True)
        gc.collect()
