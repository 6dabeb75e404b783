"""The classes of r1.x under their old modules: which differ, and that the rest are the same objects."""

import io

import numpy as np
import pytest

from msbridge.dataset import transforms, vision
from msbridge.dataset.transforms import c_transforms as array_c
from msbridge.dataset.transforms import py_transforms as array_py
from msbridge.dataset.vision import c_transforms, py_transforms

OTHERS = {"Decode", "Normalize", "NormalizePad", "Cutout", "RgbToBgr", "ToTensor", "ToType"}
OTHERS |= {"OneHotOp", "Compose", "RandomApply", "RandomChoice", "RandomOrder"}


@pytest.mark.parametrize("module", [c_transforms, py_transforms, array_c, array_py], ids=lambda module: module.__name__)
def test_names_are_the_same_objects(module: object) -> None:
    home = vision if module in (c_transforms, py_transforms) else transforms
    names = [name for name in vars(module) if name.isidentifier() and not name.startswith("_")]
    assert names
    for name in names:
        if name not in OTHERS:
            found: dict[str, object] = {}
            exec(f"from {home.__name__} import {name}", found)  # names of r1.x are imported; `hasattr` denies them
            assert getattr(module, name) is found[name]


def test_the_image_modules_normalize_differently() -> None:
    image = np.arange(24, dtype=np.float32).reshape(2, 4, 3)
    pixels = c_transforms.Normalize([1.0, 2.0, 3.0], [2.0, 2.0, 2.0])(image)
    planes = py_transforms.Normalize([1.0, 2.0, 3.0], [2.0, 2.0, 2.0])(image.transpose(2, 0, 1))
    np.testing.assert_array_equal(pixels.transpose(2, 0, 1), planes)


def test_the_image_modules_decode_differently() -> None:
    image = pytest.importorskip("PIL.Image")
    file = io.BytesIO()
    image.fromarray(np.zeros((3, 4, 3), np.uint8)).save(file, "PNG")
    encoded = np.frombuffer(file.getvalue(), np.uint8)
    assert c_transforms.Decode(rgb=True)(encoded).shape == (3, 4, 3)
    assert py_transforms.Decode()(encoded).size == (4, 3)
    with pytest.raises(NotImplementedError, match="rgb"):
        c_transforms.Decode(rgb=False)


def test_onehot_has_another_name() -> None:
    np.testing.assert_array_equal(array_py.OneHotOp(3)(np.array(1)), [0, 1, 0])


def test_a_users_own_operation() -> None:
    class Double(transforms.PyTensorOperation):
        def _execute_py(self, value: np.ndarray) -> np.ndarray:
            return value * 2

    import msbridge.dataset as ds

    data = ds.NumpySlicesDataset([1, 2], ["a"], shuffle=False).map(Double(), "a")
    assert [int(row[0]) for row in data.create_tuple_iterator(output_numpy=True)] == [2, 4]
    assert isinstance(vision.HWC2CHW(), transforms.TensorOperation)


def test_a_compose_of_python_steps_returns_a_tuple() -> None:
    image = np.zeros((3, 4, 3), np.uint8)
    steps = [py_transforms.HWC2CHW()]
    assert isinstance(array_py.Compose(steps)(image), tuple)
    assert isinstance(transforms.Compose(steps)(image), np.ndarray)
    pytest.importorskip("PIL")
    (found,) = transforms.Compose([vision.ToPIL(), vision.ToTensor()])(image)
    assert found.shape == (3, 3, 4)
    (found,) = transforms.Compose([vision.Resize(4), vision.ToTensor()])(vision.ToPIL()(image))
    assert found.shape == (3, 4, 5)


def test_an_old_onehot_takes_arrays_of_any_shape_and_returns_floats() -> None:
    found = array_py.OneHotOp(3, 0.3)(np.array([[2, 0]]))
    np.testing.assert_allclose(found, [[[0.1, 0.1, 0.8], [0.8, 0.1, 0.1]]])
    with pytest.raises(ValueError, match="too small"):
        array_py.OneHotOp(2)(np.array(2))
