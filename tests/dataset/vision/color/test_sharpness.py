from msbridge.dataset.vision.color import sharpness
from tests.dataset.transform_tests import RandomTests, RecordedTests, RefusalTests


class TestSharpness(RandomTests, RecordedTests, RefusalTests):
    module = sharpness
    rounding = 1e-5
