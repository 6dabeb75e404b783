from transform_tests import RandomTests, RecordedTests, RefusalTests

from msbridge.dataset.vision.geometry import resize


class TestResize(RandomTests, RecordedTests, RefusalTests):
    module = resize
