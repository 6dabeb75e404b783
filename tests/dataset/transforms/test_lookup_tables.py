import numpy as np
import pytest

from msbridge.core.types import dtype as ms
from msbridge.dataset import transforms, vision
from msbridge.dataset.transforms import lookup_tables

THREE = vision.Normalize([121.0, 115.0, 100.0], [70.0, 68.0, 71.0])
CHAINS = {
    "rescale, normalize": [vision.Rescale(1 / 255.0, -0.3), THREE],
    "… and to planes": [vision.Rescale(1 / 255.0, 0.0), THREE, vision.HWC2CHW()],
    "planes first": [vision.HWC2CHW(), vision.Normalize([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], is_hwc=False)],
    "to tensor": [vision.ToTensor()],
    "to tensor, normalize": [vision.ToTensor(), vision.Normalize([0.4, 0.5, 0.6], [0.2, 0.3, 0.4], is_hwc=False)],
    "same for all channels": [vision.Rescale(2.0, 1.0), vision.HWC2CHW()],
    "pointwise": [vision.Rescale(2.0, 1.0), transforms.TypeCast(ms.int32)],
}
SHAPES = [(5, 7, 3), (5, 7, 1), (5, 7)]


@pytest.fixture(params=["OpenCV", "NumPy"])
def _package(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "OpenCV":
        pytest.importorskip("cv2")
    else:
        monkeypatch.setattr(lookup_tables, "opencv", lambda: None)


@pytest.mark.usefixtures("_package")
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("chain", CHAINS)
def test_a_table_gives_what_the_steps_give(chain: str, shape: tuple[int, ...]) -> None:
    images = np.random.default_rng(0).integers(0, 256, (4, *shape), np.uint8)
    table = lookup_tables.pixel_table(CHAINS[chain], shape)
    if table is None:  # three means for one channel, or planes of an image that has none
        assert shape != (5, 7, 3)
        return
    found = np.empty((4, *table.shape(shape)), table.values.dtype)
    table.write(images, found)
    for image, result in zip(images, found, strict=True):
        for transform in CHAINS[chain]:
            image = transform.transform_value(image)
        assert (result.dtype, result.shape) == (image.dtype, image.shape)
        np.testing.assert_array_equal(result, image)


@pytest.mark.usefixtures("_package")
def test_results_are_written_between_others() -> None:
    table = lookup_tables.pixel_table(CHAINS["… and to planes"], (5, 7, 3))
    assert table is not None
    whole = np.zeros((3, 3, 5, 7), np.float32)
    images = np.random.default_rng(0).integers(0, 256, (1, 5, 7, 3), np.uint8)
    table.write(images[:, :, ::-1], whole[1:2])
    assert whole[1].any()
    assert not whole[0].any()
    assert not whole[2].any()


def test_channels_with_the_same_results_share_a_column() -> None:
    table = lookup_tables.pixel_table(CHAINS["same for all channels"], (5, 7, 3))
    assert table is not None
    assert table.values.shape == (256, 1)
    assert table.channels_first


@pytest.mark.parametrize(
    "chain",
    [
        [vision.HWC2CHW()],  # no arithmetic
        [vision.HWC2CHW(), vision.HWC2CHW()],  # neither of both orders
        [vision.ToTensor(np.float16)],
        [vision.Normalize([1.0] * 5, [1.0] * 5)],
    ],
)
def test_other_chains_have_no_table(chain: list[transforms.TensorOperation]) -> None:
    assert lookup_tables.pixel_table(chain, (5, 7, 3)) is None
