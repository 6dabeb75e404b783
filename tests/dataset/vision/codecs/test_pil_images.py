import numpy as np
import pytest

from msbridge.dataset import vision
from tests.dataset.pipelines import images


@pytest.mark.usefixtures("seeded")
def test_pil_images_stay_pil_images() -> None:
    pytest.importorskip("PIL")
    chain = [
        vision.ToPIL(),
        vision.RandomCrop((5, 6), 1),
        vision.RandomHorizontalFlip(),
        vision.RandomResizedCrop(6),
        vision.RandomColorAdjust(0.2, 0.2, 0.2, 0.1),
        vision.RandomGrayscale(0.5),
        vision.ToTensor(),
    ]
    (batch,) = images(chain)
    assert (batch.shape, batch.dtype) == ((64, 3, 6, 6), np.float32)
