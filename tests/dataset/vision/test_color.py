from transform_tests import RandomTests, RefusalTests

from msbridge.dataset.vision import color


class TestColor(RandomTests, RefusalTests):
    module = color
