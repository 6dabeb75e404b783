from msbridge.dataset.vision.color import histogram
from tests.dataset.transform_tests import RandomTests, RecordedTests, RefusalTests


class TestHistogram(RandomTests, RecordedTests, RefusalTests):
    module = histogram
