from transform_tests import RandomTests, RecordedTests, RefusalTests

from msbridge.dataset.vision.color import histogram


class TestHistogram(RandomTests, RecordedTests, RefusalTests):
    module = histogram
