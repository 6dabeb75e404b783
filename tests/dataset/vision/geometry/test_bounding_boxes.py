import numpy as np
import pytest

import msbridge.dataset as ds
from msbridge.dataset import vision
from msbridge.dataset.vision.geometry import bounding_boxes

IMAGE = (np.arange(12 * 15).reshape(12, 15, 1) + 1).astype(np.uint8)
BOX = np.array([[4, 3, 5, 6]], np.float32)


@pytest.mark.parametrize(
    "transform",
    [
        vision.RandomCropWithBBox((8, 9)),
        vision.RandomCropWithBBox((10, 10), (1, 2, 3, 4)),
        vision.RandomHorizontalFlipWithBBox(),
        vision.RandomVerticalFlipWithBBox(),
    ],
    ids=lambda transform: type(transform).__name__,
)
@pytest.mark.usefixtures("seeded")
def test_a_box_stays_around_its_pixels(transform: bounding_boxes.BoxTransform) -> None:
    inside = set(IMAGE[3:9, 4:9].ravel().tolist())
    for _ in range(20):
        image, found = transform(IMAGE, BOX)
        here = np.isin(image[..., 0], list(inside))
        if not len(found) or not found[0, 2:].all():  # outside of the part, or at its border
            assert not here.any()
            continue
        left, top, width, height = found[0].astype(int)
        assert here[top : top + height, left : left + width].all()
        assert here.sum() == width * height


@pytest.mark.usefixtures("seeded")
def test_a_resized_box_grows_with_its_part() -> None:
    for _ in range(20):
        _, found = vision.RandomResizedCropWithBBox((6, 7))(IMAGE, BOX)
        if len(found):
            left, top, width, height = found[0]
            assert min(left, top, width, height) >= 0
            assert left + width <= 7 + 1e-5
            assert top + height <= 6 + 1e-5


@pytest.mark.usefixtures("seeded")
def test_boxes_are_changed_with_their_probability() -> None:
    many = np.array([[2 * place, 2 * place, 2, 2] for place in range(10)], np.float32)
    image = np.zeros((20, 20, 3), np.uint8)
    changed = [vision.BoundingBoxAugment(vision.Invert(), 0.3)(image, many)[0].mean() / 255 * 10 for _ in range(100)]
    assert 0.2 < np.mean(changed) < 0.4


@pytest.mark.usefixtures("seeded")
def test_a_pipeline_maps_an_image_and_its_boxes() -> None:
    data = ds.NumpySlicesDataset({"image": IMAGE[None], "boxes": BOX[None]}, shuffle=False)
    data = data.map(vision.RandomHorizontalFlipWithBBox(1.0), ["image", "boxes"])
    ((image, found),) = data.create_tuple_iterator(num_epochs=1, output_numpy=True)
    np.testing.assert_array_equal(image, IMAGE[:, ::-1])
    np.testing.assert_array_equal(found, [[6, 3, 5, 6]])
