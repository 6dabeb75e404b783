from transform_tests import RandomTests, RecordedTests, RefusalTests

from msbridge.dataset.transforms import compose


class TestCompose(RandomTests, RecordedTests, RefusalTests):
    module = compose
