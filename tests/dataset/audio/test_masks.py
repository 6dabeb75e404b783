import numpy as np
import pytest

from msbridge.dataset import audio
from tests.dataset.pipelines import in_pipeline


def masked_ranges(operation: object, shape: tuple[int, int], axis: int) -> list[tuple[int, int]]:
    """Beginning and width of the masks over 4,000 rows."""
    rows = in_pipeline(operation, np.zeros((4000, *shape), np.float32))
    hit = (rows == 1).any(axis=3 - axis)
    return [(int(row.argmax()), int(row.sum())) for row in hit]


@pytest.mark.usefixtures("seeded")
@pytest.mark.parametrize(
    ("operation", "axis"),
    [
        (audio.FrequencyMasking(True, 3, 0, 1.0), 1),
        (audio.TimeMasking(True, 3, 0, 1.0), 2),
        (audio.MaskAlongAxisIID(3, 1.0, 1), 1),
        (audio.MaskAlongAxisIID(3, 1.0, 2), 2),
    ],
)
def test_width_and_beginning_of_a_mask_are_uniform(operation: object, axis: int) -> None:
    found = masked_ranges(operation, (6, 5), axis)
    size = (6, 5)[axis - 1]
    widths = np.bincount([width for _, width in found], minlength=4)
    assert widths.sum() == 4000
    np.testing.assert_allclose(widths / 4000, 0.25, atol=0.035)  # 5 standard deviations
    for width in (1, 2, 3):
        starts = np.bincount([start for start, found_width in found if found_width == width], minlength=size)
        np.testing.assert_allclose(starts[: size - width + 1] / starts.sum(), 1 / (size - width + 1), atol=0.08)
        assert not starts[size - width + 1 :].any()


def test_all_channels_get_one_mask() -> None:
    done = audio.MaskAlongAxisIID(4, 1.0, 1)(np.zeros((3, 2, 8, 5), np.float32))
    assert (done == done[0, 0]).all()
