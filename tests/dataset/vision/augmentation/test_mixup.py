import numpy as np
import pytest

import msbridge.dataset as ds
from msbridge.dataset import vision
from msbridge.dataset.transforms.base import eager_draw
from msbridge.dataset.vision.augmentation import mixup

BATCH = np.stack([np.full((8, 10, 3), value, np.uint8) for value in (10, 60, 250)])
LABELS = np.eye(3, dtype=np.uint32)


@pytest.mark.usefixtures("seeded")
def test_mixed_images_and_labels_have_the_same_shares() -> None:
    mixed = vision.MixUpBatch()
    for _ in range(20):
        images, labels = mixed(BATCH, LABELS)
        np.testing.assert_allclose(images[:, 0, 0, 0], labels @ np.array([10, 60, 250]), atol=0.5)
        np.testing.assert_allclose(labels.sum(1), 1, rtol=1e-6)
        assert (images.dtype, labels.dtype) == (np.uint8, np.float32)


@pytest.mark.usefixtures("seeded")
def test_a_label_has_the_share_of_the_rectangle() -> None:
    cut = vision.CutMixBatch(vision.ImageBatchFormat.NHWC, prob=0.5)
    kept = 0
    for _ in range(100):
        images, labels = cut(BATCH, LABELS)
        same = (images == BATCH).all(-1).mean((1, 2))
        np.testing.assert_allclose(np.diag(labels), same, atol=1e-6)
        kept += (same == 1).sum()
    assert 0.6 < kept / 300 < 0.74  # half of the images, and those that meet themselves: 2/3


@pytest.mark.usefixtures("seeded")
@pytest.mark.usefixtures("seeded")
def test_a_rectangle_lies_inside_and_is_never_empty() -> None:
    places = [mixup.cut_box(8, 10, draw, eager_draw()) for draw in np.linspace(0, 1, 200)]
    assert all(
        top >= 0 and left >= 0 and top + height <= 8 and left + width <= 10 for top, left, height, width in places
    )
    assert min(min(place[2:]) for place in places) == 1


@pytest.mark.usefixtures("seeded")
def test_mixup_blends_with_the_next_image() -> None:
    images, labels = vision.MixUp(3, 0.4)(BATCH, LABELS)
    share = np.diag(labels)
    np.testing.assert_allclose(images[:, 0, 0, 0], share * [10, 60, 250] + (1 - share) * [60, 250, 10])


@pytest.mark.usefixtures("seeded")
def test_mixup_blends_with_the_batch_before() -> None:
    mixup = vision.MixUp(3, 0.4, is_single=False)
    np.testing.assert_array_equal(mixup(BATCH, LABELS)[0], BATCH)
    images, labels = mixup(BATCH[::-1], LABELS[::-1])
    np.testing.assert_allclose(images[:, 0, 0, 0], labels @ [10, 60, 250])


@pytest.mark.usefixtures("seeded")
def test_batches_of_a_pipeline_are_mixed_the_same_by_any_number_of_workers() -> None:
    def passed(workers: int) -> np.ndarray:
        data = ds.NumpySlicesDataset({"image": np.repeat(BATCH, 4, 0), "label": np.repeat(LABELS, 4, 0)}, shuffle=False)
        data = data.batch(4).map(
            vision.CutMixBatch(vision.ImageBatchFormat.NHWC), ["image", "label"], num_parallel_workers=workers
        )
        return np.concatenate([row[0] for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)])

    np.testing.assert_array_equal(passed(1), passed(3))
