from transform_tests import RandomTests, RecordedTests, RefusalTests

from msbridge.dataset.vision.color import sharpness


class TestSharpness(RandomTests, RecordedTests, RefusalTests):
    module = sharpness
    rounding = 1e-5
