from msbridge.dataset.vision.geometry import resize
from tests.dataset.transform_tests import RandomTests, RecordedTests, RefusalTests


class TestResize(RandomTests, RecordedTests, RefusalTests):
    module = resize
