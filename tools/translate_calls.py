"""Ask the real MindSpore whether the calls that `msbridge translate` writes return what torch's return.

    python tools/translate_calls.py ORACLE

ORACLE is a Python with the real MindSpore 2.10.0. The calls are those of tests/translate/test_recipes.py, which runs
them here: each row of mappings/torch_names.toml with a call, and what helpers do. Prints each that differs (float32, by
more than 1e-5) or raises there, and the count.
"""

import pickle
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parent.parent


def write_cases(path):
    """Write the translated calls and what torch returns into a file."""
    import torch

    sys.path.insert(0, str(ROOT))
    from msbridge.translate import translate
    from tests.translate.test_recipes import arrays, calls, fill, with_layer

    cases = []
    for name, call in calls():
        text = with_layer(name, call)
        scope = {key: torch.tensor(value) for key, value in arrays().items()}
        scope["set_weights"] = lambda one: [p.data.copy_(torch.tensor(fill(p.shape))) for p in one.eval().parameters()]
        exec(text, scope)
        result = scope["result"]
        values = result if isinstance(result, (tuple, list)) else [result]
        expected = [one.detach().numpy() if isinstance(one, torch.Tensor) else np.asarray(one) for one in values]
        cases.append((call, translate(text).source, expected))
    path.write_bytes(pickle.dumps((arrays(), cases)))


def run_cases(path):
    """Run the calls of a file in the real MindSpore, and print which differ."""
    import mindspore
    from mindspore import Tensor

    mindspore.set_context(mode=mindspore.PYNATIVE_MODE, pynative_synchronize=True)
    arrays, cases = pickle.loads(path.read_bytes())
    failed = 0
    for call, source, expected in cases:
        scope = {name: Tensor(value) for name, value in arrays.items()}
        scope["set_weights"] = lambda one: [p.set_data(Tensor(fill(p.shape))) for p in one.trainable_params()]
        try:
            exec(source, scope)
            result = scope["result"]
            values = result if isinstance(result, (tuple, list)) else [result]
            for one, other in zip(values, expected, strict=True):
                value = one.asnumpy() if isinstance(one, Tensor) else np.asarray(one)
                np.testing.assert_equal(value.shape, other.shape)
                np.testing.assert_allclose(value, other, rtol=1e-5, atol=1e-5)
        except Exception as error:
            failed += 1
            print(f"{call}: {type(error).__name__}: {' '.join(str(error).split())[:160]}", flush=True)
    print(f"{len(cases) - failed} of {len(cases)} calls return what torch's return.")
    return bool(failed)


def fill(shape):
    """Return weights, as the test has them."""
    return (np.sin(np.arange(np.prod(shape, dtype=int))).reshape(shape) / 3).astype(np.float32)


def main(words):
    """Write the cases here, and run them there."""
    if words[0] == "--there":
        return run_cases(Path(words[1]))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cases"
        write_cases(path)
        return subprocess.run([words[0], __file__, "--there", str(path)], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
