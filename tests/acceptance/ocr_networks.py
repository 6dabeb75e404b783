"""Build the network of each configuration of mindocr, run it and train it for a step; a job of the acceptance run.

Prints a line of JSON for each configuration whose network takes an image alone: its path, and what went wrong.
"""

import json
import sys
from pathlib import Path
from typing import Any

import mindspore as ms
import numpy as np
import yaml
from mindspore import nn

__all__ = ["main"]
sys.path.append(".")

#: networks that take labels, documents or pictures of one size besides
LEFT_OUT = ("kie/", "layout/", "abinet", "robustscanner", "svtr_ppocrv3_ch", "visionlan")
SHAPES = {"det": (1, 3, 96, 96), "cls": (2, 3, 48, 192), "table": (1, 3, 96, 96), "rec": (2, 3, 32, 100)}


def tensors(value: Any) -> list[ms.Tensor]:
    """Return the Tensors of nested outputs."""
    if isinstance(value, (tuple, list, dict)):
        return [one for part in (value.values() if isinstance(value, dict) else value) for one in tensors(part)]
    return [value] if isinstance(value, ms.Tensor) else []


def problem(settings: dict[str, Any], shape: tuple[int, ...]) -> str:
    """Train a network for a step; return what went wrong."""
    from mindocr.models import build_model

    try:
        for part in ("backbone", "head"):
            values = settings.get(part) or {}
            values.update({name: new for name, new in (("pretrained", False), ("batchsize", 2)) if name in values})
        network = build_model(settings)
        image = ms.Tensor(np.random.default_rng(0).standard_normal(shape), ms.float32)
        network.set_train(False)
        network(image)
        network.set_train(True)
        weights = ms.ParameterTuple(network.trainable_params())

        def loss(image: ms.Tensor) -> ms.Tensor:
            return sum(
                (one.astype(ms.float32) ** 2).mean() for one in tensors(network(image)) if one.is_floating_point()
            )

        value, gradients = ms.value_and_grad(loss, None, weights)(image)
        nn.SGD(weights, 1e-3)(gradients)
    except Exception as error:
        return f"{type(error).__name__}: {error}".splitlines()[0][:300]
    arrays = [value, *gradients]
    return "" if all(np.isfinite(one.asnumpy()).all() for one in arrays) else "the loss or a gradient is not finite"


def main() -> None:
    """Run all configurations."""
    for path in sorted(Path("configs").glob("**/*.yaml")):
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
        name = path.relative_to("configs").as_posix()
        if "model" not in found or any(part in name for part in LEFT_OUT):
            continue
        shape = (2, 3, 48, 160) if "master" in name else SHAPES[name.split("/")[0]]
        for step in found.get("train", {}).get("dataset", {}).get("transform_pipeline") or []:
            for wanted in (values.get("image_shape") for values in step.values() if isinstance(values, dict)):
                if name.startswith("rec/") and "svtr" in name and wanted:
                    shape = (2, *wanted) if len(wanted) == 3 else (2, 3, *wanted)
        print(json.dumps({"case": name, "problem": problem(found["model"], shape)}), flush=True)


if __name__ == "__main__":
    main()
