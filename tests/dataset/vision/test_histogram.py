from transform_tests import RandomTests, RefusalTests

from msbridge.dataset.vision import histogram


class TestHistogram(RandomTests, RefusalTests):
    module = histogram
