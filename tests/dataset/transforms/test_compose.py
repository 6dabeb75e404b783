from msbridge.dataset.transforms import compose
from tests.dataset.transform_tests import RandomTests, RecordedTests, RefusalTests


class TestCompose(RandomTests, RecordedTests, RefusalTests):
    module = compose
