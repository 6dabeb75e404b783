import numpy as np
import pytest

from msbridge.dataset import vision
from msbridge.dataset.vision.augmentation import policies
from msbridge.dataset.vision.augmentation.policy_tables import SUBPOLICIES

IMAGE = np.random.RandomState(1).randint(0, 256, (12, 15, 3)).astype(np.uint8)


def test_each_data_set_has_25_policies_of_two_known_steps() -> None:
    space = policies.magnitudes(10, (4, 5, 3), 0.3, None, 30.0, 0.9, 4)
    for choices in SUBPOLICIES.values():
        assert [len(choice) for choice in choices] == [2] * 25
        for kind, chance, place in (step for choice in choices for step in choice):
            assert 0 <= chance <= 1
            assert (space[kind][0] is None) == (place is None)


@pytest.mark.usefixtures("seeded")
def test_the_least_magnitude_changes_nothing_but_in_two_operations() -> None:
    augment = vision.RandAugment(1, 0)
    results = {augment(IMAGE).tobytes() for _ in range(300)}
    equalized, lit = vision.Equalize()(IMAGE), vision.Solarize(255)(IMAGE)
    contrast = vision.AutoContrast()(IMAGE)
    assert results == {each.tobytes() for each in (IMAGE, equalized, lit, contrast)}


@pytest.mark.usefixtures("seeded")
def test_a_policys_steps_have_their_probabilities() -> None:
    choice = vision.RandomSelectSubpolicy([[(vision.Invert(), 0.3)], [(vision.VerticalFlip(), 1.0)]])
    results = [choice(IMAGE) for _ in range(400)]
    assert 0.1 < np.mean([(result == 255 - IMAGE).all() for result in results]) < 0.2
    assert 0.43 < np.mean([(result == IMAGE[::-1]).all() for result in results]) < 0.57
